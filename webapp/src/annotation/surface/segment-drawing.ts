/** Drawing state of segments in cards, both editable and read-only. */
import { useId, useMemo } from 'react';
import { textDirection } from '@/text/direction';
import type { SelectionExtension } from '@/text/extend-selection';
import type { Row } from '@/text/rows';
import { assignSpanLanes } from '@/text/span-runs';
import { useAppearance } from '@/annotation/drawing/label-style';
import type { Span, TextRange } from '@/annotation/model';
import type { RelationProps } from '@/annotation/relations/relations';
import { compareReadingOrder } from '@/annotation/drawing/span-layout';
import { useAnnotationStrings } from '@/annotation/strings';
import type { DrawContext } from '@/annotation/drawing/text-block';
import type { RenderPicker, SurfaceActions } from './surface-types';

export interface SegmentTextProps extends Partial<SurfaceActions> {
  readonly text: string;
  readonly spans: readonly Span[];
  readonly hits?: readonly TextRange[] | undefined;
  readonly language?: string | undefined;
  readonly focusedId?: string | undefined;
  readonly extension?: SelectionExtension | undefined;
  /** Absent: the text is read-only, with native selection, no caret, and not in the tab order. */
  readonly renderPicker?: RenderPicker | undefined;
  readonly name?: string | undefined;
  /** Converts a range to code points of the document. */
  readonly characters?: ((range: TextRange) => TextRange) | undefined;
  /** Relations between the spans; absent: none are drawn or created. */
  readonly relations?: RelationProps | undefined;
  /** Reading size in px, 14 by default. */
  readonly size?: number | undefined;
}

export const RESULT_SIZE = 14;
export const NO_SELECTION = { selectionStart: -1, selectionEnd: -1, caretStart: -1, caretEnd: -1 };

/** The text as one row with one block, for the layout of relation arcs. */
function singleRowOfText({ length }: string): Row {
  return { index: 0, start: 0, end: length, blocks: [{ start: 0, end: length, textEnd: length, number: undefined, segment: 0 }] };
}

export function useSegmentDrawing({ text, spans }: Pick<SegmentTextProps, 'text' | 'spans'>) {
  const appearance = useAppearance();
  const strings = useAnnotationStrings();
  const idPrefix = useId();
  const direction = useMemo(() => textDirection(text), [text]);
  const placed = useMemo(() => assignSpanLanes(spans), [spans]);
  const ordered = useMemo(() => [...spans].sort(compareReadingOrder), [spans]);
  const row = useMemo(() => singleRowOfText(text), [text]);
  const rtl = direction === 'rtl';
  const context = useMemo<DrawContext>(() => ({ appearance, strings, rtl, idPrefix }), [appearance, strings, rtl, idPrefix]);
  return { appearance, strings, direction, placed, ordered, row, context };
}
