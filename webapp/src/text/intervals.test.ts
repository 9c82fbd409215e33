// @vitest-environment node
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildIntervalIndex } from './intervals';

const intervals = fc.array(
  fc.tuple(fc.nat(80), fc.nat(20)).map(([start, length]) => ({ start, end: start + length })),
  { maxLength: 40 },
);

describe('buildIntervalIndex', () => {
  it('finds the same as a full scan', () => {
    fc.assert(
      fc.property(intervals, fc.nat(100), fc.nat(30), (items, from, length) => {
        const to = from + length;
        const expected = items.filter((item) => item.start < item.end && item.start < to && item.end > from);
        const found = buildIntervalIndex(items).overlapping(from, to);
        expect(new Set(found)).toEqual(new Set(expected));
        expect(found).toHaveLength(expected.length);
      }),
    );
  });

  it('returns the smallest first at a position', () => {
    const outer = { start: 0, end: 20 };
    const inner = { start: 5, end: 9 };
    const index = buildIntervalIndex([outer, inner, { start: 9, end: 12 }]);
    expect(index.at(6)).toEqual([inner, outer]);
    expect(index.at(20)).toEqual([]);
  });
});
