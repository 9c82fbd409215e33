import { describe, expect, it } from 'vitest';
import { contrast, oklchOf } from './colour';
import { COMMON_RESULT_COLOURS, commonResultColours } from './common-result-colours';
import { NEUTRALS } from './tokens';

const HUES = ['green', 'lime', 'yellow', 'amber', 'orange'];
const MODES = ['light', 'dark'] as const;

describe('colours of common results', () => {
  it('C-037 five: green, lime, yellow, amber, orange; light ones in the light mode, dark ones in the dark mode', () => {
    expect(COMMON_RESULT_COLOURS.light).toEqual(['#A5D6A7', '#E6EE9C', '#FFF59D', '#FFE082', '#FFCC80']);
    expect(COMMON_RESULT_COLOURS.dark).toEqual(['#2E7D32', '#9E9D24', '#F9A825', '#FF8F00', '#EF6C00']);
    for (const mode of MODES) {
      const degrees = COMMON_RESULT_COLOURS[mode].map((colour) => oklchOf(colour).h);
      // From green to orange: each is nearer to red than the one before.
      expect(degrees).toEqual([...degrees].sort((one, other) => other - one));
      expect(degrees).toHaveLength(HUES.length);
    }
    HUES.forEach((hue, place) => {
      const [light, dark] = MODES.map((mode) => oklchOf(COMMON_RESULT_COLOURS[mode][place] ?? '').l);
      expect(light, hue).toBeGreaterThan(dark ?? 1);
    });
    expect(commonResultColours('light', HUES.length)).toBeUndefined();
    expect(commonResultColours('light', -1)).toBeUndefined();
  });

  it.each(MODES)('text on them has a contrast of at least 4.5 (%s)', (mode) => {
    HUES.forEach((hue, place) => {
      const colours = commonResultColours(mode, place);
      if (colours === undefined) throw new Error(hue);
      expect(contrast(colours.ink, colours.solid), `${hue}: chip`).toBeGreaterThanOrEqual(4.5);
      expect(contrast(NEUTRALS[mode].text, colours.tint), `${hue}: row`).toBeGreaterThanOrEqual(4.5);
      expect(contrast(NEUTRALS[mode].hitText, NEUTRALS[mode].hit)).toBeGreaterThanOrEqual(4.5);
    });
  });
});
