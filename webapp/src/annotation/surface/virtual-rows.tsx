/**
 * The virtualiser in a component of its own: TanStack Virtual has mutable state, which the React compiler and its lint rules cannot
 * analyse.
 */
import { startTransition, useEffect, useImperativeHandle, useState } from 'react';
import type { ReactNode, Ref } from 'react';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import type { Range } from '@tanstack/react-virtual';
import { usePrinting } from '@/ui/media-query';

export interface VirtualRowsHandle {
  scrollToRow(index: number): void;
}

interface VirtualRowsProps {
  readonly count: number;
  /** The scrolling element, null before it is mounted. */
  readonly viewport: HTMLElement | null;
  /** Height of the content that scrolls above the rows. */
  readonly before: number;
  readonly estimate: (index: number) => number;
  /** Rows kept mounted at any scroll position: the one where a selection started. */
  readonly pinned: readonly number[];
  readonly renderRow: (index: number) => ReactNode;
  readonly ref?: Ref<VirtualRowsHandle>;
}

/** Rows drawn above and below the visible ones. */
const OVERSCAN = 2;
/** Milliseconds, including the first paint. */
const SETTLED_AFTER = 200;

export function VirtualRows({ count, viewport, before, estimate, pinned, renderRow, ref }: VirtualRowsProps): ReactNode {
  'use no memo';
  // Paper does not scroll: all rows are mounted, one below the other (annotation.css).
  const printing = usePrinting();
  const settled = useAfterFirstPaint(viewport);
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => viewport,
    estimateSize: estimate,
    overscan: settled ? OVERSCAN : 0,
    scrollMargin: before,
    rangeExtractor: (range: Range) =>
      printing ? Array.from({ length: count }, (_, index) => index) : withPinned(defaultRangeExtractor(range), pinned, count),
  });
  useImperativeHandle(ref, () => ({ scrollToRow: (index) => virtualizer.scrollToIndex(index, { align: 'center' }) }), [virtualizer]);
  return (
    <div className="ann-rows" style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map((item) => (
        <div
          key={item.key}
          ref={virtualizer.measureElement}
          data-index={item.index}
          className="ann-row"
          style={{ transform: `translateY(${String(item.start - before)}px)` }}
        >
          {renderRow(item.index)}
        </div>
      ))}
    </div>
  );
}

/** True shortly after the first paint: visible rows are drawn first, the rows to scroll to afterwards. */
function useAfterFirstPaint(viewport: HTMLElement | null): boolean {
  const [settled, setSettled] = useState(false);
  useEffect(() => {
    if (viewport === null) return undefined;
    const timer = setTimeout(() => startTransition(() => setSettled(true)), SETTLED_AFTER);
    return () => clearTimeout(timer);
  }, [viewport]);
  return settled;
}

function withPinned(indexes: number[], pinned: readonly number[], count: number): number[] {
  const extra = pinned.filter((index) => index >= 0 && index < count && !indexes.includes(index));
  return extra.length === 0 ? indexes : [...indexes, ...extra].sort((a, b) => a - b);
}
