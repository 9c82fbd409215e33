// @vitest-environment node
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createGroupCache, assignSpanLanes, splitRuns } from './span-runs';
import type { LaneSpan } from './span-runs';

const LENGTH = 120;
const spans = fc
  .array(fc.tuple(fc.nat(LENGTH), fc.nat(LENGTH)), { maxLength: 25 })
  .map((pairs): LaneSpan[] => pairs.map(([a, b], n) => ({ id: `s${String(n)}`, start: Math.min(a, b), end: Math.max(a, b) })));
const text = Array.from({ length: LENGTH }, (_, n) => String.fromCharCode(97 + (n % 26))).join('');

describe('splitRuns', () => {
  it('returns runs whose texts concatenate to the document', () => {
    fc.assert(
      fc.property(spans, fc.array(fc.nat(LENGTH), { maxLength: 6 }), (all, cuts) => {
        const runs = splitRuns(0, LENGTH, assignSpanLanes(all), cuts);
        expect(runs.map((run) => text.slice(run.start, run.end)).join('')).toBe(text);
        expect(runs.every((run) => run.start < run.end)).toBe(true);
      }),
    );
  });

  it('covers exactly [start, end) of every span, with one first and one last run', () => {
    fc.assert(
      fc.property(spans, (all) => {
        const runs = splitRuns(0, LENGTH, assignSpanLanes(all));
        for (const span of all.filter(({ start, end }) => start < end)) {
          const own = runs.filter((run) => run.covers.some((cover) => cover.span.id === span.id));
          expect(own[0]?.start).toBe(span.start);
          expect(own.at(-1)?.end).toBe(span.end);
          expect(own.reduce((sum, run) => sum + run.end - run.start, 0)).toBe(span.end - span.start);
          const covers = own.flatMap((run) => run.covers.filter((cover) => cover.span.id === span.id));
          expect(covers.filter((cover) => cover.first)).toHaveLength(1);
          expect(covers.filter((cover) => cover.last)).toHaveLength(1);
        }
      }),
    );
  });

  it('returns the same covers when split by rows', () => {
    fc.assert(
      fc.property(spans, fc.nat(LENGTH), (all, middle) => {
        const placed = assignSpanLanes(all);
        const halves = [...splitRuns(0, middle, placed), ...splitRuns(middle, LENGTH, placed)];
        expect(halves).toEqual(splitRuns(0, LENGTH, placed, [middle]));
      }),
    );
  });
});

describe('assignSpanLanes', () => {
  it('returns the same with a cache, and the same objects for unchanged groups', () => {
    fc.assert(
      fc.property(spans, fc.nat(24), fc.nat(LENGTH), (all, at, end) => {
        const known = createGroupCache<LaneSpan>();
        const before = assignSpanLanes(all, known);
        expect(before).toEqual(assignSpanLanes(all));
        const changed = all.map((span, n) => (n === at ? { ...span, end: Math.max(span.start, end) } : span));
        const after = assignSpanLanes(changed, known);
        expect(after).toEqual(assignSpanLanes(changed));
        expect(assignSpanLanes(changed, known).every((placed, n) => placed === after[n])).toBe(true);
      }),
    );
  });

  it('never lets two overlapping spans share a lane, and keeps inner above outer', () => {
    fc.assert(
      fc.property(spans, (all) => {
        const placed = assignSpanLanes(all);
        for (const a of placed) {
          for (const b of placed) {
            if (a === b || a.span.end <= b.span.start || b.span.end <= a.span.start) continue;
            expect(a.lane).not.toBe(b.lane);
            const inside = a.span.start >= b.span.start && a.span.end <= b.span.end;
            if (inside && a.span.end - a.span.start < b.span.end - b.span.start) expect(a.lane).toBeLessThan(b.lane);
          }
        }
      }),
    );
  });

  it('computes the crossing example of the foundations picture', () => {
    const placed = assignSpanLanes([
      { id: 'law', start: 10, end: 30 },
      { id: 'evt', start: 26, end: 37 },
    ]);
    expect(placed.map(({ span, lane }) => [span.id, lane])).toEqual([
      ['law', 1],
      ['evt', 0],
    ]);
    expect(splitRuns(0, 40, placed).map((run) => run.covers.map((cover) => cover.span.id))).toEqual([
      [],
      ['law'],
      ['evt', 'law'],
      ['evt'],
      [],
    ]);
  });

  it('ignores empty spans and reuses a lane once it is free', () => {
    const placed = assignSpanLanes([
      { id: 'a', start: 0, end: 4 },
      { id: 'b', start: 4, end: 9 },
      { id: 'none', start: 3, end: 3 },
    ]);
    expect(placed.map(({ lane }) => lane)).toEqual([0, 0]);
  });

  it('assigns two lanes to two equal spans', () => {
    const placed = assignSpanLanes([
      { id: 'b', start: 2, end: 8 },
      { id: 'a', start: 2, end: 8 },
    ]);
    expect(new Map(placed.map(({ span, lane }) => [span.id, lane]))).toEqual(
      new Map([
        ['a', 0],
        ['b', 1],
      ]),
    );
  });
});
