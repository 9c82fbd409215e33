/** Moving an end of a span by keys: the span is drawn where it would be; nothing is saved before Enter. */
import { useState } from 'react';
import type { Edge } from '../text/resize';
import type { Span, TextRange } from './model';
import { stepEdge } from './resize-step';

interface Moving {
  readonly id: string;
  readonly edge: Edge;
  readonly range: TextRange;
}

export interface KeyResize {
  /** What is drawn: the moved span at its new place. */
  readonly spans: readonly Span[];
  /** Id of the span whose end is being moved. */
  readonly id: string | undefined;
  /** The end comes first; asked again, the other end. Says which. */
  begin(span: Span): Edge;
  /** The range it would have. */
  step(unit: 'word' | 'grapheme', forward: boolean): TextRange | undefined;
  /** Ends it; what was reached, when something was. */
  end(): TextRange | undefined;
}

export function useKeyResize(text: string, spans: readonly Span[]): KeyResize {
  const [moving, setMoving] = useState<Moving | undefined>(undefined);
  const drawn = moving === undefined ? spans : spans.map((span) => (span.id === moving.id ? { ...span, ...moving.range } : span));
  return {
    spans: drawn,
    id: moving?.id,
    begin: (span) => {
      const again = moving?.id === span.id;
      const edge = again && moving.edge === 'end' ? 'start' : 'end';
      setMoving({ id: span.id, edge, range: again ? moving.range : { start: span.start, end: span.end } });
      return edge;
    },
    step: (unit, forward) => {
      if (moving === undefined) return undefined;
      const range = stepEdge(text, moving.range, moving.edge, unit, forward);
      setMoving({ ...moving, range });
      return range;
    },
    end: () => {
      setMoving(undefined);
      return moving?.range;
    },
  };
}
