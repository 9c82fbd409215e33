/**
 * Pointer events on arcs. Arcs are below the text, so hit testing asks the browser for the elements at a point; letters and tags take
 * precedence.
 */
import type { MouseEvent as ReactMouseEvent, PointerEvent as ReactPointerEvent } from 'react';
import type { Span } from '@/annotation/model';
import type { RelationsState } from './use-relations-state';

interface Arc {
  readonly id: string;
  /** The span it leads to from here. */
  readonly jump: string | undefined;
}

function arcAt(event: ReactMouseEvent | ReactPointerEvent): Arc | undefined {
  const { target, clientX, clientY } = event;
  if (!(target instanceof Element) || target.closest('mark, button, .ann-popover') !== null) return undefined;
  const under = target.ownerDocument.elementsFromPoint?.(clientX, clientY) ?? [];
  const found = under.map((element) => element.closest<HTMLElement>('[data-relation]')).find((element) => element !== null);
  const id = found?.dataset.relation;
  return id === undefined ? undefined : { id, jump: found?.dataset.jump };
}

export interface ArcPointer {
  /** True when the press was on an arc: the text ignores it. */
  press(event: ReactMouseEvent): boolean;
  readonly onPointerMove: ((event: ReactPointerEvent) => void) | undefined;
}

/** `go` scrolls to a span and focuses it. */
export function useArcPointer(links: RelationsState, ordered: readonly Span[], go: (span: Span) => void): ArcPointer {
  const spanOf = (id: string | undefined): Span | undefined => ordered.find((span) => span.id === id);
  return {
    press: (event) => {
      const arc = links.active && event.button === 0 && links.from === undefined ? arcAt(event) : undefined;
      if (arc === undefined) return false;
      event.preventDefault();
      const span = spanOf(arc.jump ?? links.sourceOf(arc.id));
      if (span !== undefined) go(span);
      links.focus(arc.id);
      return true;
    },
    onPointerMove: links.active ? (event) => links.hover(event.buttons === 0 ? arcAt(event)?.id : undefined) : undefined,
  };
}
