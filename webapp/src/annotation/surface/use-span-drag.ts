/** Drags an edge of a span, or its tag: the span is drawn at its new position; nothing is saved before the button is released. */
import { useMemo, useState } from 'react';
import type { SelectionExtension } from '@/text/extend-selection';
import { moveRange, resizeRange } from '@/text/resize-range';
import type { Edge } from '@/text/resize-range';
import { fragmentsOf, sameExtent, extentWithFragmentReplaced } from '@/annotation/fragments';
import type { SpanExtent } from '@/annotation/fragments';
import type { Span } from '@/annotation/model';

/** The part of a span that is dragged; the tag drags the whole span. */
export interface SpanHandle {
  readonly id: string;
  readonly part: Edge | 'whole';
  /** Index of the fragment of a discontinuous span. */
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
  /** The span at its new position while it is dragged. */
  readonly moved: Span | undefined;
  /** `from`, `to`: offsets of the start of the drag and of the pointer. */
  grip(grip: SpanHandle, from: number, to: number, phase: SpanDragPhase, resize: ResizeSpan): void;
  /** The input spans, with the dragged one at its new position. */
  readonly spans: readonly Span[];
}

/** Fragments were chosen one by one: they are not moved together. */
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

/** Rejected spans, and spans that a plan step added or removed (step test), cannot be dragged. */
export function isMovable(span: Span): boolean {
  return span.status !== 'rejected' && span.change === undefined;
}
