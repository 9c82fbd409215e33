/** An element that floats next to the selection or span, never over it: below, or above where there is more room. Scrolls with the text. */
import { useLayoutEffect, useRef, useState } from 'react';
import type { ReactNode, RefObject } from 'react';
import { mergeBoxesIntoLines, overlapArea, positionToolbar, type Rect } from './toolbar-position';
import type { LabellingTarget } from '@/annotation/model';

interface Box {
  readonly left: number;
  readonly top: number;
  readonly bottom: number;
}

interface PopoverPosition {
  readonly left: number;
  readonly top: number;
  /** Above the anchor it is attached by its lower edge, so that a list that shrinks stays next to the selection. */
  readonly transform?: string | undefined;
}

/** Invisible but focusable: the filter box takes the focus before the position is known. */
const HIDDEN = { opacity: 0, left: 0, top: 0 };

/** `from`: the end to use; the stub that leads to it in another row does not count. */
interface RelationAnchor {
  readonly kind: 'relation';
  readonly id: string;
  readonly from: string | undefined;
}

/** What a popover is attached to: a selection, a span, a sentence by its start, or the arc of a relation. */
export type Anchor = LabellingTarget | { readonly kind: 'sentence'; readonly start: number } | RelationAnchor;

/** The text that something floats over. */
export interface PopoverPlace {
  /** Where the marks are drawn. */
  readonly root: RefObject<HTMLElement | null>;
  /** The positioned, scrolling element that contains both. */
  readonly scroller: RefObject<HTMLElement | null>;
}

interface AnchoredPopoverProps extends PopoverPlace {
  readonly target: Anchor;
  /** Small things stand above, where they hide no tag. */
  readonly above?: boolean | undefined;
  /** Called on Tab past the last control, or back past the first: the popover closes. */
  readonly onLeave?: (() => void) | undefined;
  readonly children: ReactNode;
}

/** Room for the tags of the lane below the anchor. */
const GAP_BELOW = 18;
const GAP_ABOVE = 6;
const MARGIN = 8;
const TEXT_BOX = 20;
const TAG = 14;
const WAIT_FRAMES = 30;

/** Positioned once, when it opens; use a key derived from the target. */
export function AnchoredPopover({ target, root, scroller, above = false, onLeave, children }: AnchoredPopoverProps): ReactNode {
  const own = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<PopoverPosition | undefined>(undefined);
  useLayoutEffect(() => {
    let frame = 0;
    const settle = (tries: number): void => {
      const size = own.current?.getBoundingClientRect();
      if (root.current === null || scroller.current === null || size === undefined) return;
      const boxes = anchorBoxes(root.current, target);
      const box = boundingAnchorBox(boxes);
      // After a jump the target is drawn some frames later.
      if (box === undefined && tries > 0) frame = requestAnimationFrame(() => settle(tries - 1));
      else if (above && box !== undefined && !isScrollable(scroller.current))
        setPlace(positionOnCard(boxes, size, scroller.current, root.current));
      else setPlace(positionNextTo(box ?? root.current.getBoundingClientRect(), size, scroller.current, above));
    };
    settle(WAIT_FRAMES);
    return () => cancelAnimationFrame(frame);
  }, [target, root, scroller, above]);
  return (
    <div
      ref={own}
      className="ann-popover"
      style={place ?? HIDDEN}
      onKeyDownCapture={(event) => {
        if (onLeave === undefined || event.key !== 'Tab' || !isFirstOrLastControl(event.currentTarget, event.target, event.shiftKey))
          return;
        event.preventDefault();
        event.stopPropagation();
        onLeave();
      }}
    >
      {children}
    </div>
  );
}

function isFirstOrLastControl(popover: HTMLElement, target: EventTarget, backwards: boolean): boolean {
  const stops = [...popover.querySelectorAll('button:not(:disabled), input, select, [tabindex="0"]')];
  return target === (backwards ? stops[0] : stops.at(-1));
}

/** A card does not scroll: popovers in it may overlap its edge. */
const isScrollable = (element: HTMLElement): boolean => /auto|scroll/u.test(getComputedStyle(element).overflowY);

