/**
 * The lanes of spans, computed only for requested rows. What depends on all spans (reading order, reach) is updated in a few cheap passes
 * after a change; lanes are assigned per group of overlapping spans, and only for groups that a drawn row touches.
 */
import { createGroupCache, assignGroupLanes } from '@/text/span-runs';
import type { GroupCache } from '@/text/span-runs';
import type { Row } from '@/text/rows';
import type { Span } from '@/annotation/model';
import { samePlaced } from './items-by-row';
import type { PlacedSpan } from './items-by-row';

export interface SpanLayout {
  /** Spans in reading order, which is the tab order. */
  readonly ordered: readonly Span[];
  /** Spans that touch a row, with their lanes, by start, outer first. An untouched row gets the same array again. */
  inRow(row: Row): readonly PlacedSpan[];
}

/** Creates the layout of one surface; it caches its previous result. */
export function createSpanLayout(): (spans: readonly Span[], rows: readonly Row[]) => SpanLayout {
  const groups = createGroupCache<Span>();
  let given: readonly Span[] = [];
  let ordered: readonly Span[] = [];
  let drawn = new Map<number, readonly PlacedSpan[]>();
  let drawnRows: readonly Row[] = [];
  return (spans, rows) => {
    ordered = updateReadingOrder(given, ordered, spans);
    given = spans;
    if (rows !== drawnRows) drawn = new Map();
    drawnRows = rows;
    return layOutSpans(ordered, groups, drawn);
  };
}

function layOutSpans(ordered: readonly Span[], groups: GroupCache<Span>, drawn: Map<number, readonly PlacedSpan[]>): SpanLayout {
  let reach: Int32Array | undefined;
  const known = new Map<number, readonly PlacedSpan[]>();
  return {
    ordered,
    inRow: (row) => {
      const again = known.get(row.index);
      if (again !== undefined) return again;
      reach ??= runningMaximumEnds(ordered);
      const found = placedSpansInRow(row, ordered, reach, groups);
      const before = drawn.get(row.index);
      const unchanged = before?.length === found.length && found.every((item, at) => samePlaced(item, before[at] as PlacedSpan));
      const list = unchanged ? (before as readonly PlacedSpan[]) : found;
      known.set(row.index, list);
      drawn.set(row.index, list);
      return list;
    },
  };
}

/** For each index, the greatest end of the spans up to and including it. */
function runningMaximumEnds(ordered: readonly Span[]): Int32Array {
  const reach = new Int32Array(ordered.length);
  let furthest = 0;
  for (let at = 0; at < ordered.length; at += 1) {
    const { end } = ordered[at] as Span;
    if (end > furthest) furthest = end;
    reach[at] = furthest;
  }
  return reach;
}

/** The first index for which `is` holds; it must hold for all later ones. */
function firstIndexWhere(length: number, is: (at: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (is(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function placedSpansInRow(row: Row, ordered: readonly Span[], reach: Int32Array, groups: GroupCache<Span>): readonly PlacedSpan[] {
  const startOf = (at: number): number => (ordered[at] as Span).start;
  const beginsGroup = (at: number): boolean => at === 0 || (reach[at - 1] as number) <= startOf(at);
  let from = firstIndexWhere(ordered.length, (at) => (reach[at] as number) > row.start);
  while (from < ordered.length && !beginsGroup(from)) from -= 1;
  const found: PlacedSpan[] = [];
  while (from < ordered.length && startOf(from) < row.end) {
    let to = from + 1;
    while (to < ordered.length && !beginsGroup(to)) to += 1;
    for (const item of assignGroupLanes(ordered, from, to, groups)) {
      if (item.span.start < row.end && item.span.end > row.start) found.push(item);
    }
    from = to;
  }
  return withRoomForTags(found);
}

/** Number of characters that is enough room for any tag. */
const PLENTY = 14;

/** Sets `room` on spans that are close to the next span of their lane. `found` is sorted by start. */
function withRoomForTags(found: readonly PlacedSpan[]): readonly PlacedSpan[] {
  const nextStart = new Map<number, number>();
  return found
    .toReversed()
    .map((item) => {
      const { span, lane } = item;
      const room = (nextStart.get(lane) ?? Infinity) - span.start;
      nextStart.set(lane, span.start);
      return room < PLENTY ? { ...item, room } : item;
    })
    .toReversed();
}

/** Outer first where two start together. */
export function compareReadingOrder(a: Span, b: Span): number {
  return a.start - b.start || b.end - a.end || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** With more changes than this all spans are sorted again. */
const FEW = 200;

/** The reading order of `next`, updated from that of `before`: an edit changes a few spans of tens of thousands. */
function updateReadingOrder(before: readonly Span[], ordered: readonly Span[], next: readonly Span[]): readonly Span[] {
  if (next === before) return ordered;
  const { gone, come } = changesBetween(before, next);
  if (gone.length + come.length > FEW) return [...next].sort(compareReadingOrder);
  const after = ordered.slice();
  for (const span of gone) {
    const at = firstIndexWhere(after.length, (index) => compareReadingOrder(after[index] as Span, span) >= 0);
    if (after[at] !== span) return [...next].sort(compareReadingOrder);
    after.splice(at, 1);
  }
  for (const span of come)
    after.splice(
      firstIndexWhere(after.length, (index) => compareReadingOrder(after[index] as Span, span) >= 0),
      0,
      span,
    );
  return after;
}

/** Compares by identity and index: skips the common start and end, and in between equal spans at the same index when the lengths match. */
function changesBetween(before: readonly Span[], next: readonly Span[]): { gone: readonly Span[]; come: readonly Span[] } {
  const shorter = Math.min(before.length, next.length);
  let start = 0;
  while (start < shorter && before[start] === next[start]) start += 1;
  let tail = 0;
  while (tail < shorter - start && before[before.length - 1 - tail] === next[next.length - 1 - tail]) tail += 1;
  const gone = before.slice(start, before.length - tail);
  const come = next.slice(start, next.length - tail);
  if (gone.length !== come.length) return { gone, come };
  return { gone: gone.filter((span, at) => span !== come[at]), come: come.filter((span, at) => span !== gone[at]) };
}
