/** Dragging an end of a span, or its tag: the span is drawn where it would go; nothing is saved before the button is released. */
import { useMemo, useState } from 'react';
import type { SelectionExtension } from '@/text/extend-selection';
import { moveRange, resizeRange } from '@/text/resize-range';
import type { Edge } from '@/text/resize-range';
import { fragmentsOf, sameExtent, extentWithFragmentReplaced } from '@/annotation/fragments';
import type { SpanExtent } from '@/annotation/fragments';
import type { Span } from '@/annotation/model';

/** What of a span the pointer took hold of; the whole span by its tag. */
export interface SpanHandle {
  readonly id: string;
  readonly part: Edge | 'whole';
  /** Which piece of a discontinuous span. */
  readonly piece?: number | undefined;
}

export type SpanDragPhase = 'drag' | 'drop' | 'cancel';

export interface SpanDragInput {
  readonly text: string;
  readonly extension: SelectionExtension;
  readonly spans: readonly Span[];
}

export type ResizeSpan = (id: string, extent: SpanExtent) => void;

export interface SpanDrag {
  /** The span at its new place while it is dragged. */
  readonly moved: Span | undefined;
  /** `from`, `to`: offsets where the drag started and where it is. */
  grip(grip: SpanHandle, from: number, to: number, phase: SpanDragPhase, resize: ResizeSpan): void;
  /** The spans given, with the dragged one at its new place. */
  readonly spans: readonly Span[];
}

/** Pieces were chosen one by one: they are not carried along together. */
function movedExtent(text: string, span: Span, distance: number, extension: SelectionExtension): SpanExtent {
  return span.fragments === undefined ? { ...moveRange(text, span, distance, extension), fragments: undefined } : span;
}

export function useSpanDrag({ text, extension, spans }: SpanDragInput): SpanDrag {
  const [moved, setMoved] = useState<Span | undefined>(undefined);
  const shown = useMemo(() => (moved === undefined ? spans : spans.map((span) => (span.id === moved.id ? moved : span))), [spans, moved]);
  return {
    moved,
    spans: shown,
    grip: ({ id, part, piece = 0 }, from, to, phase, resize) => {
      const span = spans.find((candidate) => candidate.id === id);
      if (span === undefined || phase === 'cancel') return setMoved(undefined);
      const held = fragmentsOf(span)[piece] ?? span;
      const extent =
        part === 'whole'
          ? movedExtent(text, span, to - from, extension)
          : extentWithFragmentReplaced(span, piece, resizeRange(text, held, part, to, extension));
      const changed = !sameExtent(extent, span);
      setMoved(changed && phase === 'drag' ? { ...span, ...extent } : undefined);
      if (changed && phase === 'drop') resize(id, extent);
    },
  };
}

/** Spans of others and pieces of one annotation are not dragged; a rejected one has no ends worth moving. */
export function isMovable(span: Span): boolean {
  return span.status !== 'rejected' && span.change === undefined;
}
