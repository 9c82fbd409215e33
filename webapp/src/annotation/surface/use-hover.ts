/** The span under the pointer: immediately for the stronger fill, after 200 ms for the tooltip. One delegated listener. */
import { useEffect, useRef, useState } from 'react';
import type { PointerEvent as ReactPointerEvent } from 'react';
import { spanIdsAtEventTarget } from '@/annotation/drawing/dom-offset';

export const TOOLTIP_DELAY = 200;

export interface HoverState {
  readonly id: string;
  /** Window coordinates for the tooltip, once the delay is over. */
  readonly at: { readonly x: number; readonly y: number } | undefined;
}

export interface Hover {
  readonly state: HoverState | undefined;
  readonly onPointerOver: (event: ReactPointerEvent) => void;
  readonly onPointerLeave: () => void;
}

export function useHover(): Hover {
  const [state, setState] = useState<HoverState | undefined>(undefined);
  const timer = useRef<number | undefined>(undefined);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  const show = (id: string | undefined, x: number, y: number): void => {
    if (id === state?.id) return;
    window.clearTimeout(timer.current);
    setState(id === undefined ? undefined : { id, at: undefined });
    if (id === undefined) return;
    timer.current = window.setTimeout(() => setState({ id, at: { x, y } }), TOOLTIP_DELAY);
  };
  return {
    state,
    onPointerOver: (event) => {
      const id = event.buttons === 0 ? spanIdsAtEventTarget(event.target)[0] : undefined;
      const box = event.target instanceof Element ? event.target.getBoundingClientRect() : undefined;
      show(id, event.clientX, box?.top ?? event.clientY);
    },
    onPointerLeave: () => show(undefined, 0, 0),
  };
}
