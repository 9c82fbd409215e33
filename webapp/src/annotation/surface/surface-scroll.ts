/** Heights and scrolling of the surface. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { rowIndexAt } from '@/text/rows';
import type { Row } from '@/text/rows';
import type { VirtualRowsHandle } from './virtual-rows';

const SIGNS_PER_LINE = 105;
const LINE = 42;

export function estimateHeight(row: Row | undefined, readingSize: number): number {
  const lines = (row?.blocks ?? []).reduce((sum, block) => sum + Math.ceil((block.end - block.start) / SIGNS_PER_LINE), 0);
  return Math.max(1, lines) * LINE * (readingSize / 15);
}

/** Scrolls the offset into view, unless it is visible already. */
export function revealOffset(
  offset: number,
  rows: readonly Row[],
  root: HTMLElement | null,
  scroller: HTMLElement | null,
  list: VirtualRowsHandle | null,
): void {
  const index = rowIndexAt(rows, offset);
  const row = rows[index];
  const start = row?.blocks.find((block) => offset < block.end)?.start;
  const own = root?.querySelector(`[data-start="${String(start)}"]`)?.getBoundingClientRect();
  const box = scroller?.getBoundingClientRect();
  const visible = box !== undefined && own !== undefined && own.top >= box.top && own.bottom <= box.bottom;
  if (!visible && row !== undefined) list?.scrollToRow(index);
}

/** Height of the content that scrolls above the rows. */
export function useHeaderHeight(viewport: HTMLElement | null): number {
  const [height, setHeight] = useState(0);
  useEffect(() => {
    const header = viewport?.firstElementChild;
    if (!header || typeof ResizeObserver === 'undefined') return undefined;
    const observer = new ResizeObserver(() => setHeight(header.getBoundingClientRect().height));
    observer.observe(header);
    return () => observer.disconnect();
  }, [viewport]);
  return height;
}

/**
 * The scrolling element. The virtualiser, a child, runs its layout effect before the ref of this ancestor is set, so it is passed as state.
 */
export function useScroller() {
  const scroller = useRef<HTMLDivElement>(null);
  const [viewport, setViewport] = useState<HTMLElement | null>(null);
  const scrollerRef = useCallback((element: HTMLDivElement | null) => {
    scroller.current = element;
    setViewport(element);
  }, []);
  return { scroller, scrollerRef, viewport };
}
