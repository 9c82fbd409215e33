/** Discontinuous spans: one annotation of several pieces. Pure; offsets are UTF-16. A span of one piece has no `pieces`. */
import type { TextRange } from '../model';

/** From the start of the first piece to the end of the last one; `pieces`: two or more, in order, apart from each other. */
export interface Extent extends TextRange {
  readonly pieces?: readonly TextRange[] | undefined;
}

export const piecesOf = (extent: Extent): readonly TextRange[] => extent.pieces ?? [{ start: extent.start, end: extent.end }];

/** In order; pieces that overlap or touch become one. Undefined: nothing is left. */
export function extentOf(ranges: readonly TextRange[]): Extent | undefined {
  const pieces: TextRange[] = [];
  for (const { start, end } of [...ranges].sort((a, b) => a.start - b.start)) {
    if (start >= end) continue;
    const last = pieces.at(-1);
    if (last === undefined || start > last.end) pieces.push({ start, end });
    else pieces[pieces.length - 1] = { start: last.start, end: Math.max(last.end, end) };
  }
  const [first, last] = [pieces[0], pieces.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  return { start: first.start, end: last.end, pieces: pieces.length > 1 ? pieces : undefined };
}

export const withPiece = (extent: Extent, piece: TextRange): Extent => extentOf([...piecesOf(extent), piece]) ?? extent;

/** The last piece is not taken: that would be the annotation itself. */
export function withoutPiece(extent: Extent, at: number): Extent {
  return extentOf(piecesOf(extent).filter((_, index) => index !== at)) ?? extent;
}

/** One piece gets other ends. */
export function withPieceAt(extent: Extent, at: number, piece: TextRange): Extent {
  return extentOf(piecesOf(extent).map((known, index) => (index === at ? piece : known))) ?? extent;
}

/** The piece that holds the offset; -1 in a gap. */
export const pieceAt = (extent: Extent, offset: number): number =>
  piecesOf(extent).findIndex(({ start, end }) => offset >= start && offset < end);

export const touches = (extent: Extent, range: TextRange): boolean =>
  piecesOf(extent).some(({ start, end }) => start < range.end && end > range.start);

export function sameExtent(a: Extent, b: Extent): boolean {
  const [ours, theirs] = [piecesOf(a), piecesOf(b)];
  return ours.length === theirs.length && ours.every(({ start, end }, at) => start === theirs[at]?.start && end === theirs[at].end);
}

/** The words of the pieces, not what lies between them. */
export const textOfExtent = (text: string, extent: Extent): string =>
  piecesOf(extent)
    .map(({ start, end }) => text.slice(start, end))
    .join(' … ');