/** The visible part of an element: clipped by the nearest scrolling element, which may be itself. */
function visibleAreaOf(view: HTMLElement): DOMRect {
  for (let up: HTMLElement | null = view; up !== null; up = up.parentElement) if (isScrollable(up)) return up.getBoundingClientRect();
  return new DOMRect(0, 0, window.innerWidth, window.innerHeight);
}

const boxesNotToCover = (): readonly DOMRect[] =>
  [...document.querySelectorAll('[data-needed]')].map((element) => element.getBoundingClientRect());

const coversNeededBox = (place: Rect): boolean => boxesNotToCover().some((box) => overlapArea(place, box) > 0);

function positionNextTo(anchor: Box, size: DOMRect, view: HTMLElement, preferAbove: boolean): PopoverPosition {
  const box = view.getBoundingClientRect();
  const bounds = visibleAreaOf(view);
  const below = anchor.bottom + GAP_BELOW;
  const above = anchor.top - GAP_ABOVE;
  const fitsBelow = below + size.height <= bounds.bottom - MARGIN;
  const fitsAbove = above - size.height >= bounds.top + MARGIN;
  const left = Math.max(box.left + MARGIN, Math.min(anchor.left, box.right - MARGIN - size.width));
  const covers = (top: number) => coversNeededBox({ left, right: left + size.width, top, bottom: top + size.height });
  const goesBelow = preferAbove ? !fitsAbove || (fitsBelow && covers(above - size.height) && !covers(below)) : fitsBelow || !fitsAbove;
  const top = (goesBelow ? below : above) - box.top + view.scrollTop;
  return { left: left - box.left + view.scrollLeft, top, transform: goesBelow ? undefined : 'translateY(-100%)' };
}

/** A word with the tag below it. */
const boxWithTag = ({ left, right, top }: DOMRect): Rect => ({ left, right, top, bottom: top + TEXT_BOX + TAG });

/**
 * On a card in a list: covers no title, button or text where another position is possible. `[data-needed]` marks what must not be covered.
 */
function positionOnCard(boxes: readonly DOMRect[], size: DOMRect, view: HTMLElement, root: HTMLElement): PopoverPosition {
  const box = view.getBoundingClientRect();
  const clip = visibleAreaOf(view);
  const all = document.createRange();
  all.selectNodeContents(root);
  const { left, top } = positionToolbar(size, {
    anchor: mergeBoxesIntoLines(boxes.map(boxWithTag)),
    bounds: { left: box.left, right: box.right, top: clip.top + 2, bottom: clip.bottom - 2 },
    needed: boxesNotToCover(),
    textBoxes: mergeBoxesIntoLines([...all.getClientRects()].map(boxWithTag)),
  });
  return { left: left - box.left + view.scrollLeft, top: top - box.top + view.scrollTop };
}

const escaped = (id: string): string => id.replace(/["\\]/gu, '\\$&');

function anchorSelector(target: Anchor): string {
  if (target.kind === 'sentence') return `[data-sentence="${String(target.start)}"]`;
  if (target.kind === 'selection') return '[data-selected]';
  const id = escaped(target.id);
  if (target.kind === 'span') return `[data-spans~="${id}"]`;
  const here = `:not([data-away="${escaped(target.from ?? '')}"])`;
  return `.ann-arc-name[data-relation="${id}"]${here}, [data-relation="${id}"]${here} .ann-arc`;
}

/** Where the target is drawn, in reading order. */
export const anchorBoxes = (root: HTMLElement, target: Anchor): readonly DOMRect[] =>
  [...root.querySelectorAll(anchorSelector(target))].flatMap((element) => [...(element.getClientRects?.() ?? [])]);

function boundingAnchorBox(boxes: readonly DOMRect[]): Box | undefined {
  const last = boxes.at(-1);
  if (last === undefined) return undefined;
  return { left: last.left, top: Math.min(...boxes.map(({ top }) => top)), bottom: last.top + TEXT_BOX };
}
