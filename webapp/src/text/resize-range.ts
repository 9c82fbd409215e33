/** A range whose end is dragged, or that is moved as a whole: the same snapping as a selection, and never empty. Offsets are UTF-16. */
import { extendSelection } from './extend-selection';
import type { SelectionExtension, TextRange } from './extend-selection';
import { nextGrapheme, previousGrapheme, snapRange } from './graphemes';

export type Edge = 'start' | 'end';

/**
 * The range with one edge dragged to `offset`. The other edge stays exactly where it was, also where it does not lie on a word; the edges never
 * pass each other. Where only white space would be left, the range stays as it is.
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

/** The range carried along by `distance`, kept inside the text, snapped at its new place. */
export function moveRange(text: string, range: TextRange, distance: number, mode: SelectionExtension): TextRange {
  const length = range.end - range.start;
  const start = Math.min(Math.max(0, range.start + distance), text.length - length);
  if (start === range.start) return range;
  return extendSelection(text, snapRange(text, start, start + length), mode) ?? range;
}
