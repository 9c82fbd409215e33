/** Handles at both ends of what a finger selected: dragging one moves that end, by words where selections extend to words. */
import { useLayoutEffect, useRef, useState } from 'react';
import type { PointerEvent, ReactNode } from 'react';
import { offsetFromPoint } from '@/annotation/drawing/dom-offset';
import type { TextRange } from '@/annotation/model';
import type { PopoverPlace } from './popover';
import type { SelectionState } from './selection';

type End = 'start' | 'end';
const ENDS: readonly End[] = ['start', 'end'];
/** Of a line of text; the handle hangs below it. */
const TEXT_BOX = 20;

interface HandlePlace {
  readonly left: number;
  readonly top: number;
}

interface SelectionHandlesProps extends PopoverPlace {
  readonly selection: SelectionState;
  readonly onSelect: (anchor: TextRange, head: TextRange, dragging: boolean) => void;
}

/** Places in the scroller, from the drawn selection; undefined while that end is not drawn. */
function handlePlaces(root: HTMLElement, scroller: HTMLElement): Partial<Record<End, HandlePlace>> {
  const boxes = [...root.querySelectorAll('[data-selected]')].flatMap((run) => [...run.getClientRects()]);
  const first = boxes[0];
  const last = boxes.at(-1);
  if (first === undefined || last === undefined) return {};
  const rtl = getComputedStyle(root).direction === 'rtl';
  const view = scroller.getBoundingClientRect();
  const inScroller = (x: number, y: number): HandlePlace => ({
    left: x - view.left + scroller.scrollLeft,
    top: y - view.top + scroller.scrollTop,
  });
  return {
    start: inScroller(rtl ? first.right : first.left, first.top + TEXT_BOX),
    end: inScroller(rtl ? last.left : last.right, last.top + TEXT_BOX),
  };
}

interface Drag {
  /** The end that stays. */
  readonly fixed: number;
  /** From the finger up to the middle of the line that the handle hangs from. */
  readonly lift: number;
}

export function SelectionHandles({ selection, onSelect, root, scroller }: SelectionHandlesProps): ReactNode {
  const { start, end } = selection.range;
  const [places, setPlaces] = useState<Partial<Record<End, HandlePlace>>>({});
  const drag = useRef<Drag | undefined>(undefined);
  useLayoutEffect(() => {
    const place = (): void => {
      if (root.current !== null && scroller.current !== null) setPlaces(handlePlaces(root.current, scroller.current));
    };
    place();
    window.addEventListener('resize', place);
    return () => window.removeEventListener('resize', place);
  }, [start, end, root, scroller]);

  const moveTo = (event: PointerEvent, dragging: boolean): void => {
    const held = drag.current;
    if (held === undefined || root.current === null) return;
    const offset = offsetFromPoint(root.current, event.clientX, event.clientY - held.lift);
    if (offset === undefined || offset === held.fixed) return;
    onSelect({ start: held.fixed, end: held.fixed }, { start: offset, end: offset }, dragging);
  };

  return ENDS.map((one) => {
    const place = places[one];
    if (place === undefined) return null;
    return (
      <span
        key={one}
        className="ann-grip"
        data-end={one}
        aria-hidden
        style={place}
        onPointerDown={(event) => {
          event.preventDefault();
          event.stopPropagation();
          event.currentTarget.setPointerCapture(event.pointerId);
          const box = event.currentTarget.getBoundingClientRect();
          drag.current = { fixed: one === 'start' ? end : start, lift: event.clientY - box.top + TEXT_BOX / 2 };
        }}
        onPointerMove={(event) => moveTo(event, true)}
        onPointerUp={(event) => {
          moveTo(event, false);
          drag.current = undefined;
        }}
        onPointerCancel={() => {
          drag.current = undefined;
          onSelect(selection.anchor, selection.head, false);
        }}
        onMouseDown={(event) => {
          event.preventDefault();
          event.stopPropagation();
        }}
      />
    );
  });
}
