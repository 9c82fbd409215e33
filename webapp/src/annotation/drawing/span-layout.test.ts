// @vitest-environment node
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildRows } from '@/text/rows';
import { assignSpanLanes } from '@/text/span-runs';
import type { Span } from '@/annotation/model';
import { createSpanLayout, compareReadingOrder } from './span-layout';
import { span } from '@/annotation/testing/fixtures';

const LENGTH = 5000;
const rows = buildRows('x'.repeat(LENGTH), []);
const anySpan = fc
  .tuple(fc.integer({ min: 0, max: LENGTH - 1 }), fc.integer({ min: 0, max: 1200 }), fc.nat())
  .map(([start, length, id]) => span(`s${String(id)}`, start, Math.min(LENGTH, start + length)));

/** The content of each row when all spans are laid out together. */
function placedAtOnce(spans: readonly Span[]) {
  const all = assignSpanLanes([...spans].sort(compareReadingOrder));
  return rows.map((row) => all.filter((item) => item.span.start < row.end && item.span.end > row.start));
}

describe('span layout', () => {
  it('shows in each row the same as a layout of all spans, after any changes', () => {
    const change = fc.record({ remove: fc.nat({ max: 30 }), add: fc.array(anySpan, { maxLength: 3 }), front: fc.boolean() });
    fc.assert(
      fc.property(
        fc.uniqueArray(anySpan, { selector: ({ id }) => id, maxLength: 40 }),
        fc.array(change, { maxLength: 5 }),
        (first, changes) => {
          const layOut = createSpanLayout();
          let spans: readonly Span[] = first;
          for (const { remove, add, front } of [undefined, ...changes].map((one) => one ?? { remove: 99, add: [], front: false })) {
            const left = spans.filter((one, at) => at !== remove && !add.some(({ id }) => id === one.id));
            const unique = add.filter(({ id }, at) => add.findIndex((other) => other.id === id) === at);
            spans = front ? [...unique, ...left] : [...left, ...unique];
            const { ordered, inRow } = layOut(spans, rows);
            expect(ordered).toEqual([...spans].sort(compareReadingOrder));
            expect(rows.map((row) => inRow(row).map(({ span: one, lane }) => ({ span: one, lane })))).toEqual(placedAtOnce(spans));
          }
        },
      ),
    );
  });

  it('returns the same arrays for untouched rows when one span is added', () => {
    const layOut = createSpanLayout();
    const spans = rows.map((row) => span(`s${String(row.index)}`, row.start + 5, row.start + 15));
    const before = rows.map(layOut(spans, rows).inRow);
    const again = [...spans.map((item) => ({ ...item })), span('new', rows[2]!.start + 10, rows[2]!.start + 30)];
    const after = rows.map(layOut(again, rows).inRow);
    expect(after.map((list, at) => list === before[at])).toEqual(rows.map(({ index }) => index !== 2));
  });

  it('adds a span that crosses rows to each of them under one id', () => {
    const { inRow } = createSpanLayout()([span('long', 900, 2100)], rows);
    expect(rows.map((row) => inRow(row).map((item) => item.span.id))).toEqual([['long'], ['long'], ['long'], [], []]);
  });

  it('orders spans by start, outer first', () => {
    const { ordered } = createSpanLayout()([span('b', 5, 9), span('inner', 0, 2), span('outer', 0, 9)], rows);
    expect(ordered.map(({ id }) => id)).toEqual(['outer', 'inner', 'b']);
  });

  it('reports the room before the next span of the lane', () => {
    const { inRow } = createSpanLayout()([span('short', 0, 6), span('outer', 0, 20), span('next', 7, 12), span('far', 60, 70)], rows);
    expect(inRow(rows[0]!).map(({ span: { id }, room }) => [id, room])).toEqual([
      ['outer', undefined],
      ['short', 7],
      ['next', undefined],
      ['far', undefined],
    ]);
  });
});
