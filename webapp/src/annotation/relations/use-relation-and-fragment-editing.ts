/**
 * Relations and fragments of one surface: their combined state, and the meaning of clicks in the text while one of them is being created.
 */
import type { RefObject } from 'react';
import { textOfExtent } from '@/annotation/fragments';
import type { Span } from '@/annotation/model';
import { cutText } from './relations';
import type { RelationProps } from './relations';
import { useRelationDrag } from './use-relation-drag';
import type { RelationDrag } from './use-relation-drag';
import { useRelationsState } from './use-relations-state';
import type { RelationsState } from './use-relations-state';
import { useFragmentTask } from './use-fragment-task';
import type { FragmentTask } from './use-fragment-task';
import type { SurfaceActions } from '@/annotation/surface/surface-types';

interface RelationAndFragmentEditingInput extends Pick<SurfaceActions, 'onResize'> {
  readonly text: string;
  readonly spans: readonly Span[];
  readonly relations?: RelationProps | undefined;
  readonly focusedId: string | undefined;
  readonly scroller: RefObject<HTMLElement | null>;
  /** As drawn, in reading order. */
  readonly ordered: readonly Span[];
  readonly hoveredSpan: string | undefined;
  readonly readOnly: boolean;
}

export interface RelationAndFragmentEditing {
  readonly links: RelationsState;
  readonly drag: RelationDrag;
  /** Undefined: spans cannot be changed. */
  readonly fragments: FragmentTask | undefined;
  /** Whether relations can be drawn. */
  readonly linkable: boolean;
  /** Text of the span that something is being added to. */
  readonly spanText: string;
  /** Whether the text may select; `beside`: the selection becomes a fragment of this span. */
  select(beside: Span | undefined): boolean;
  /** True when the click chose the target of a relation. */
  click(ids: readonly string[]): boolean;
}

export function useRelationAndFragmentEditing(input: RelationAndFragmentEditingInput): RelationAndFragmentEditing {
  const { text, spans, relations, focusedId, ordered, hoveredSpan, readOnly, onResize } = input;
  const drag = useRelationDrag(input.scroller, {
    drop: (source, target) => links.join(source, target),
    click: (source) => void links.begin(source),
  });
  const links: RelationsState = useRelationsState({ relations, text, ordered, focusedId, hoveredSpan, rubber: drag.rubber });
  const held = useFragmentTask(text, spans, onResize);
  const fragments = onResize === undefined || readOnly ? undefined : held;
  const task = links.from ?? held.id;
  const span = task === undefined ? undefined : ordered.find(({ id }) => id === task);
  return {
    links,
    drag,
    fragments,
    linkable: relations?.onLink !== undefined && !readOnly,
    spanText: span === undefined ? '' : cutText(textOfExtent(text, span)),
    select: (beside) => {
      if (links.from !== undefined) return false;
      if (beside !== undefined && held.id === undefined) fragments?.begin(beside);
      return true;
    },
    click: (ids) => {
      const target = ids.find((id) => id !== links.from);
      if (links.from === undefined || target === undefined) return false;
      links.choose(target);
      return true;
    },
  };
}
