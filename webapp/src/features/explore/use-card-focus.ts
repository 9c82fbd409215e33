/** Which card is acted on, and what of it: a selection, an annotation, a relation. */
import { useCallback, useState } from 'react';
import { useRelationFocus } from '@/blocks/labelling/use-relations';
import { useFocusedSpan } from '@/blocks/labelling/use-labelling-actions';
import type { TextRange } from '@/annotation/model';

/** What the keys, the drawer and the details act on. */
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
  /** A relation drawn in another card makes that card the one acted on. */
  const onFocusRelation = useCallback(
    (segment: string, id: string | undefined) => {
      if (id !== undefined && segment !== activeId) onFocus(segment, undefined);
      onRelation(id);
    },
    [activeId, onFocus, onRelation],
  );
  return { active, setActive, focusedId, setFocusedId, focusedRelation, onRelation, onNamed, onActive, onFocus, onFocusRelation };
}
