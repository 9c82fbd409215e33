/** A floating thing placed beside a box of the surface, never over it: below, or above when there is more room there. Scrolls with the text. */
import { useLayoutEffect, useRef, useState } from 'react';
import type { ReactNode, RefObject } from 'react';
import type { Target } from './model';

interface Box {
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
const TEXT_BOX = 20;

function Popover({ anchor, scroller, children }: PopoverProps): ReactNode {
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

interface PickerPopoverProps {
  readonly target: Target;
  readonly root: RefObject<HTMLElement | null>;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly children: ReactNode;
}

/** Finds the drawn selection or span once it is painted, then opens beside it. */
export function PickerPopover({ target, root, scroller, children }: PickerPopoverProps): ReactNode {
  const [anchor, setAnchor] = useState<Box | undefined>(undefined);
  useLayoutEffect(() => {
    // The drawn boxes are known only after the paint of the selection: this is the measuring step.
    setAnchor(targetBox(root.current, target));
    // eslint-disable-next-line react-hooks/exhaustive-deps -- measured once per target; the key of this component says which
  }, []);
  return (
    anchor && (
      <Popover anchor={anchor} scroller={scroller}>
        {children}
      </Popover>
    )
  );
}

function targetBox(root: HTMLElement | null, target: Target): Box {
  const drawn = target.kind === 'span' ? `[data-spans~="${target.id.replace(/["\\]/gu, '\\$&')}"]` : '[data-selected]';
  const boxes = [...(root?.querySelectorAll(drawn) ?? [])].flatMap((element) => [...element.getClientRects()]);
  const last = boxes.at(-1);
  if (last === undefined) return root?.getBoundingClientRect() ?? { left: 0, top: 0, right: 0, bottom: 0 };
  return { left: last.left, right: last.right, top: Math.min(...boxes.map(({ top }) => top)), bottom: last.top + TEXT_BOX };
}
