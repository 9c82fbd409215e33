/** Moves an edge of a span by keys: the span is drawn at its new position; nothing is saved before Enter. */
import { useState } from 'react';
import type { Edge } from '@/text/resize-range';
import { fragmentsOf, extentWithFragmentReplaced } from '@/annotation/fragments';
import type { SpanExtent } from '@/annotation/fragments';
import type { Span, TextRange } from '@/annotation/model';
import { stepEdge } from './resize-step';

interface Moving {
  readonly id: string;
  readonly edge: Edge;
  /** Index of the fragment of a discontinuous span. */
  readonly piece: number;
  readonly extent: SpanExtent;
}

export interface KeyResize {
  /** The spans to draw: the moved span at its new position. */
  readonly spans: readonly Span[];
  /** Id of the span whose edge is being moved. */
  readonly id: string | undefined;
  /** Starts with the end; each further call switches to the next edge, through all fragments. Returns the edge. */
  begin(span: Span): Edge;
  /** The new range of the fragment. */
  step(unit: 'word' | 'grapheme', forward: boolean): TextRange | undefined;
  /** Ends the resize; returns the new extent, if it changed. */
  end(): SpanExtent | undefined;
}

const extentOnly = ({ start, end, fragments }: SpanExtent): SpanExtent => ({ start, end, fragments });

/** The next edge: from the end of a fragment to its start, then to the end of the fragment before it, cyclically. */
function nextEdgeToMove({ edge, piece, extent }: Moving): Pick<Moving, 'edge' | 'piece'> {
  const last = fragmentsOf(extent).length - 1;
  if (edge === 'end') return { edge: 'start', piece };
  return { edge: 'end', piece: piece === 0 ? last : piece - 1 };
}

/** Fragments must not touch: an edge stops before the next fragment. */
function fragmentRangeAfterStep(
  text: string,
  { extent, piece, edge }: Moving,
  unit: 'word' | 'grapheme',
  forward: boolean,
): TextRange | undefined {
  const held = fragmentsOf(extent)[piece];
  if (held === undefined) return undefined;
  const range = stepEdge(text, held, edge, unit, forward);
  const meets = fragmentsOf(extent).some(({ start, end }, at) => at !== piece && start <= range.end && end >= range.start);
  return meets ? held : range;
}

export function useKeyResize(text: string, spans: readonly Span[]): KeyResize {
  const [moving, setMoving] = useState<Moving | undefined>(undefined);
  const drawn = moving === undefined ? spans : spans.map((span) => (span.id === moving.id ? { ...span, ...moving.extent } : span));
  return {
    spans: drawn,
    id: moving?.id,
    begin: (span) => {
      const first: Moving = { id: span.id, edge: 'end', piece: fragmentsOf(span).length - 1, extent: extentOnly(span) };
      const next: Moving = moving?.id === span.id ? { ...moving, ...nextEdgeToMove(moving) } : first;
      setMoving(next);
      return next.edge;
    },
    step: (unit, forward) => {
      const range = moving && fragmentRangeAfterStep(text, moving, unit, forward);
      if (moving === undefined || range === undefined) return undefined;
      setMoving({ ...moving, extent: extentWithFragmentReplaced(moving.extent, moving.piece, range) });
      return range;
    },
    end: () => {
      setMoving(undefined);
      return moving?.extent;
    },
  };
}
