/**
 * Converts positions in the DOM to offsets of the document. Blocks carry their start offset; their concatenated text nodes are the exact
 * slice.
 */

import { nextGrapheme } from '@/text/graphemes';
import type { SpanHandle } from '@/annotation/surface/use-span-drag';

const BLOCK = '[data-start]';

interface CaretPosition {
  readonly node: Node;
  readonly offset: number;
}

interface CaretDocument {
  caretPositionFromPoint?: (x: number, y: number) => { offsetNode: Node; offset: number } | null;
  caretRangeFromPoint?: (x: number, y: number) => Range | null;
}

function blockOf(node: Node): HTMLElement | null {
  const element = node instanceof Element ? node : node.parentElement;
  return element?.closest<HTMLElement>(BLOCK) ?? null;
}

function blockStartOffset(block: HTMLElement): number {
  return Number(block.dataset.start);
}

/** Offset of a DOM position inside `root`; undefined outside any block of text. */
export function offsetOfPosition(root: Element, node: Node, offset: number): number | undefined {
  const block = blockOf(node);
  if (block === null || !root.contains(block)) return undefined;
  const range = block.ownerDocument.createRange();
  range.setStart(block, 0);
  range.setEnd(node, offset);
  return blockStartOffset(block) + range.toString().length;
}

function caretPosition(owner: Document, x: number, y: number): CaretPosition | undefined {
  const api = owner as unknown as CaretDocument;
  const position = api.caretPositionFromPoint?.(x, y);
  if (position) return { node: position.offsetNode, offset: position.offset };
  const range = api.caretRangeFromPoint?.(x, y);
  return range ? { node: range.startContainer, offset: range.startOffset } : undefined;
}

/** Offset nearest to a point of the window, including points in the gutter, between rows, and above and below the text. */
export function offsetFromPoint(root: HTMLElement, x: number, y: number): number | undefined {
  const block = nearestBlock(root, x, y);
  if (block === undefined) return undefined;
  const box = block.getBoundingClientRect();
  if (y < box.top) return blockStartOffset(block);
  if (y > box.bottom) return Number(block.dataset.end);
  const sign = isBidirectional(block.textContent) ? offsetOfCharacterAtPoint(block, x, y) : undefined;
  if (sign !== undefined) return blockStartOffset(block) + sign;
  const inside = Math.min(Math.max(x, box.left + 1), box.right - 1);
  const place = caretPosition(root.ownerDocument, inside, y);
  const found = place && offsetOfPosition(root, place.node, place.offset);
  if (found !== undefined) return found;
  // The point lies on a tag or a popover: use the start of the mark under it, else of the block.
  const mark = root.ownerDocument.elementFromPoint(inside, y)?.closest('mark');
  return (mark && offsetOfPosition(root, mark, 0)) ?? blockStartOffset(block);
}

const RTL_SIGN = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const LTR_SIGN = /[^\P{L}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]|\p{Nd}/u;

function isBidirectional(text: string): boolean {
  return RTL_SIGN.test(text) && LTR_SIGN.test(text);
}

/**
 * Where text directions meet, one position on screen belongs to two offsets and the browser may return the wrong one. In mixed text the
 * character under the point is searched instead, and its own direction decides on which side the point is. Returns the offset within the
 * block; undefined between characters.
 */
function offsetOfCharacterAtPoint(block: HTMLElement, x: number, y: number): number | undefined {
  const range = block.ownerDocument.createRange();
  const walker = block.ownerDocument.createTreeWalker(block, NodeFilter.SHOW_TEXT);
  const holds = ({ left, right, top, bottom }: DOMRect): boolean => x >= left && x <= right && y >= top && y <= bottom;
  const boxUnder = (): DOMRect | undefined => [...range.getClientRects()].find(holds);
  let passed = 0;
  for (let node = walker.nextNode() as Text | null; node !== null; node = walker.nextNode() as Text | null) {
    range.selectNodeContents(node);
    if (boxUnder() !== undefined) {
      for (let at = 0; at < node.length;) {
        const next = nextGrapheme(node.data, at);
        range.setStart(node, at);
        range.setEnd(node, next);
        const box = boxUnder();
        if (box !== undefined) return passed + (isPointInFirstHalf(node.data.slice(at, next), box, x, block) ? at : next);
        at = next;
      }
    }
    passed += node.length;
  }
  return undefined;
}

function isPointInFirstHalf(sign: string, box: DOMRect, x: number, block: HTMLElement): boolean {
  const rtl = RTL_SIGN.test(sign) || (!LTR_SIGN.test(sign) && getComputedStyle(block).direction === 'rtl');
  const leftHalf = x < (box.left + box.right) / 2;
  return rtl ? !leftHalf : leftHalf;
}

function nearestBlock(root: HTMLElement, x: number, y: number): HTMLElement | undefined {
  let best: HTMLElement | undefined;
  let distance = Infinity;
  let aside = Infinity;
  for (const block of root.querySelectorAll<HTMLElement>(BLOCK)) {
    // Cells of a table are next to each other, the shorter ones with empty space below.
    const box = (block.closest('td, th') ?? block).getBoundingClientRect();
    const away = distanceOutside(y, box.top, box.bottom);
    if (away > distance) continue;
    const beside = distanceOutside(x, box.left, box.right);
    if (away === distance && beside >= aside) continue;
    distance = away;
    aside = beside;
    best = block;
  }
  return best;
}

function distanceOutside(place: number, from: number, to: number): number {
  return place < from ? from - place : place > to ? place - to : 0;
}

/** Start of the first block visible below the top of the text, UTF-16. */
export function firstVisibleOffset(owner: Document): number | undefined {
  const top = owner.querySelector('.ann-scroller')?.getBoundingClientRect().top ?? 0;
  const blocks = [...owner.querySelectorAll<HTMLElement>(`.ann-root ${BLOCK}`)];
  const first = blocks
    .filter((block) => block.getBoundingClientRect().top >= top)
    .sort((a, b) => blockStartOffset(a) - blockStartOffset(b))[0];
  return first && blockStartOffset(first);
}

/** Ids of the spans under an event target, smallest first; a tag counts for its own span only. */
export function spanIdsAtEventTarget(target: EventTarget | null): readonly string[] {
  if (!(target instanceof Element)) return [];
  const held = spanHandleAtEventTarget(target);
  if (held !== undefined) return [held.id];
  return target.closest<HTMLElement>('[data-spans]')?.dataset.spans?.split(' ') ?? [];
}

/** The edge or tag of a span under an event target. */
export function spanHandleAtEventTarget(target: EventTarget | null): SpanHandle | undefined {
  if (!(target instanceof Element)) return undefined;
  const handle = target.closest<HTMLElement>('[data-handle-of]')?.dataset;
  if (handle?.handleOf !== undefined)
    return { id: handle.handleOf, part: handle.handle === 'start' ? 'start' : 'end', piece: Number(handle.piece ?? 0) };
  const tag = target.closest<HTMLElement>('[data-tag-of]')?.dataset.tagOf;
  return tag === undefined ? undefined : { id: tag, part: 'whole' };
}
