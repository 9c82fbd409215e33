// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { contrast, hexFromOklch, oklchOf, rgbOf } from './colour';
import { labelColours } from './label-colours';
import { LABEL_PALETTE, leastUsedColour } from './palette';
import { computeColourRoles } from './colour-roles';
import { NEUTRALS, STATUS, type Mode } from './tokens';

const MODES: readonly Mode[] = ['light', 'dark'];
const near = (a: string, b: string, tolerance: number) => rgbOf(a).every((v, i) => Math.abs(v - rgbOf(b)[i]!) <= tolerance);

/** The table of the visual design: dark bar and fills of some palette colours. */
const TABLE: readonly [number, string, string, string][] = [
  [1, '#D6EAEA', '#60AEAE', '#253A3F'],
  [2, '#F0E4D7', '#D18D58', '#3E332C'],
  [6, '#DEE0ED', '#6E80C8', '#293045'],
  [7, '#EADCD6', '#BB6E53', '#3A2C2B'],
  [14, '#E3EEFC', '#87BAFE', '#2E3C51'],
  [20, '#E6F1E1', '#91CA76', '#304033'],
  [25, '#E6E8EB', '#96A1AF', '#31373F'],
  [38, '#E4E2E1', '#928881', '#313135'],
];

describe('roles', () => {
  it('gives the designed values for the default theme (C-087)', () => {
    const light = computeColourRoles('light', { primary: '#1976D2', secondary: '#EEEEEE' });
    expect(light).toMatchObject({
      onPrimary: '#FFFFFF',
      primarySubtle: '#E8F1FB',
      primaryLine: '#AFCFEF',
      ring: '#1976D2',
      secondary: '#EEEEEE',
    });
    expect(near(light.primaryText, '#076DC8', 6)).toBe(true);
    const dark = computeColourRoles('dark', { primary: '#1976D2', secondary: '#EEEEEE' });
    expect(dark).toMatchObject({ primarySubtle: '#162C44', primaryLine: '#174370', ring: '#1976D2', secondary: '#2B2E35' });
    expect(near(dark.primaryText, '#3D94F2', 6)).toBe(true);
  });

  it('meets its contrast guarantees for 180 primaries in both modes', () => {
    for (const mode of MODES) {
      for (let step = 0; step < 180; step += 1) {
        const primary = hexFromOklch({ l: 0.15 + 0.14 * (step % 6), c: 0.05 * (step % 5), h: (step * Math.PI) / 90 });
        const roles = computeColourRoles(mode, { primary, secondary: '#EEEEEE' });
        const grounds = [roles.surface, roles.canvas, roles.sunken, roles.hover, roles.primarySubtle];
        expect(contrast(roles.onPrimary, roles.primary), `${mode} ${primary} button`).toBeGreaterThanOrEqual(4.5);
        for (const ground of grounds) {
          expect(contrast(roles.primaryText, ground), `${mode} ${primary} text`).toBeGreaterThanOrEqual(4.5);
        }
        for (const ground of grounds.slice(0, 4)) {
          expect(contrast(roles.ring, ground), `${mode} ${primary} ring`).toBeGreaterThanOrEqual(3.2);
        }
      }
    }
  });

  it('has readable status and secondary texts on every neutral', () => {
    for (const mode of MODES) {
      const n = NEUTRALS[mode];
      for (const ground of [n.surface, n.canvas, n.sunken, n.hover]) {
        for (const text of [n.text, n.text2, n.text3, ...Object.values(STATUS[mode]).map((s) => s.text)]) {
          expect(contrast(text, ground)).toBeGreaterThanOrEqual(4.5);
        }
      }
    }
  });

  it('falls back for an invalid theme colour', () => {
    expect(computeColourRoles('light', { primary: 'red', secondary: '' }).primary).toBe('#1976D2');
  });
});

describe('label colours', () => {
  it('has 38 different colours (C-031) and proposes the least used', () => {
    expect(new Set(LABEL_PALETTE).size).toBe(38);
    expect(leastUsedColour([])).toBe('#017D7E');
    expect(leastUsedColour(['#017d7e', '#A25703'])).toBe('#7A54BA');
    expect(leastUsedColour([...LABEL_PALETTE, '#017D7E'])).toBe('#A25703');
  });

  it.each(TABLE)('colour %i matches the design table', (number, lightFill, darkBar, darkFill) => {
    const stored = LABEL_PALETTE[number - 1]!;
    expect(labelColours(stored, 'light').bar).toBe(stored);
    expect(near(labelColours(stored, 'light').fill, lightFill, 2)).toBe(true);
    expect(near(labelColours(stored, 'dark').bar, darkBar, 5), labelColours(stored, 'dark').bar).toBe(true);
    expect(near(labelColours(stored, 'dark').fill, darkFill, 3)).toBe(true);
  });

  it('keeps text readable for any stored colour in both modes', () => {
    const foreign = ['#FFFF00', '#FFFFFF', '#000000', '#00FF00', '#EEE', '#123456', 'no colour'];
    for (const mode of MODES) {
      for (const stored of [...LABEL_PALETTE, ...foreign]) {
        const { bar, onBar, fill, strong, ink } = labelColours(stored, mode);
        const { surface, text } = NEUTRALS[mode];
        expect(contrast(bar, surface), `bar ${stored}`).toBeGreaterThanOrEqual(3.1);
        expect(contrast(onBar, bar), `tag ${stored}`).toBeGreaterThanOrEqual(4.5);
        expect(contrast(ink, fill), `ink ${stored}`).toBeGreaterThanOrEqual(4.5);
        expect(contrast(text, fill), `text ${stored}`).toBeGreaterThanOrEqual(7);
        expect(contrast(text, strong), `strong ${stored}`).toBeGreaterThanOrEqual(5.6);
      }
    }
  });

  it('converts to OKLCH and back', () => {
    for (const colour of LABEL_PALETTE) expect(near(hexFromOklch(oklchOf(colour)), colour, 1)).toBe(true);
  });
});
