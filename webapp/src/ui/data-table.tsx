import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { useNarrow } from './media-query';
import { allRows, TableView, type DataTableProps, type ShownRows } from './table-view';

export { TwoLineCell, type Column, type DataTableProps, type Sort } from './table-view';

const VIRTUAL_FROM = 100;
/** Of a card before it is measured. */
const CARD_HEIGHT = 96;

/** The rows to draw: all, or from 100 rows on only those near the viewport. */
function useVirtualRows<T>(props: DataTableProps<T>): ShownRows<T> {
  const cards = useNarrow();
  const { rows, expanded, twoLines = false } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const virtual = rows.length >= VIRTUAL_FROM && expanded === undefined;
  const virtualizer = useVirtualizer({
    count: virtual ? rows.length : 0,
    getScrollElement: () => body.current?.closest<HTMLElement>('[data-scroll]') ?? null,
    estimateSize: () => (cards ? CARD_HEIGHT : twoLines ? 54 : 38),
    overscan: 12,
  });
  if (!virtual) return { ...allRows(rows), body };
  const items = virtualizer.getVirtualItems();
  return {
    body,
    virtual,
    shown: items.flatMap((item) => rows.slice(item.index, item.index + 1)),
    first: items[0]?.index ?? 0,
    measure: cards ? virtualizer.measureElement : undefined,
    before: items[0]?.start ?? 0,
    after: virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0),
  };
}

export function DataTable<T>(props: DataTableProps<T>) {
  return <TableView {...props} given={useVirtualRows(props)} />;
}
