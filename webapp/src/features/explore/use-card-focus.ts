/** The active card, and the selection, annotation or relation in it. */
import { useCallback, useState } from 'react';
import { useRelationFocus } from '@/blocks/labelling/use-relations';
import { useFocusedSpan } from '@/blocks/labelling/use-labelling-actions';
import type { TextRange } from '@/annotation/model';

/** The target of keys, drawer and details. */
export interface ActiveCard {
  readonly segment: string;
  readonly selection: TextRange | undefined;
}

export function useCardFocus() {
  const { focusedId, setFocusedId, onNamed: onSpanNamed } = useFocusedSpan();
  const { focusedId: focusedRelation, onFocus: onRelation, onNamed: onRelationNamed } = useRelationFocus();
  const [active, setActive] = useState<ActiveCard>({ segment: '', selection: undefined });
  const activeId = active.segment;
  const onNamed = useCallback(
    (from: string, to: string) => {
      onSpanNamed(from, to);
      onRelationNamed(from, to);
    },
    [onSpanNamed, onRelationNamed],
  );
  const onActive = useCallback((segment: string, selection: TextRange | undefined) => setActive({ segment, selection }), []);
  const onFocus = useCallback(
    (segment: string, id: string | undefined) => {
      setActive({ segment, selection: undefined });
      setFocusedId(id);
    },
    [setFocusedId],
  );
  /** Focusing a relation in another card activates that card. */
  const onFocusRelation = useCallback(
    (segment: string, id: string | undefined) => {
      if (id !== undefined && segment !== activeId) onFocus(segment, undefined);
      onRelation(id);
    },
    [activeId, onFocus, onRelation],
  );
  return { active, setActive, focusedId, setFocusedId, focusedRelation, onRelation, onNamed, onActive, onFocus, onFocusRelation };
}
