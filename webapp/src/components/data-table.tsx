import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useRef, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CheckBox } from './choices';
import styles from './table.module.css';

export interface Column<T> {
  readonly key: string;
  readonly header: string;
  readonly cell: (row: T) => ReactNode;
  /** Numbers go right. */
  readonly align?: 'left' | 'right';
  readonly sortable?: boolean;
  readonly width?: number | string;
  /** Higher numbers leave first when the page is narrow: 1 goes below 1280 px, 2 below 1440 px. */
  readonly priority?: 1 | 2;
}

export interface Sort {
  readonly key: string;
  readonly descending: boolean;
}

export interface DataTableProps<T> {
  /** Name of the table for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly rowKey: (row: T) => string;
  readonly sort?: Sort;
  readonly onSort?: (sort: Sort) => void;
  readonly selected?: ReadonlySet<string>;
  readonly onSelect?: (keys: ReadonlySet<string>) => void;
  /** Enter or click on a row. */
  readonly onOpen?: (row: T) => void;
  /** Highlighted row: the one whose details are open. */
  readonly current?: string;
  /** Appears on hover and focus, unless `actionsAlways`. */
  readonly rowActions?: (row: T) => ReactNode;
  readonly actionsAlways?: boolean;
  /** A full-width part under a row. */
  readonly expanded?: (row: T) => ReactNode;
  readonly twoLines?: boolean;
  /** Name of a row, for its checkbox. */
  readonly rowName?: (row: T) => string;
  /** Old content while refreshing: dimmed. */
  readonly stale?: boolean;
}

const VIRTUAL_FROM = 100;

function nextSort(key: string, sort: Sort | undefined): Sort {
  return { key, descending: sort?.key === key ? !sort.descending : false };
}

function toggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return next;
}

/** Arrows move between rows, Space selects, Enter opens. */
function useRowKeys<T>(props: DataTableProps<T>) {
  return (event: KeyboardEvent<HTMLTableRowElement>, row: T) => {
    if (event.target !== event.currentTarget) return;
    const key = props.rowKey(row);
    const neighbour = (direction: 'next' | 'previous') => {
      let element: Element | null = event.currentTarget;
      do element = direction === 'next' ? element.nextElementSibling : element.previousElementSibling;
      while (element !== null && !element.hasAttribute('data-row'));
      (element as HTMLElement | null)?.focus();
    };
    const actions: Record<string, () => void> = {
      ArrowDown: () => neighbour('next'),
      ArrowUp: () => neighbour('previous'),
      Enter: () => props.onOpen?.(row),
      ' ': () => props.onSelect?.(toggled(props.selected ?? new Set(), key)),
    };
    const action = actions[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  };
}

function HeaderRow<T>({ props }: { readonly props: DataTableProps<T> }) {
  const { t } = useTranslation('common');
  const { columns, rows, sort, onSort, selected, onSelect, rowKey } = props;
  const all = rows.length > 0 && rows.every((row) => selected?.has(rowKey(row)) === true);
  return (
    <tr>
      {onSelect !== undefined && (
        <th scope="col" className={styles['check']}>
          <CheckBox
            name={t('table.selectAll')}
            checked={all}
            mixed={!all && (selected?.size ?? 0) > 0}
            onChange={() => onSelect(all ? new Set() : new Set(rows.map(rowKey)))}
          />
        </th>
      )}
      {columns.map((column) => {
        const active = sort?.key === column.key;
        const Arrow = sort?.descending === true ? ArrowDown : ArrowUp;
        return (
          <th
            key={column.key}
            scope="col"
            data-align={column.align}
            data-priority={column.priority}
            style={{ width: column.width }}
            aria-sort={active ? (sort.descending ? 'descending' : 'ascending') : undefined}
          >
            {column.sortable === true && onSort !== undefined ? (
              <button type="button" onClick={() => onSort(nextSort(column.key, sort))}>
                {column.header}
                {active && <Arrow size={12} aria-hidden />}
              </button>
            ) : (
              column.header
            )}
          </th>
        );
      })}
      {props.rowActions !== undefined && (
        <th scope="col" className={styles['actions']}>
          <span className="visually-hidden">{t('table.actions')}</span>
        </th>
      )}
    </tr>
  );
}

export function DataTable<T>(props: DataTableProps<T>) {
  const { columns, rows, rowKey, selected, onSelect, onOpen, rowActions, expanded, twoLines = false } = props;
  const { t } = useTranslation('common');
  const onKeyDown = useRowKeys(props);
  const body = useRef<HTMLTableSectionElement>(null);
  const span = columns.length + (onSelect === undefined ? 0 : 1) + (rowActions === undefined ? 0 : 1);
  const rowHeight = twoLines ? 54 : 38;
  const virtual = rows.length >= VIRTUAL_FROM && expanded === undefined;
  const virtualizer = useVirtualizer({
    count: virtual ? rows.length : 0,
    getScrollElement: () => body.current?.closest<HTMLElement>('[data-scroll]') ?? null,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  const window = virtual ? virtualizer.getVirtualItems() : null;
  const shown = window === null ? rows.map((_row, index) => index) : window.map((item) => item.index);
  const before = window?.[0]?.start ?? 0;
  const after = window === null ? 0 : virtualizer.getTotalSize() - (window.at(-1)?.end ?? 0);
  return (
    <div className={styles['frame']} data-stale={props.stale === true || undefined}>
      <table className={styles['table']} data-two-lines={twoLines || undefined} data-quiet={props.actionsAlways !== true || undefined} aria-label={props.label} aria-rowcount={virtual ? rows.length + 1 : undefined}>
        <thead>
          <HeaderRow props={props} />
        </thead>
        <tbody ref={body}>
          {before > 0 && (
            <tr aria-hidden style={{ height: before }}>
              <td colSpan={span} />
            </tr>
          )}
          {shown.map((index) => {
            const row = rows[index];
            if (row === undefined) return null;
            const key = rowKey(row);
            const extra = expanded?.(row);
            return [
              <tr
                key={key}
                data-row
                data-current={props.current === key || undefined}
                data-open={onOpen !== undefined || undefined}
                data-expanded={(extra !== undefined && extra !== null) || undefined}
                aria-selected={selected?.has(key)}
                tabIndex={0}
                onClick={onOpen === undefined ? undefined : () => onOpen(row)}
                onKeyDown={(event) => onKeyDown(event, row)}
              >
                {onSelect !== undefined && (
                  <td className={styles['check']}>
                    <CheckBox name={t('table.select', { name: props.rowName?.(row) ?? key })} tabIndex={-1} checked={selected?.has(key) === true} onChange={() => onSelect(toggled(selected ?? new Set(), key))} />
                  </td>
                )}
                {columns.map((column) => (
                  <td key={column.key} data-align={column.align} data-priority={column.priority}>
                    {column.cell(row)}
                  </td>
                ))}
                {rowActions !== undefined && (
                  <td className={styles['actions']} onClick={(event) => event.stopPropagation()}>
                    {rowActions(row)}
                  </td>
                )}
              </tr>,
              extra !== undefined && extra !== null && (
                <tr key={`${key}/extra`} className={styles['extra']}>
                  <td colSpan={span}>{extra}</td>
                </tr>
              ),
            ];
          })}
          {after > 0 && (
            <tr aria-hidden style={{ height: after }}>
              <td colSpan={span} />
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}

/** First column: strong name, small second line. */
export function TwoLines({ first, second }: { readonly first: ReactNode; readonly second?: ReactNode }) {
  return (
    <div className={styles['two']}>
      <span>{first}</span>
      {second !== undefined && second !== '' && <small>{second}</small>}
    </div>
  );
}
