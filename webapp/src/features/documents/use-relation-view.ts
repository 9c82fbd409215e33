/** Relations in the view of one document: the text and the list share the focus. */
import { useCallback, type RefObject } from 'react';
import { useRelationFocus, useRelations, type DocumentRelations, type RelationsInput } from '@/blocks/labelling/use-relations';
import type { Span } from '@/annotation/model';
import type { RelationListProps } from '@/annotation/relations/relation-list';
import type { SpanRelation } from '@/annotation/relations/relations';
import type { SurfaceHandle } from '@/annotation/surface/surface-types';

export type RelationView = DocumentRelations & Pick<RelationListProps, 'onJump' | 'onRename'>;
export type RelationFocus = ReturnType<typeof useRelationFocus>;

/** Focus of a relation; follows the ids that the server assigns to new spans and relations. */
export function useRelationFocusWithServerIds(onSpanNamed: (from: string, to: string) => void): RelationFocus {
  const focus = useRelationFocus();
  const { onNamed: onRelationNamed } = focus;
  const onNamed = useCallback(
    (from: string, to: string) => {
      onSpanNamed(from, to);
      onRelationNamed(from, to);
    },
    [onSpanNamed, onRelationNamed],
  );
  return { ...focus, onNamed };
}

export interface AnnotatedSurface {
  readonly spans: readonly Span[];
  readonly surface: RefObject<SurfaceHandle | null>;
  readonly focusedSpan: string | undefined;
  readonly onFocusSpan: (id: string) => void;
}

export function useRelationView(input: RelationsInput, focus: RelationFocus, shown: AnnotatedSurface): RelationView {
  const { spans, surface, focusedSpan, onFocusSpan } = shown;
  const relations = useRelations(input, focus, focusedSpan);
  const onJump = ({ id, source }: SpanRelation): void => {
    const span = spans.find((one) => one.id === source);
    if (span === undefined) return;
    surface.current?.scrollTo(span.start);
    onFocusSpan(source);
    focus.onFocus(id);
  };
  return {
    ...relations,
    onJump,
    onRename: (relation) => {
      onJump(relation);
      surface.current?.nameRelation(relation.id);
    },
  };
}
