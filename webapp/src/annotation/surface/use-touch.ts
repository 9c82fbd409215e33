/** A finger on the text: held still it selects a word, as phones do; a short touch stays a click and a movement scrolls. */
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { offsetFromPoint } from '@/annotation/drawing/dom-offset';

export const HOLD_MS = 420;
/** A finger that moves further scrolls. */
const STILL = 10;
/** Browsers may send the mouse events of a touch after it ended. */
const AFTER_MS = 700;

export interface TouchState {
  /** The last pointer on the text was a finger: what it selected gets handles. */
  readonly touched: boolean;
  /** A mouse event that only repeats a finger that was held. */
  repeats(event: { readonly timeStamp: number }): boolean;
}

export function useTouch(root: RefObject<HTMLElement | null>, onHold: ((offset: number) => void) | undefined): TouchState {
  const [touched, setTouched] = useState(false);
  const heldAt = useRef(-Infinity);
  const latest = useRef(onHold);
  useLayoutEffect(() => {
    latest.current = onHold;
  });
  useEffect(() => {
    const element = root.current;
    if (element === null) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let from = { x: 0, y: 0 };
    let held = false;
    const cancel = (): void => clearTimeout(timer);
    const hold = (): void => {
      const offset = offsetFromPoint(element, from.x, from.y);
      if (offset === undefined || latest.current === undefined) return;
      held = true;
      heldAt.current = performance.now();
      latest.current(offset);
    };
    const down = (event: PointerEvent): void => {
      cancel();
      held = false;
      setTouched(event.pointerType === 'touch');
      if (event.pointerType !== 'touch' || !event.isPrimary) return;
      from = { x: event.clientX, y: event.clientY };
      timer = setTimeout(hold, HOLD_MS);
    };
    const move = (event: PointerEvent): void => {
      if (Math.hypot(event.clientX - from.x, event.clientY - from.y) > STILL) cancel();
    };
    const up = (): void => {
      cancel();
      if (held) heldAt.current = performance.now();
    };
    // The browser's own menu and selection would lie over ours.
    const menu = (event: Event): void => {
      if (held) event.preventDefault();
    };
    element.addEventListener('pointerdown', down);
    element.addEventListener('pointermove', move);
    element.addEventListener('pointerup', up);
    element.addEventListener('pointercancel', cancel);
    element.addEventListener('contextmenu', menu);
    return () => {
      cancel();
      element.removeEventListener('pointerdown', down);
      element.removeEventListener('pointermove', move);
      element.removeEventListener('pointerup', up);
      element.removeEventListener('pointercancel', cancel);
      element.removeEventListener('contextmenu', menu);
    };
  }, [root]);
  return { touched, repeats: ({ timeStamp }) => timeStamp - heldAt.current < AFTER_MS };
}
