import { ArrowDown, ArrowUp } from 'lucide-react';
import type { KeyboardEvent, ReactNode, Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { CheckBox } from './check-box';
import { useNarrow } from './media-query';
import styles from './table.module.css';

export interface Column<T> {
  readonly key: string;
  readonly header: string;
  /** Tooltip of the header. */
  readonly headerTitle?: string;
  /** The cells say it: the header is there for screen readers. */
  readonly hideHeader?: boolean;
  readonly cell: (row: T) => ReactNode;
  /** Numbers are aligned right. */
  readonly align?: 'left' | 'right';
  readonly sortable?: boolean;
  readonly width?: number | string;
  /** Hidden where the table would be too wide: 1 below 1280 px, 2 below 1440 px. The cards of narrow windows show all columns. */
  readonly priority?: 1 | 2;
  /** A small column before the title, such as a star; the first other column is the title of a card. */
  readonly leading?: boolean;
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
  /** Called on Enter or click on a row. */
  readonly onOpen?: (row: T) => void;
  /** Key of the highlighted row, whose details are open. */
  readonly current?: string;
  /** Shown on hover and focus, unless `actionsAlways`. */
  readonly rowActions?: (row: T) => ReactNode;
  readonly actionsAlways?: boolean;
  /** A full-width part under a row. */
  readonly expanded?: (row: T) => ReactNode;
  readonly twoLines?: boolean;
  /** Name of a row, for its checkbox. */
  readonly rowName?: (row: T) => string;
  /** Outdated content during a refresh: dimmed. */
  readonly stale?: boolean;
}

function nextSort(key: string, sort: Sort | undefined): Sort {
  return { key, descending: sort?.key === key ? !sort.descending : false };
}

function withToggledKey(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return next;
}

/** Arrows move between rows, Space selects, Enter opens. */
function useRowKeyboard<T>(props: DataTableProps<T>) {
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
      ' ': () => props.onSelect?.(withToggledKey(props.selected ?? new Set(), key)),
    };
    const action = actions[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  };
}

/** Cards are no longer laid out as a table: explicit roles keep them one for screen readers. */
const NO_ROLES: Partial<Record<'table' | 'rowgroup' | 'row' | 'columnheader' | 'cell', string>> = {};
const CARD_ROLES: typeof NO_ROLES = { table: 'table', rowgroup: 'rowgroup', row: 'row', columnheader: 'columnheader', cell: 'cell' };

interface RowProps<T> {
  readonly props: DataTableProps<T>;
  readonly roles: typeof NO_ROLES;
}

function HeaderRow<T>({ props, roles }: RowProps<T>) {
  const { t } = useTranslation('common');
  const { columns, rows, sort, onSort, selected, onSelect, rowKey } = props;
  const all = rows.length > 0 && rows.every((row) => selected?.has(rowKey(row)) === true);
  return (
    <tr role={roles.row}>
      {onSelect !== undefined && (
        <th scope="col" role={roles.columnheader} className={styles['check']}>
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
            role={roles.columnheader}
            title={column.headerTitle}
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
            ) : column.hideHeader === true ? (
              <span className="visually-hidden">{column.header}</span>
            ) : (
              column.header
            )}
          </th>
        );
      })}
      {props.rowActions !== undefined && (
        <th scope="col" role={roles.columnheader} className={styles['actions']}>
          <span className="visually-hidden">{t('table.actions')}</span>
        </th>
      )}
    </tr>
  );
}

interface ColumnCellsProps<T> {
  readonly row: T;
  readonly columns: readonly Column<T>[];
  readonly roles: typeof NO_ROLES;
}

function ColumnCells<T>({ row, columns, roles }: ColumnCellsProps<T>) {
  const title = columns.find(({ leading }) => leading !== true);
  return columns.map((column) => (
    <td
      key={column.key}
      role={roles.cell}
      data-place={column.leading === true ? 'leading' : column === title ? 'title' : undefined}
      data-label={column.header}
      data-align={column.align}
      data-priority={column.priority}
    >
      {column.cell(row)}
    </td>
  ));
}

function SelectionCell<T>({ row, props, roles }: RowProps<T> & { readonly row: T }) {
  const { t } = useTranslation('common');
  const { selected, onSelect } = props;
  if (onSelect === undefined) return null;
  const key = props.rowKey(row);
  return (
    <td role={roles.cell} className={styles['check']}>
      <CheckBox
        name={t('table.select', { name: props.rowName?.(row) ?? key })}
        tabIndex={-1}
        checked={selected?.has(key) === true}
        onChange={() => onSelect(withToggledKey(selected ?? new Set(), key))}
      />
    </td>
  );
}

