/** Adds a fragment to a span or removes one. Nothing is saved before a fragment is chosen. */
import i18next from 'i18next';
import { useState } from 'react';
import { openPalette } from '@/ui/palette-store';
import { fragmentsOf, textOfExtent, withoutFragment, withFragment } from '@/annotation/fragments';
import type { SpanExtent } from '@/annotation/fragments';
import type { KeyAction } from '@/annotation/keyboard/key-bindings';
import type { Span, TextRange } from '@/annotation/model';

export interface FragmentTask {
  /** The span that gets another fragment. */
  readonly id: string | undefined;
  begin(span: Span): string;
  cancel(): void;
  /** The extent with the new fragment; ends the task. Undefined when no task is active. */
  take(range: TextRange): { readonly id: string; readonly extent: SpanExtent } | undefined;
  /** Opens the palette with the fragments, to remove one. */
  drop(span: Span): string;
}

const translateRelationText = (key: string, values: Record<string, string> = {}) => i18next.t(`relations:${key}`, values);

export function useFragmentTask(
  text: string,
  spans: readonly Span[],
  resize: ((id: string, extent: SpanExtent) => void) | undefined,
): FragmentTask {
  const [id, setId] = useState<string | undefined>(undefined);
  return {
    id,
    begin: (span) => {
      setId(span.id);
      return translateRelationText('choosePiece', { text: textOfExtent(text, span) });
    },
    cancel: () => setId(undefined),
    take: (range) => {
      const span = spans.find((one) => one.id === id);
      setId(undefined);
      return span && { id: span.id, extent: withFragment(span, range) };
    },
    drop: (span) => {
      const fragments = fragmentsOf(span);
      if (fragments.length < 2) return translateRelationText('onePiece');
      openPalette({
        title: translateRelationText('dropWhich'),
        commands: fragments.map((piece, at) => ({
          id: `piece.${String(at)}`,
          section: 'annotation',
          title: text.slice(piece.start, piece.end),
          run: () => resize?.(span.id, withoutFragment(span, at)),
        })),
      });
      return translateRelationText('dropWhich');
    },
  };
}

interface FragmentTaskInput {
  readonly fragments: FragmentTask;
  readonly span: Span | undefined;
  /** The selection, or the cursor position. */
  readonly place: TextRange | undefined;
  readonly take: (range: TextRange) => void;
}

/** Performs the fragment action of a key. Returns the announcement; undefined when the key is about something else. */
export function performFragmentTask(action: KeyAction, { fragments, span, place, take }: FragmentTaskInput): string | undefined {
  if (action.do === 'escape' && fragments.id !== undefined) {
    fragments.cancel();
    return translateRelationText('given-up');
  }
  if (action.do !== 'pieces') return undefined;
  if (action.act === 'take') {
    if (place === undefined) return translateRelationText('choosePlace');
    take(place);
    return undefined;
  }
  if (span === undefined) return '';
  return action.act === 'begin' ? fragments.begin(span) : fragments.drop(span);
}
