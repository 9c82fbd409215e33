/**
 * Draws a relation with the pointer, from the round handle of a span to another span. A line follows the pointer; nothing is created before
 * a name is chosen.
 */
import { useEffect, useRef, useState } from 'react';
import type { MouseEvent as ReactMouseEvent, RefObject } from 'react';
import { spanIdsAtEventTarget } from '@/annotation/drawing/dom-offset';

export interface RubberBand {
  readonly source: string;
  /** Window coordinates. */
  readonly fromX: number;
  readonly fromY: number;
  readonly x: number;
  readonly y: number;
  /** The span under the pointer, if it is a valid target. */
  readonly over: string | undefined;
}

export interface RelationDrag {
  readonly rubber: RubberBand | undefined;
  /** True when the press was on a handle: the text ignores it. */
  press(event: ReactMouseEvent): boolean;
}

interface RelationDragActions {
  readonly drop: (source: string, target: string) => void;
  /** Called when the handle was only clicked: the target is chosen next. */
  readonly click: (source: string) => void;
}

const CLICK_DISTANCE = 4;
const EDGE = 28;
const STEP = 24;

function spanIdAtPoint(x: number, y: number, source: string): string | undefined {
  return spanIdsAtEventTarget(document.elementFromPoint(x, y)).find((id) => id !== source);
}

/** Scrolls while the pointer is at an edge; returns the distance, so that the start of the line follows. */
function scrollAtEdge(scroller: HTMLElement | null, y: number): number {
  const box = scroller?.getBoundingClientRect();
  if (scroller === null || box === undefined) return 0;
  const wanted = y < box.top + EDGE ? -STEP : y > box.bottom - EDGE ? STEP : 0;
  const before = scroller.scrollTop;
  if (wanted !== 0) scroller.scrollTop += wanted;
  return scroller.scrollTop - before;
}

export function useRelationDrag(scroller: RefObject<HTMLElement | null>, { drop, click }: RelationDragActions): RelationDrag {
  const [rubber, setRubber] = useState<RubberBand | undefined>(undefined);
  const stop = useRef<(() => void) | undefined>(undefined);
  const actions = useRef({ drop, click });
  useEffect(() => {
    actions.current = { drop, click };
  });
  useEffect(() => () => stop.current?.(), []);

  const start = (source: string, fromX: number, y0: number): void => {
    let fromY = y0;
    const move = ({ clientX: x, clientY: y }: MouseEvent): void => {
      fromY -= scrollAtEdge(scroller.current, y);
      setRubber({ source, fromX, fromY, x, y, over: spanIdAtPoint(x, y, source) });
    };
    const end = ({ clientX: x, clientY: y }: MouseEvent): void => {
      stop.current?.();
      const target = spanIdAtPoint(x, y, source);
      if (Math.hypot(x - fromX, y - fromY) < CLICK_DISTANCE) actions.current.click(source);
      else if (target !== undefined) actions.current.drop(source, target);
    };
    const escape = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      stop.current?.();
    };
    stop.current = () => {
      window.removeEventListener('mousemove', move);
      window.removeEventListener('mouseup', end);
      window.removeEventListener('keydown', escape, true);
      stop.current = undefined;
      setRubber(undefined);
    };
    window.addEventListener('mousemove', move);
    window.addEventListener('mouseup', end);
    window.addEventListener('keydown', escape, true);
  };

  return {
    rubber,
    press: (event) => {
      const handle = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-link-of]') : null;
      const source = handle?.dataset.linkOf;
      if (source === undefined || event.button !== 0) return false;
      event.preventDefault();
      stop.current?.();
      start(source, event.clientX, event.clientY);
      return true;
    },
  };
}
