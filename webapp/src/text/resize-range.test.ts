// @vitest-environment node
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EXTENSIONS } from './extend-selection';
import { snapDown, snapUp } from './graphemes';
import { moveRange, resizeRange } from './resize-range';

const TEXT = 'Ines Okafor-Lund 👩🏿‍🚒 spoke in Halden, early.';
const at = (part: string) => ({ start: TEXT.indexOf(part), end: TEXT.indexOf(part) + part.length });
const slice = ({ start, end }: { start: number; end: number }) => TEXT.slice(start, end);

describe('resizeRange (C-066)', () => {
  it('includes the whole word under the pointer, in the mode of the project', () => {
    const ines = at('Ines');
    expect(slice(resizeRange(TEXT, ines, 'end', TEXT.indexOf('for-'), 'space-or-punctuation'))).toBe('Ines Okafor-Lund');
    expect(slice(resizeRange(TEXT, ines, 'end', TEXT.indexOf('for-'), 'none'))).toBe('Ines Oka');
    expect(slice(resizeRange(TEXT, at('Halden'), 'start', TEXT.indexOf('poke'), 'space'))).toBe('spoke in Halden');
  });

  it('shrinks to the word under the pointer and keeps the other edge', () => {
    const partly = { start: 2, end: TEXT.indexOf(' spoke') };
    expect(slice(resizeRange(TEXT, partly, 'end', 3, 'space-or-punctuation'))).toBe('es');
    expect(resizeRange(TEXT, partly, 'end', TEXT.indexOf('Okafor'), 'space-or-punctuation')).toEqual({ start: 2, end: 4 });
  });

  it('never crosses the other edge and never splits an emoji', () => {
    const emoji = at('👩🏿‍🚒');
    expect(resizeRange(TEXT, emoji, 'end', 0, 'none')).toEqual(emoji);
    expect(resizeRange(TEXT, emoji, 'start', emoji.start + 3, 'none')).toEqual(emoji);
    expect(slice(resizeRange(TEXT, at('Ines'), 'end', emoji.start + 2, 'none'))).toBe('Ines Okafor-Lund 👩🏿‍🚒');
  });

  it('for any drag, keeps the other edge and puts the dragged one between graphemes', () => {
    const text = fc.stringMatching(/^[a-z ,.😀é\u0301]{2,40}$/u).filter((value) => /[a-z]/u.test(value));
    const cases = fc.record({ text, a: fc.nat(60), b: fc.nat(60), to: fc.nat(60), mode: fc.constantFrom(...EXTENSIONS) });
    fc.assert(
      fc.property(cases, fc.constantFrom('start' as const, 'end' as const), ({ text: value, a, b, to, mode }, edge) => {
        const start = snapDown(value, Math.min(a, b) % value.length);
        const range = { start, end: snapUp(value, Math.min(value.length, Math.max(start + 1, Math.max(a, b) % value.length))) };
        const found = resizeRange(value, range, edge, Math.min(to, value.length), mode);
        expect(found.start).toBeLessThan(found.end);
        if (edge === 'end') expect(found.start).toBe(range.start);
        else expect(found.end).toBe(range.end);
        expect(snapDown(value, found.start)).toBe(found.start);
        expect(snapUp(value, found.end)).toBe(found.end);
      }),
    );
  });
});

describe('moveRange', () => {
  it('moves a range, snapped at its new position, never outside the text', () => {
    const halden = at('Halden');
    expect(slice(moveRange(TEXT, halden, TEXT.indexOf('spoke') - halden.start, 'space-or-punctuation'))).toBe('spoke');
    expect(slice(moveRange(TEXT, halden, 1000, 'none'))).toBe('early.');
    expect(moveRange(TEXT, halden, 0, 'none')).toBe(halden);
  });
});