interface BodyRowProps<T> extends RowProps<T> {
  readonly row: T;
  readonly span: number;
  /** Of virtual rows whose height is not known: cards. */
  readonly measured: { readonly index: number; readonly ref: (element: HTMLElement | null) => void } | undefined;
}

function BodyRow<T>({ row, props, roles, span, measured }: BodyRowProps<T>) {
  const onKeyDown = useRowKeyboard(props);
  const { columns, selected, onOpen, rowActions } = props;
  const key = props.rowKey(row);
  const extra = props.expanded?.(row) ?? null;
  return (
    <>
      <tr
        role={roles.row}
        ref={measured?.ref}
        data-index={measured?.index}
        data-row
        data-current={props.current === key || undefined}
        data-open={onOpen !== undefined || undefined}
        data-expanded={extra !== null || undefined}
        aria-selected={selected?.has(key)}
        tabIndex={0}
        onClick={() => onOpen?.(row)}
        onKeyDown={(event) => onKeyDown(event, row)}
      >
        <SelectionCell {...{ row, props, roles }} />
        <ColumnCells row={row} columns={columns} roles={roles} />
        {rowActions !== undefined && (
          <td role={roles.cell} className={styles['actions']} onClick={(event) => event.stopPropagation()}>
            {rowActions(row)}
          </td>
        )}
      </tr>
      {extra !== null && (
        <tr role={roles.row} className={styles['extra']}>
          <td role={roles.cell} colSpan={span}>
            {extra}
          </td>
        </tr>
      )}
    </>
  );
}

function Spacer({ height, span }: { readonly height: number; readonly span: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden className={styles['spacer']} style={{ height }}>
      <td colSpan={span} />
    </tr>
  );
}

/** The rows to draw, where a table draws only those near the viewport. */
export interface ShownRows<T> {
  readonly body?: Ref<HTMLTableSectionElement>;
  readonly virtual: boolean;
  readonly shown: readonly T[];
  /** Index of the first of them. */
  readonly first: number;
  readonly measure: ((element: HTMLElement | null) => void) | undefined;
  /** Heights of the rows that are not drawn. */
  readonly before: number;
  readonly after: number;
}

export const allRows = <T,>(rows: readonly T[]): ShownRows<T> => ({
  virtual: false,
  shown: rows,
  first: 0,
  measure: undefined,
  before: 0,
  after: 0,
});

/** A `DataTable` that draws the given rows. */
export function TableView<T>({ given, ...props }: DataTableProps<T> & { readonly given: ShownRows<T> }) {
  const { columns, rows, rowKey, onSelect, rowActions, twoLines = false } = props;
  const cards = useNarrow();
  const roles = cards ? CARD_ROLES : NO_ROLES;
  const { body, virtual, shown, first, measure, before, after } = given;
  const span = columns.length + (onSelect === undefined ? 0 : 1) + (rowActions === undefined ? 0 : 1);
  return (
    <div className={styles['frame']} data-stale={props.stale === true || undefined}>
      <table
        className={styles['table']}
        role={roles.table}
        data-two-lines={twoLines || undefined}
        data-quiet={props.actionsAlways !== true || undefined}
        aria-label={props.label}
        aria-rowcount={virtual ? rows.length + 1 : undefined}
      >
        <thead role={roles.rowgroup}>
          <HeaderRow props={props} roles={roles} />
        </thead>
        <tbody ref={body} role={roles.rowgroup}>
          <Spacer height={before} span={span} />
          {shown.map((row, place) => (
            <BodyRow
              key={rowKey(row)}
              {...{ row, props, roles, span }}
              measured={measure === undefined ? undefined : { index: first + place, ref: measure }}
            />
          ))}
          <Spacer height={after} span={span} />
        </tbody>
      </table>
    </div>
  );
}

/** For lists of one page: draws all rows. */
export function PageTable<T>(props: DataTableProps<T>) {
  return <TableView {...props} given={allRows(props.rows)} />;
}

/** First column: bold name, small second line. */
export function TwoLineCell({ first, second }: { readonly first: ReactNode; readonly second?: ReactNode }) {
  return (
    <div className={styles['two']}>
      <span>{first}</span>
      {second !== undefined && second !== '' && <small>{second}</small>}
    </div>
  );
}
