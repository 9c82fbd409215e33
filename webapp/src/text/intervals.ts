/** Search of half-open intervals by position: sorted by start, with the running maximum of the ends to stop early. */
export interface Interval {
  readonly start: number;
  readonly end: number;
}

export interface IntervalIndex<T extends Interval> {
  /** Sorted by start, then longest first. */
  readonly items: readonly T[];
  /** Items sharing at least one unit with [start, end). */
  overlapping(start: number, end: number): T[];
  /** Items that contain the unit at `offset`, smallest first. */
  at(offset: number): T[];
}

export function buildIntervalIndex<T extends Interval>(source: readonly T[]): IntervalIndex<T> {
  const items = [...source].sort((a, b) => a.start - b.start || b.end - a.end);
  const highest: number[] = [];
  let reach = -1;
  for (const item of items) {
    reach = Math.max(reach, item.end);
    highest.push(reach);
  }
  const overlapping = (start: number, end: number): T[] => {
    const found: T[] = [];
    for (let at = countBefore(items, end) - 1; at >= 0 && (highest[at] ?? 0) > start; at -= 1) {
      const item = items[at];
      if (item !== undefined && item.end > start && item.start < item.end) found.push(item);
    }
    return found.reverse();
  };
  return {
    items,
    overlapping,
    at: (offset) => overlapping(offset, offset + 1).sort((a, b) => a.end - a.start - (b.end - b.start) || a.start - b.start),
  };
}

/** Number of items whose start is before `position` (binary search). */
export function countBefore(items: readonly Interval[], position: number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item !== undefined && item.start < position) low = middle + 1;
    else high = middle;
  }
  return low;
}
