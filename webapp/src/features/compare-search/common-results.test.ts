// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { commonColour, fuseResults, overlapAt, TooFewResultSetsError } from './common-results';

describe('S-032 the common results of two searches', () => {
  it('are ordered by reciprocal rank fusion with constant 60, their score is the average rank', () => {
    const fused = fuseResults([
      ['a', 'b', 'c', 'd', 'e', 'f'],
      ['a', 'c', 'e', 'x', 'b', 'f'],
    ]);
    expect(fused.map(({ id, ranks, score }) => [id, ...ranks, score])).toEqual([
      ['a', 1, 1, 1],
      ['c', 3, 2, 2.5],
      ['b', 2, 5, 3.5],
      ['e', 5, 3, 4],
      ['f', 6, 6, 6],
    ]);
  });

  it('prefer a very good rank to two middling ones, as the constant weighs it', () => {
    const far = Array.from({ length: 9 }, (_, index) => `n${index}`);
    // 1/61 + 1/71 = .0305; 1/66 + 1/66 = .0303, although the averages are 6 and 6.
    const fused = fuseResults([
      ['top', 'p', 'q', 'r', 's', 'even'],
      [...far.slice(0, 5), 'even', ...far.slice(5), 'top'],
    ]);
    expect(fused.map(({ id, score }) => [id, score])).toEqual([
      ['top', 6],
      ['even', 6],
    ]);
  });

  it('are only those of both lists, unless all are asked for', () => {
    const sets = [
      ['a', 'b'],
      ['b', 'c'],
    ];
    expect(fuseResults(sets).map(({ id }) => id)).toEqual(['b']);
    expect(fuseResults(sets, false)).toEqual([
      { id: 'b', ranks: [2, 1], score: 1.5 },
      { id: 'a', ranks: [1, undefined], score: 1 },
      { id: 'c', ranks: [undefined, 2], score: 2 },
    ]);
  });

  it('overlap among the first ten', () => {
    const ids = Array.from({ length: 12 }, (_, index) => `s${index}`);
    expect(overlapAt([ids, ids])).toBe(10);
    expect(overlapAt([ids, [...ids].reverse()])).toBe(8);
    expect(overlapAt([ids, []])).toBe(0);
  });
});

it('V-035 ranking needs at least two result sets', () => {
  for (const sets of [[], [['a']]]) expect(() => fuseResults(sets)).toThrow(TooFewResultSetsError);
  expect(() => fuseResults([['a']])).toThrow('At least two search results are expected');
  expect(fuseResults([[], []])).toEqual([]);
});

it('C-037 five colours: green, lime, yellow, amber, orange; darker in the dark theme', () => {
  const colours = (mode: 'light' | 'dark') => [1, 2, 3, 4, 5].map((place) => commonColour(place, mode)?.background);
  expect(colours('light')).toEqual(['#A5D6A7', '#E6EE9C', '#FFF59D', '#FFE082', '#FFCC80']);
  expect(colours('dark')).toEqual(['#2E7D32', '#9E9D24', '#F9A825', '#FF8F00', '#EF6C00']);
  expect(commonColour(6, 'light')).toBeUndefined();
});
