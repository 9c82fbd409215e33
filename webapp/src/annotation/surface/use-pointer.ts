/**
 * Pointer on the text: a drag selects (also while scrolling), a click focuses the smallest span and cycles outwards, a double click selects
 * a word, a triple click a sentence.
 */
import { useEffect, useLayoutEffect, useRef } from 'react';
import type { MouseEvent as ReactMouseEvent, RefObject } from 'react';
import { tokenAt } from '@/text/tokens';
import type { Row } from '@/text/rows';
import { rowIndexAt } from '@/text/rows';
import { spanHandleAtEventTarget, offsetFromPoint, spanIdsAtEventTarget } from '@/annotation/drawing/dom-offset';
import type { TextRange } from '@/annotation/model';
import type { SpanHandle, SpanDragPhase } from './use-span-drag';

export interface PointerActions {
  /** A drag continues between two positions; `more`: with Ctrl, Cmd or Alt, in addition to the present selection. */
  select(anchor: TextRange, head: TextRange, dragging: boolean, more: boolean): void;
  click(spanIds: readonly string[], offset: number): void;
  /** The anchor of the selection that Shift and a click extend. */
  anchor(): TextRange | undefined;
  /** An edge or the tag of a span is dragged; absent: they select like the text. */
  readonly grip?: ((grip: SpanHandle, from: number, to: number, phase: SpanDragPhase) => void) | undefined;
}

interface Drag {
  readonly anchor: TextRange;
  readonly spanIds: readonly string[];
  readonly grip: SpanHandle | undefined;
  readonly more: boolean;
  readonly x: number;
  readonly y: number;
  lastX: number;
  lastY: number;
  moved: boolean;
  frame: number;
}

const DRAG_DISTANCE = 3;
const EDGE = 28;

export function usePointer(
  root: RefObject<HTMLElement | null>,
  scroller: RefObject<HTMLElement | null>,
  text: string,
  rows: readonly Row[],
  actions: PointerActions,
): (event: ReactMouseEvent) => void {
  const drag = useRef<Drag | undefined>(undefined);
  const stop = useRef<(() => void) | undefined>(undefined);
  useEffect(() => () => stop.current?.(), []);
  // A drag outlives the render it began in, so its callbacks use the latest actions.
  const latest = useRef(actions);
  useLayoutEffect(() => {
    latest.current = actions;
  });

  const placeOf = (x: number, y: number): TextRange | undefined => {
    const at = root.current && offsetFromPoint(root.current, x, y);
    return typeof at === 'number' ? { start: at, end: at } : undefined;
  };

  const start = (state: Drag): void => {
    const update = (dragging: boolean): void => {
      const head = placeOf(state.lastX, state.lastY);
      if (head === undefined) return;
      if (state.grip === undefined) latest.current.select(state.anchor, head, dragging, state.more);
      else latest.current.grip?.(state.grip, state.anchor.start, head.start, dragging ? 'drag' : 'drop');
    };
    const scroll = (): void => {
      const element = scroller.current;
      const box = element?.getBoundingClientRect();
      const speed = box === undefined ? 0 : edgeSpeed(state.lastY, box.top, box.bottom);
      if (element !== null && speed !== 0 && state.moved) {
        element.scrollTop += speed;
        update(true);
      }
      state.frame = requestAnimationFrame(scroll);
    };
    const move = (event: MouseEvent): void => {
      state.lastX = event.clientX;
      state.lastY = event.clientY;
      state.moved ||= Math.hypot(event.clientX - state.x, event.clientY - state.y) >= DRAG_DISTANCE;
      if (state.moved) update(true);
    };
    const end = (event: MouseEvent): void => {
      stop.current?.();
      state.lastX = event.clientX;
      state.lastY = event.clientY;
      if (state.moved) update(false);
      else actions.click(state.spanIds, state.anchor.start);
    };
    const wheel = (): void => {
      if (state.moved) update(true);
    };
    const escape = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || state.grip === undefined) return;
      event.stopPropagation();
      stop.current?.();
      actions.grip?.(state.grip, 0, 0, 'cancel');
    };
    const element = scroller.current;
    stop.current = () => {
      cancelAnimationFrame(state.frame);
      window.removeEventListener('mousemove', move);
      window.removeEventListener('mouseup', end);
      window.removeEventListener('keydown', escape, true);
      element?.removeEventListener('scroll', wheel);
      drag.current = undefined;
      stop.current = undefined;
    };
    window.addEventListener('mousemove', move);
    window.addEventListener('mouseup', end);
    window.addEventListener('keydown', escape, true);
    element?.addEventListener('scroll', wheel, { passive: true });
    state.frame = requestAnimationFrame(scroll);
  };

  return (event) => {
    if (event.button !== 0) return;
    // Our own selection replaces the native one. Focus is set explicitly as the default action is prevented, without
    // the keyboard focus ring.
    event.preventDefault();
    root.current?.focus({ preventScroll: true, focusVisible: false } as FocusOptions);
    const place = placeOf(event.clientX, event.clientY);
    if (place === undefined) return;
    const grip = actions.grip === undefined ? undefined : spanHandleAtEventTarget(event.target);
    const unit = grip === undefined ? wordOrSegmentAt(text, rows, place.start, event.detail) : undefined;
    const known = event.shiftKey ? actions.anchor() : undefined;
    if (unit !== undefined) return void actions.select(unit, unit, false, false);
    if (known !== undefined) return void actions.select(known, place, false, false);
    stop.current?.();
    const { clientX: x, clientY: y } = event;
    const more = event.ctrlKey || event.metaKey || event.altKey;
    const spanIds = spanIdsAtEventTarget(event.target);
    drag.current = { anchor: place, spanIds, grip, more, x, y, lastX: x, lastY: y, moved: false, frame: 0 };
    start(drag.current);
  };
}

/** Pixels per frame near the edges of the scroller, faster further out. */
function edgeSpeed(y: number, top: number, bottom: number): number {
  if (y < top + EDGE) return -Math.ceil((top + EDGE - y) / 3);
  if (y > bottom - EDGE) return Math.ceil((y - bottom + EDGE) / 3);
  return 0;
}

/** A double click selects the word, a triple click the segment. */
function wordOrSegmentAt(text: string, rows: readonly Row[], offset: number, clicks: number): TextRange | undefined {
  if (clicks === 2) return tokenAt(text, offset);
  if (clicks < 3) return undefined;
  const block = rows[rowIndexAt(rows, offset)]?.blocks.find((candidate) => candidate.end > offset);
  return block && { start: block.start, end: block.textEnd };
}
