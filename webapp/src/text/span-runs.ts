/**
 * Converts overlapping spans to flat runs. A run is a part of the text covered by the same spans and the same highlights. Lanes: the
 * shortest span first, each takes the first lane that is free over its whole range, so an inner span is always above the outer one.
 */
export interface LaneSpan {
  readonly id: string;
  readonly start: number;
  readonly end: number;
  /** Fragments of a discontinuous span, in order, not touching: it only covers these, but keeps its lane between them. */
  readonly fragments?: readonly { readonly start: number; readonly end: number }[] | undefined;
}

export interface PlacedInLane<T extends LaneSpan> {
  readonly span: T;
  /** 0 is the lane directly below the text. */
  readonly lane: number;
  /** Characters until the next span of its lane starts, if there are few: the space for its tag. */
  readonly room?: number | undefined;
}

export interface CoveringSpan<T extends LaneSpan> extends PlacedInLane<T> {
  /** The span starts with this run. */
  readonly first: boolean;
  /** The span ends with this run. */
  readonly last: boolean;
  /** A fragment starts or ends with this run; the same as `first` and `last` for a continuous span. */
  readonly fragmentFirst: boolean;
  readonly fragmentLast: boolean;
}

export interface Run<T extends LaneSpan> {
  readonly start: number;
  readonly end: number;
  /** Innermost (top lane) first; empty for plain text. */
  readonly covers: readonly CoveringSpan<T>[];
  /** Spans with a gap here: they continue after this run with another fragment. */
  readonly gapOf: readonly PlacedInLane<T>[];
}

function shortestFirst(a: LaneSpan, b: LaneSpan): number {
  return a.end - a.start - (b.end - b.start) || a.start - b.start || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

function outerFirst(a: LaneSpan, b: LaneSpan): number {
  return a.start - b.start || b.end - a.end;
}

/**
 * Lane of every non-empty span; spans that cross or nest never share one. Sorted by start, outer first. Lanes depend only on spans
 * connected by overlaps, so each such group is computed separately; `known` caches the groups of the last call. One more span costs its own
 * group and one pass over the others.
 */
export function assignSpanLanes<T extends LaneSpan>(spans: readonly T[], known?: GroupCache<T>): PlacedInLane<T>[] {
  const sorted = spans.filter((span) => span.start < span.end).sort(outerFirst);
  const placed: PlacedInLane<T>[] = [];
  let from = 0;
  let reach = -1;
  sorted.forEach((span, at) => {
    if (span.start >= reach && at > from) {
      for (const item of assignGroupLanes(sorted, from, at, known)) placed.push(item);
      from = at;
    }
    reach = Math.max(reach, span.end);
  });
  for (const item of assignGroupLanes(sorted, from, sorted.length, known)) placed.push(item);
  return placed;
}

/** Groups computed before, by their first span. Spans must be immutable. */
export type GroupCache<T extends LaneSpan> = WeakMap<T, { readonly members: readonly T[]; readonly placed: readonly PlacedInLane<T>[] }>;

export function createGroupCache<T extends LaneSpan>(): GroupCache<T> {
  return new WeakMap();
}

/** Lanes of one group: the spans [from, to) of a sorted list, which overlap each other and no other span. Empty ones get no lane. */
export function assignGroupLanes<T extends LaneSpan>(
  sorted: readonly T[],
  from: number,
  to: number,
  known?: GroupCache<T>,
): readonly PlacedInLane<T>[] {
  const first = sorted[from];
  if (first === undefined) return [];
  const before = known?.get(first);
  if (before?.members.length === to - from && before.members.every((span, at) => span === sorted[from + at])) return before.placed;
  const members = sorted.slice(from, to);
  const visible = members.filter(({ start, end }) => start < end);
  const [only] = visible;
  const placed = only !== undefined && visible.length === 1 ? [{ span: only, lane: 0 }] : assignOverlappingLanes(visible);
  known?.set(first, { members, placed });
  return placed;
}

function assignOverlappingLanes<T extends LaneSpan>(members: readonly T[]): PlacedInLane<T>[] {
  const lanes: LaneSpan[][] = [];
  const placed: PlacedInLane<T>[] = [];
  for (const span of [...members].sort(shortestFirst)) {
    let lane = 0;
    while (!tryInsert((lanes[lane] ??= []), span)) lane += 1;
    placed.push({ span, lane });
  }
  return placed.sort((a, b) => outerFirst(a.span, b.span) || b.lane - a.lane);
}

/** Inserts the span into the sorted, disjoint lane; returns false when the range is taken. */
function tryInsert(lane: LaneSpan[], span: LaneSpan): boolean {
  let low = 0;
  let high = lane.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((lane[middle]?.start ?? 0) < span.start) low = middle + 1;
    else high = middle;
  }
  const before = lane[low - 1];
  const after = lane[low];
  if ((before !== undefined && before.end > span.start) || (after !== undefined && after.start < span.end)) return false;
  lane.splice(low, 0, span);
  return true;
}

/**
 * Runs of [from, to): they are consecutive, cover the whole range and no run is empty. `cuts` are further split offsets (highlights). The
 * cost depends on the number of spans, so pass only those of the row.
 */
export function splitRuns<T extends LaneSpan>(
  from: number,
  to: number,
  placed: readonly PlacedInLane<T>[],
  cuts: readonly number[] = [],
): Run<T>[] {
  if (from >= to) return [];
  const inside = placed.filter(({ span }) => span.start < to && span.end > from);
  const edges = new Set<number>([from, to]);
  const add = (edge: number): void => {
    if (edge > from && edge < to) edges.add(edge);
  };
  for (const { span } of inside) {
    for (const { start, end } of span.fragments ?? [span]) {
      add(start);
      add(end);
    }
  }
  cuts.forEach(add);
  const sorted = [...edges].sort((a, b) => a - b);
  const runs: Run<T>[] = [];
  for (let at = 0; at + 1 < sorted.length; at += 1) {
    const start = sorted[at] ?? from;
    const end = sorted[at + 1] ?? to;
    runs.push({ start, end, ...coversOf(start, end, inside) });
  }
  return runs;
}

function coversOf<T extends LaneSpan>(start: number, end: number, placed: readonly PlacedInLane<T>[]): Pick<Run<T>, 'covers' | 'gapOf'> {
  const covers: CoveringSpan<T>[] = [];
  const gapOf: PlacedInLane<T>[] = [];
  for (const item of placed) {
    const { span, lane, room } = item;
    if (span.start > start || span.end < end) continue;
    const piece = span.fragments === undefined ? span : span.fragments.find((one) => one.start <= start && one.end >= end);
    if (piece === undefined) gapOf.push(item);
    else {
      const [fragmentFirst, fragmentLast] = [piece.start === start, piece.end === end];
      covers.push({
        span,
        lane,
        first: span.start === start,
        last: span.end === end,
        fragmentFirst,
        fragmentLast,
        ...(room !== undefined && { room }),
      });
    }
  }
  return { covers: covers.sort((a, b) => a.lane - b.lane), gapOf };
}
