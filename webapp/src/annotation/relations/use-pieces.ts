/** Adding a piece to a span, and taking one away: what was said and what comes of it. Nothing is saved before a piece is chosen. */
import i18next from 'i18next';
import { useState } from 'react';
import { openPalette } from '@/components/palette-store';
import { piecesOf, textOfExtent, withoutPiece, withPiece } from './fragments';
import type { Extent } from './fragments';
import type { KeyAction } from '../keyboard/keys';
import type { Span, TextRange } from '../model';

export interface Pieces {
  /** The span that gets another piece. */
  readonly id: string | undefined;
  begin(span: Span): string;
  cancel(): void;
  /** The extent with the piece; ends the task. Undefined: nothing new. */
  take(range: TextRange): { readonly id: string; readonly extent: Extent } | undefined;
  /** Lets one of the pieces be chosen, to be taken away. */
  drop(span: Span): string;
}

const word = (key: string, values: Record<string, string> = {}) => i18next.t(`relations:${key}`, values);

export function usePieces(text: string, spans: readonly Span[], resize: ((id: string, extent: Extent) => void) | undefined): Pieces {
  const [id, setId] = useState<string | undefined>(undefined);
  return {
    id,
    begin: (span) => {
      setId(span.id);
      return word('choosePiece', { text: textOfExtent(text, span) });
    },
    cancel: () => setId(undefined),
    take: (range) => {
      const span = spans.find((one) => one.id === id);
      setId(undefined);
      return span && { id: span.id, extent: withPiece(span, range) };
    },
    drop: (span) => {
      const pieces = piecesOf(span);
      if (pieces.length < 2) return word('onePiece');
      openPalette({
        title: word('dropWhich'),
        commands: pieces.map((piece, at) => ({
          id: `piece.${String(at)}`,
          section: 'annotation',
          title: text.slice(piece.start, piece.end),
          run: () => resize?.(span.id, withoutPiece(span, at)),
        })),
      });
      return word('dropWhich');
    },
  };
}

interface PieceTask {
  readonly pieces: Pieces;
  readonly span: Span | undefined;
  /** What is selected, or where the cursor is. */
  readonly place: TextRange | undefined;
  readonly take: (range: TextRange) => void;
}

/** Does what a key means for pieces; the words to say, undefined when it means something else. */
export function performOnPieces(action: KeyAction, { pieces, span, place, take }: PieceTask): string | undefined {
  if (action.do === 'escape' && pieces.id !== undefined) {
    pieces.cancel();
    return word('given-up');
  }
  if (action.do !== 'pieces') return undefined;
  if (action.act === 'take') {
    if (place === undefined) return word('choosePlace');
    take(place);
    return undefined;
  }
  if (span === undefined) return '';
  return action.act === 'begin' ? pieces.begin(span) : pieces.drop(span);
}
