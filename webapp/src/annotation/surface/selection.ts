/** The selection of the surface, stored in the model; virtual rows would lose the native one. */
import { extendSelection } from '@/text/extend-selection';
import type { SelectionExtension } from '@/text/extend-selection';
import { snapRange } from '@/text/graphemes';
import type { TextRange } from '@/annotation/model';

export interface SelectionState {
  /** Where it started and where it is now: ranges, so that a word or a sentence can be the unit. */
  readonly anchor: TextRange;
  readonly head: TextRange;
  /** The selected range, after snapping and extension. */
  readonly range: TextRange;
  readonly dragging: boolean;
  readonly by: 'pointer' | 'keyboard';
}

function hull(a: TextRange, b: TextRange): TextRange {
  return { start: Math.min(a.start, b.start), end: Math.max(a.end, b.end) };
}

/** Selection by pointer between two positions; undefined when there is nothing to annotate. */
export function pointerSelection(
  text: string,
  anchor: TextRange,
  head: TextRange,
  mode: SelectionExtension,
  dragging: boolean,
): SelectionState | undefined {
  const range = extendSelection(text, hull(anchor, head), mode);
  return range && { anchor, head, range, dragging, by: 'pointer' };
}

/** Selection by keyboard: whole tokens, as the caret moves; without extension, as the user sees each token being added. */
export function keyboardSelection(text: string, anchor: TextRange, head: TextRange): SelectionState {
  const { start, end } = hull(anchor, head);
  return { anchor, head, range: snapRange(text, start, end), dragging: false, by: 'keyboard' };
}
