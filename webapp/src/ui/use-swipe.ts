import { useRef, type PointerEvent } from 'react';

export type SwipeDirection = 'left' | 'right';

/** A finger moves at least so far before it acts, and so far before it is a swipe rather than a touch. */
export const SWIPE_DISTANCE = 88;
const SLOP = 12;

interface Swipe {
  readonly x: number;
  readonly y: number;
  moving: boolean;
}

interface SwipeHandlers {
  readonly onPointerDown?: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerMove?: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerUp?: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerCancel?: (event: PointerEvent<HTMLElement>) => void;
}

/** Direction of a movement that is far enough; undefined before that. */
export function swipeDirection(distance: number): SwipeDirection | undefined {
  if (Math.abs(distance) < SWIPE_DISTANCE) return undefined;
  return distance < 0 ? 'left' : 'right';
}

function rest(element: HTMLElement): void {
  element.style.removeProperty('--swipe');
  delete element.dataset['swipe'];
}

/**
 * A finger moves the element aside and lets it go. The element needs `touch-action: pan-y`, so that the page still scrolls; its style
 * reads `--swipe` (the distance) and `data-swipe` (`none` until it is far enough, then the direction). Absent action: no handlers.
 */
export function useSwipe(onSwipe: ((direction: SwipeDirection) => void) | undefined): SwipeHandlers {
  const swipe = useRef<Swipe | null>(null);
  if (onSwipe === undefined) return {};
  const end = (element: HTMLElement) => {
    swipe.current = null;
    rest(element);
  };
  return {
    onPointerDown: (event) => {
      // Events of a sheet that the element opened arrive here too.
      if (event.pointerType !== 'touch' || !event.isPrimary || !event.currentTarget.contains(event.target as Node)) return;
      swipe.current = { x: event.clientX, y: event.clientY, moving: false };
    },
    onPointerMove: (event) => {
      const now = swipe.current;
      if (now === null) return;
      const element = event.currentTarget;
      const across = event.clientX - now.x;
      if (!now.moving) {
        if (Math.abs(event.clientY - now.y) > Math.max(SLOP, Math.abs(across))) return end(element);
        if (Math.abs(across) < SLOP) return;
        now.moving = true;
        element.setPointerCapture?.(event.pointerId);
      }
      element.style.setProperty('--swipe', `${String(Math.round(across))}px`);
      element.dataset['swipe'] = swipeDirection(across) ?? 'none';
    },
    onPointerUp: (event) => {
      const now = swipe.current;
      if (now === null) return;
      end(event.currentTarget);
      const direction = now.moving ? swipeDirection(event.clientX - now.x) : undefined;
      if (direction !== undefined) onSwipe(direction);
    },
    onPointerCancel: (event) => end(event.currentTarget),
  };
}
