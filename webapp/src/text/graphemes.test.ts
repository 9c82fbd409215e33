import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { graphemeAt, nextGrapheme, previousGrapheme, snapDown, snapRange, snapUp } from './graphemes';

function boundaries(text: string): Set<number> {
  const found = new Set<number>([0, text.length]);
  for (const { index } of new Intl.Segmenter().segment(text)) found.add(index);
  return found;
}

const SAMPLES = [
  'a',
  'B1',
  ' ',
  '\n',
  '\r\n',
  '\t',
  '.',
  'é',
  'e\u0301',
  '👨‍👩‍👧‍👦',
  '🇫🇷',
  '🇩',
  '👍🏽',
  'नि',
  'क्षि',
  'ก็',
  'ำ',
  'ل\u0651',
  '\u200d',
  '\u200b',
  '中',
  '한',
  '\u1100\u1161',
  'Z\u0335\u0334\u0301',
];
const hardText = fc.array(fc.constantFrom(...SAMPLES), { maxLength: 60 }).map((pieces) => pieces.join(''));

describe('snapping', () => {
  it('returns the boundaries of the whole text although it only segments a window', () => {
    fc.assert(
      fc.property(hardText, (text) => {
        const expected = boundaries(text);
        for (let at = 0; at <= text.length; at += 1) {
          expect(snapDown(text, at)).toBe(Math.max(...[...expected].filter((edge) => edge <= at)));
          expect(snapUp(text, at)).toBe(Math.min(...[...expected].filter((edge) => edge >= at)));
        }
      }),
      { numRuns: 150 },
    );
  });

  it('does not split flags in a long sequence of flags', () => {
    const text = '🇫🇷'.repeat(300);
    expect(graphemeAt(text, 402)).toEqual({ start: 400, end: 404 });
  });

  it('does not split a cluster longer than the window', () => {
    const text = `ab e${'\u0301'.repeat(500)} cd`;
    expect(graphemeAt(text, 300)).toEqual({ start: 3, end: 504 });
  });

  it('never splits a pair, a ZWJ emoji or a combining mark', () => {
    const text = 'x👨‍👩‍👧e\u0301y';
    const range = snapRange(text, 10, 2);
    expect(text.slice(range.start, range.end)).toBe('👨‍👩‍👧e\u0301');
  });

  it('steps by clusters', () => {
    const text = 'a👍🏽b';
    expect(nextGrapheme(text, 1)).toBe(5);
    expect(previousGrapheme(text, 5)).toBe(1);
    expect(previousGrapheme(text, 0)).toBe(0);
    expect(nextGrapheme(text, text.length)).toBe(text.length);
  });
});
