/** Ranges with a dragged edge, or moved as a whole: snapped like a selection, and never empty. Offsets are UTF-16. */
import { extendSelection } from './extend-selection';
import type { SelectionExtension, TextRange } from './extend-selection';
import { nextGrapheme, previousGrapheme, snapRange } from './graphemes';

export type Edge = 'start' | 'end';

/**
 * The range with one edge dragged to `offset`. The other edge stays exactly where it is, even inside a word; the edges never cross. If only
 * white space would be left, the range is unchanged.
 */
export function resizeRange(text: string, range: TextRange, edge: Edge, offset: number, mode: SelectionExtension): TextRange {
  const { start, end } = range;
  if (edge === 'end') {
    const wanted = extendSelection(text, { start, end: Math.max(offset, nextGrapheme(text, start)) }, mode);
    return wanted === undefined || wanted.end <= start ? range : { start, end: wanted.end };
  }
  const wanted = extendSelection(text, { start: Math.min(offset, previousGrapheme(text, end)), end }, mode);
  return wanted === undefined || wanted.start >= end ? range : { start: wanted.start, end };
}

/** The range moved by `distance`, kept inside the text and snapped at its new position. */
export function moveRange(text: string, range: TextRange, distance: number, mode: SelectionExtension): TextRange {
  const length = range.end - range.start;
  const start = Math.min(Math.max(0, range.start + distance), text.length - length);
  if (start === range.start) return range;
  return extendSelection(text, snapRange(text, start, start + length), mode) ?? range;
}
