/** Distributes spans and hits to rows. A row with unchanged content keeps its array, so its memoised component does not render. */
import { rowIndexAt } from '@/text/rows';
import type { Row } from '@/text/rows';
import type { PlacedInLane } from '@/text/span-runs';
import { sameExtent } from '@/annotation/fragments';
import type { SearchHit, SentenceCategory, Span, TextRange } from '@/annotation/model';

export type PlacedSpan = PlacedInLane<Span>;
export type ItemsByRow<T> = ReadonlyMap<number, readonly T[]>;

const SPAN_FIELDS = ['id', 'start', 'end', 'label', 'status', 'score', 'creator', 'change'] as const;

const sameFragments = (a: Span, b: Span): boolean => a.fragments === b.fragments || sameExtent(a, b);

export function samePlaced(a: PlacedSpan, b: PlacedSpan): boolean {
  if (a.lane !== b.lane || a.room !== b.room) return false;
  return a.span === b.span || (SPAN_FIELDS.every((field) => a.span[field] === b.span[field]) && sameFragments(a.span, b.span));
}

function sameRange(a: SearchHit, b: SearchHit): boolean {
  return a.start === b.start && a.end === b.end && a.current === b.current;
}

function containsOffset(row: Row | undefined, offset: number): boolean {
  return row !== undefined && offset >= row.start && offset < row.end;
}

function distributeToRows<T>(
  rows: readonly Row[],
  items: readonly T[],
  rangeOf: (item: T) => TextRange,
  same: (a: T, b: T) => boolean,
  previous: ItemsByRow<T> | undefined,
): ItemsByRow<T> {
  const map = new Map<number, T[]>();
  let first = 0;
  for (const item of items) {
    const { start, end } = rangeOf(item);
    // Items are usually sorted by start, so the row is that of the previous item or soon after it.
    if (!containsOffset(rows[first], start)) first = Math.max(0, rowIndexAt(rows, start));
    for (let at = first; at < rows.length && (rows[at]?.start ?? end) < end; at += 1) {
      const known = map.get(at);
      if (known === undefined) map.set(at, [item]);
      else known.push(item);
    }
  }
  if (previous === undefined) return map;
  const kept = new Map<number, readonly T[]>();
  for (const [at, list] of map) {
    const before = previous.get(at);
    const unchanged = before?.length === list.length && list.every((item, n) => same(item, before[n] as T));
    kept.set(at, unchanged ? (before as readonly T[]) : list);
  }
  return kept;
}

export function rangesByRow<T extends SearchHit>(rows: readonly Row[], ranges: readonly T[], previous?: ItemsByRow<T>): ItemsByRow<T> {
  return distributeToRows(rows, ranges, (range) => range, sameRange, previous);
}

const CATEGORY_FIELDS = ['start', 'end', 'label', 'score', 'suggested', 'others'] as const;

function sameCategory(a: SentenceCategory, b: SentenceCategory): boolean {
  return CATEGORY_FIELDS.every((field) => a[field] === b[field]);
}

export function categoriesByRow(
  rows: readonly Row[],
  categories: readonly SentenceCategory[],
  previous?: ItemsByRow<SentenceCategory>,
): ItemsByRow<SentenceCategory> {
  return distributeToRows(rows, categories, (category) => category, sameCategory, previous);
}

/** Distributes items and caches the result, so that unchanged rows get the same array again. */
export function createCachedRowDistribution<T>(
  share: (rows: readonly Row[], items: readonly T[], previous?: ItemsByRow<T>) => ItemsByRow<T>,
): (rows: readonly Row[], items: readonly T[]) => ItemsByRow<T> {
  let known: ItemsByRow<T> | undefined;
  let knownRows: readonly Row[] | undefined;
  return (rows, items) => {
    known = share(rows, items, rows === knownRows ? known : undefined);
    knownRows = rows;
    return known;
  };
}

/** The next span outwards for a repeated click, or the smallest again after the outermost. `ids` are sorted smallest first. */
export function nextSpanOutward(ids: readonly string[], current: string | undefined): string | undefined {
  const at = current === undefined ? -1 : ids.indexOf(current);
  return ids[(at + 1) % Math.max(1, ids.length)];
}
