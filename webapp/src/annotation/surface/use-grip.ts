/** Dragging an end of a span, or its tag: the span is drawn where it would go; nothing is saved before the button is released. */
import { useMemo, useState } from 'react';
import type { Extension } from '../../text/extend';
import { moveRange, resizeRange } from '../../text/resize';
import type { Edge } from '../../text/resize';
import { piecesOf, sameExtent, withPieceAt } from '../relations/fragments';
import type { Extent } from '../relations/fragments';
import type { Span } from '../model';

/** What of a span the pointer took hold of; the whole span by its tag. */
export interface Grip {
  readonly id: string;
  readonly part: Edge | 'whole';
  /** Which piece of a discontinuous span. */
  readonly piece?: number | undefined;
}

export type GripPhase = 'drag' | 'drop' | 'cancel';

export interface GripInput {
  readonly text: string;
  readonly extension: Extension;
  readonly spans: readonly Span[];
}

export type Resize = (id: string, extent: Extent) => void;

export interface GripState {
  /** The span at its new place while it is dragged. */
  readonly moved: Span | undefined;
  /** `from`, `to`: offsets where the drag started and where it is. */
  grip(grip: Grip, from: number, to: number, phase: GripPhase, resize: Resize): void;
  /** The spans given, with the dragged one at its new place. */
  readonly spans: readonly Span[];
}

/** Pieces were chosen one by one: they are not carried along together. */
function carried(text: string, span: Span, distance: number, extension: Extension): Extent {
  return span.pieces === undefined ? { ...moveRange(text, span, distance, extension), pieces: undefined } : span;
}

export function useGrip({ text, extension, spans }: GripInput): GripState {
  const [moved, setMoved] = useState<Span | undefined>(undefined);
  const shown = useMemo(() => (moved === undefined ? spans : spans.map((span) => (span.id === moved.id ? moved : span))), [spans, moved]);
  return {
    moved,
    spans: shown,
    grip: ({ id, part, piece = 0 }, from, to, phase, resize) => {
      const span = spans.find((candidate) => candidate.id === id);
      if (span === undefined || phase === 'cancel') return setMoved(undefined);
      const held = piecesOf(span)[piece] ?? span;
      const extent =
        part === 'whole'
          ? carried(text, span, to - from, extension)
          : withPieceAt(span, piece, resizeRange(text, held, part, to, extension));
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
