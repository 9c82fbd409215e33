import type { Span } from '@/annotation/model';
import type { RelationAndFragmentEditing } from '@/annotation/relations/use-relation-and-fragment-editing';
import { tokenAt } from '@/text/tokens';
import type { SurfaceState } from './surface-types';
import type { PointerActions } from './use-pointer';

/** What a finger that is held on the text does. */
export function selectWordAt(text: string, offset: number, surface: Pick<SurfaceState, 'select'>): void {
  const word = tokenAt(text, offset);
  if (word !== undefined) surface.select(word, word, false);
}

interface PressedText {
  readonly surface: SurfaceState;
  readonly joining: RelationAndFragmentEditing;
  readonly focused: Span | undefined;
  /** `onSpan`: the click was on a span. */
  readonly onClick: (onSpan: boolean) => void;
}

/** What presses in a text do: an unfinished relation or fragment takes them first, then the selection. */
export function pressActions({ surface, joining, focused, onClick }: PressedText): PointerActions {
  return {
    select: (anchor, head, dragging, more) => {
      if (joining.select(more ? focused : undefined)) surface.select(anchor, head, dragging);
    },
    click: (ids, offset) => {
      if (joining.click(ids)) return;
      onClick(ids.length > 0);
      surface.click(ids, offset);
    },
    anchor: () => surface.selection?.anchor ?? surface.caret,
  };
}
