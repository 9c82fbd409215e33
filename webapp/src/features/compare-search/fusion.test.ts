import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commonNumbers, fuseRankings, overlapAt, RANK_CONSTANT, TooFewResultSetsError } from './fusion';

const ids = fc.uniqueArray(fc.integer({ min: 0, max: 30 }).map(String), { maxLength: 25 });

describe('common results of two searches', () => {
  it('S-032, C-036 fuses by reciprocal ranks with the constant 60; the score is the average rank', () => {
    expect(RANK_CONSTANT).toBe(60);
    const found = fuseRankings([
      ['a', 'b', 'c', 'd'],
      ['b', 'x', 'a'],
    ]);
    expect(found.map(({ id, score, ranks }) => [id, score, ranks])).toEqual([
      ['b', 1.5, [2, 1]],
      ['a', 2, [1, 3]],
    ]);
    expect(found[0]?.fused).toBeCloseTo(1 / 62 + 1 / 61, 12);
  });

  it('S-032 has only results of both lists unless all are wanted', () => {
    const lists = [
      ['a', 'b'],
      ['c', 'b'],
    ];
    expect(fuseRankings(lists).map(({ id }) => id)).toEqual(['b']);
    const all = fuseRankings(lists, { onlyCommon: false });
    expect(all.map(({ id, score, ranks }) => [id, score, ranks])).toEqual([
      ['b', 2, [2, 2]],
      ['a', 1, [1, undefined]],
      ['c', 1, [undefined, 1]],
    ]);
    expect([...commonNumbers(all)]).toEqual([['b', 1]]);
  });

  it('V-035 fails with fewer than two result sets', () => {
    for (const lists of [[], [['a']]]) {
      expect(() => fuseRankings(lists)).toThrow(TooFewResultSetsError);
      expect(() => fuseRankings(lists)).toThrow('At least two search results are expected');
    }
    expect(fuseRankings([[], []])).toEqual([]);
  });

  it('for any two lists: the same results in the same order whichever comes first, each once, with its ranks', () => {
    fc.assert(
      fc.property(ids, ids, (one, other) => {
        const found = fuseRankings([one, other]);
        const swapped = fuseRankings([other, one]);
        expect(swapped.map(({ id, score }) => [id, score])).toEqual(found.map(({ id, score }) => [id, score]));
        expect(found.map(({ id }) => id).sort()).toEqual(one.filter((id) => other.includes(id)).sort());
        for (const { id, ranks, score } of found) {
          expect(ranks).toEqual([one.indexOf(id) + 1, other.indexOf(id) + 1]);
          expect(score).toBe(((ranks[0] ?? 0) + (ranks[1] ?? 0)) / 2);
        }
        for (let at = 1; at < found.length; at += 1) expect(found[at]?.fused).toBeLessThanOrEqual(found[at - 1]?.fused ?? 0);
      }),
    );
  });

  it('a list with itself keeps its order; all results contain the common ones, in their order', () => {
    fc.assert(
      fc.property(ids, ids, (one, other) => {
        expect(fuseRankings([one, one]).map(({ id }) => id)).toEqual(one);
        const all = fuseRankings([one, other], { onlyCommon: false });
        expect(all).toHaveLength(new Set([...one, ...other]).size);
        expect(all.filter(({ ranks }) => !ranks.includes(undefined))).toEqual(fuseRankings([one, other]));
      }),
    );
  });

  it('counts an id that is listed twice once, at its first rank', () => {
    expect(
      fuseRankings([
        ['a', 'a', 'b'],
        ['b', 'a', 'b'],
      ]).map(({ ranks }) => ranks),
    ).toEqual([
      [1, 2],
      [3, 1],
    ]);
    expect(overlapAt(['a', 'a'], ['a', 'a'], 10)).toBe(1);
  });

  it('the overlap counts the first results only', () => {
    const one = Array.from({ length: 12 }, (_, n) => `s${n}`);
    expect(overlapAt(one, [...one].reverse(), 10)).toBe(8);
    expect(overlapAt(one, [], 10)).toBe(0);
    fc.assert(
      fc.property(ids, ids, fc.integer({ min: 0, max: 30 }), (a, b, depth) => {
        const shared = overlapAt(a, b, depth);
        expect(shared).toBe(overlapAt(b, a, depth));
        expect(shared).toBeLessThanOrEqual(Math.min(depth, a.length, b.length));
        expect(shared).toBeLessThanOrEqual(overlapAt(a, b, depth + 1));
      }),
    );
  });
});
