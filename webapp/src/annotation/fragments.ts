/** Discontinuous spans: one annotation with several fragments. Pure; offsets are UTF-16. A continuous span has no `fragments`. */
import type { TextRange } from './model';

/** From the start of the first fragment to the end of the last one. `fragments`: two or more, in order, not touching each other. */
export interface SpanExtent extends TextRange {
  readonly fragments?: readonly TextRange[] | undefined;
}

export const fragmentsOf = (extent: SpanExtent): readonly TextRange[] => extent.fragments ?? [{ start: extent.start, end: extent.end }];

/** Sorts the ranges and merges those that overlap or touch. Undefined for an empty list. */
export function mergeIntoExtent(ranges: readonly TextRange[]): SpanExtent | undefined {
  const fragments: TextRange[] = [];
  for (const { start, end } of [...ranges].sort((a, b) => a.start - b.start)) {
    if (start >= end) continue;
    const last = fragments.at(-1);
    if (last === undefined || start > last.end) fragments.push({ start, end });
    else fragments[fragments.length - 1] = { start: last.start, end: Math.max(last.end, end) };
  }
  const [first, last] = [fragments[0], fragments.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  return { start: first.start, end: last.end, fragments: fragments.length > 1 ? fragments : undefined };
}

export const withFragment = (extent: SpanExtent, piece: TextRange): SpanExtent =>
  mergeIntoExtent([...fragmentsOf(extent), piece]) ?? extent;

/** The last remaining fragment is not removed: that would remove the annotation. */
export function withoutFragment(extent: SpanExtent, at: number): SpanExtent {
  return mergeIntoExtent(fragmentsOf(extent).filter((_, index) => index !== at)) ?? extent;
}

/** The extent with other ends for one fragment. */
export function extentWithFragmentReplaced(extent: SpanExtent, at: number, piece: TextRange): SpanExtent {
  return mergeIntoExtent(fragmentsOf(extent).map((known, index) => (index === at ? piece : known))) ?? extent;
}

/** Index of the fragment that contains the offset; -1 in a gap. */
export const fragmentIndexAt = (extent: SpanExtent, offset: number): number =>
  fragmentsOf(extent).findIndex(({ start, end }) => offset >= start && offset < end);

export const extentOverlapsRange = (extent: SpanExtent, range: TextRange): boolean =>
  fragmentsOf(extent).some(({ start, end }) => start < range.end && end > range.start);

export function sameExtent(a: SpanExtent, b: SpanExtent): boolean {
  const [ours, theirs] = [fragmentsOf(a), fragmentsOf(b)];
  return ours.length === theirs.length && ours.every(({ start, end }, at) => start === theirs[at]?.start && end === theirs[at].end);
}

/** The text of the fragments, without the text between them. */
export const textOfExtent = (text: string, extent: SpanExtent): string =>
  fragmentsOf(extent)
    .map(({ start, end }) => text.slice(start, end))
    .join(' … ');
