/** The virtualiser, alone in its component: TanStack Virtual keeps mutable state, which the React compiler and its lint rules cannot see through. */
import { useImperativeHandle } from 'react';
import type { ReactNode, Ref } from 'react';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import type { Range } from '@tanstack/react-virtual';
import { usePrinting } from '@/components/media';

export interface VirtualRowsHandle {
  scrollToRow(index: number): void;
}

interface VirtualRowsProps {
  readonly count: number;
  /** The scrolling element, null before it is mounted. */
  readonly viewport: HTMLElement | null;
  /** Height of what scrolls above the rows. */
  readonly before: number;
  readonly estimate: (index: number) => number;
  /** Rows kept mounted wherever the scroll is: the one where a selection started. */
  readonly pinned: readonly number[];
  readonly renderRow: (index: number) => ReactNode;
  readonly ref?: Ref<VirtualRowsHandle>;
}

const OVERSCAN = 3;

export function VirtualRows({ count, viewport, before, estimate, pinned, renderRow, ref }: VirtualRowsProps): ReactNode {
  'use no memo';
  // Paper does not scroll: all rows are there, one below the other (annotation.css).
  const printing = usePrinting();
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => viewport,
    estimateSize: estimate,
    overscan: OVERSCAN,
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

function withPinned(indexes: number[], pinned: readonly number[], count: number): number[] {
  const extra = pinned.filter((index) => index >= 0 && index < count && !indexes.includes(index));
  return extra.length === 0 ? indexes : [...indexes, ...extra].sort((a, b) => a - b);
}
