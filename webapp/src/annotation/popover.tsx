/** A floating thing placed beside a box of the surface, never over it: below, or above when there is more room there. Scrolls with the text. */
import { useLayoutEffect, useRef, useState } from 'react';
import type { ReactNode, RefObject } from 'react';

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

interface PopoverProps {
  /** Window coordinates at the time of opening. */
  readonly anchor: Box;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly children: ReactNode;
}

/** Room for the tags of the lane under the anchor. */
const GAP_BELOW = 18;
const GAP_ABOVE = 6;
const MARGIN = 8;

export function Popover({ anchor, scroller, children }: PopoverProps): ReactNode {
  const own = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<{ left: number; top: number } | undefined>(undefined);
  useLayoutEffect(() => {
    const view = scroller.current;
    const size = own.current?.getBoundingClientRect();
    if (view === null || size === undefined) return;
    const box = view.getBoundingClientRect();
    const below = anchor.bottom + GAP_BELOW;
    const above = anchor.top - GAP_ABOVE - size.height;
    const fitsBelow = below + size.height <= box.bottom - MARGIN;
    const top = fitsBelow || above < box.top + MARGIN ? below : above;
    const left = Math.max(box.left + MARGIN, Math.min(anchor.left, box.right - MARGIN - size.width));
    setPlace({ left: left - box.left + view.scrollLeft, top: top - box.top + view.scrollTop });
  }, [anchor, scroller]);
  return (
    <div ref={own} className="ann-popover" style={place ?? { visibility: 'hidden', left: 0, top: 0 }}>
      {children}
    </div>
  );
}
