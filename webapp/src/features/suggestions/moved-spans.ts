/** Proposed spans whose boundaries the user moved. Nothing is saved before they are accepted. */
import { useState } from 'react';
import { DocumentSerializer } from '@/annotation/document-serializer';
import { stepEdge } from '@/annotation/keyboard/resize-step';
import type { TextRange } from '@/annotation/model';
import type { Suggestion } from '@/api/resources/suggestions';
import type { Edge } from '@/text/resize-range';
import { answerKey, type Proposal, type SpanPlace } from './review-model';

type Moves = ReadonlyMap<string, SpanPlace>;
const NO_MOVES: Moves = new Map();

/** The place of a range of the segment's text, in code points of the document. */
export function placeInDocument(suggestion: Suggestion, range: TextRange): SpanPlace {
  const wire = new DocumentSerializer(suggestion.text, suggestion.start);
  return { ...wire.apiRange(range), text: suggestion.text.slice(range.start, range.end) };
}

/** The place after one boundary was moved by a word, inside the segment; the same place where no step is possible. */
export function stepBoundary(suggestion: Suggestion, proposal: Proposal, edge: Edge, forward: boolean): SpanPlace {
  const { start, end } = proposal.moved ?? proposal;
  const range = new DocumentSerializer(suggestion.text, suggestion.start).range(start, end);
  return placeInDocument(suggestion, stepEdge(suggestion.text, range, edge, 'word', forward));
}

export function useMovedSpans() {
  const [moves, setMoves] = useState(NO_MOVES);
  return {
    /** The proposals with their moved boundaries. */
    withMoves: (suggestion: Suggestion, proposals: readonly Proposal[]): Proposal[] =>
      proposals.map((proposal) => {
        const moved = moves.get(answerKey(suggestion, proposal));
        return moved === undefined ? proposal : { ...proposal, moved };
      }),
    /** Moved back to where it was proposed, a span is not moved. */
    moveTo: (suggestion: Suggestion, proposal: Proposal, place: SpanPlace) => {
      const next = new Map(moves);
      const key = answerKey(suggestion, proposal);
      if (place.start === proposal.start && place.end === proposal.end) next.delete(key);
      else next.set(key, place);
      setMoves(next);
    },
  };
}
