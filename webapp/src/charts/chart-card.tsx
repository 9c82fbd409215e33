import { ChartColumn, Download, Table2 } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '@/ui/format';
import { IconButton } from '@/ui/icon-button';
import { saveFile } from '@/ui/save-file';
import { toCsv, type ChartTable } from './csv';
import styles from './charts.module.css';

/** The numbers as a table, for reading single values and for screen readers. */
function NumbersTable({ label, table }: { readonly label: string; readonly table: ChartTable }) {
  const format = useFormat();
  return (
    <div className={styles['numbers']} tabIndex={0} role="region" aria-label={label}>
      <table aria-label={label}>
        <thead>
          <tr>
            {table.columns.map((column, place) => (
              <th key={place} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, place) => (
            <tr key={place}>
              {row.map((cell, column) =>
                column === 0 ? (
                  <th key={column} scope="row">
                    {cell}
                  </th>
                ) : (
                  <td key={column}>{typeof cell === 'number' ? format.number(cell) : cell}</td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export interface ChartCardProps {
  readonly title: string;
  readonly help?: ReactNode;
  /** Right of the title: a choice of what is shown. */
  readonly aside?: ReactNode;
  /** One sentence that describes the chart. */
  readonly summary: string;
  /** Name of the exported file, without extension. */
  readonly file: string;
  readonly table: ChartTable;
  /** Shown instead of an empty chart. */
  readonly empty?: ReactNode;
  readonly wide?: boolean;
  /** Outdated numbers during a refresh. */
  readonly stale?: boolean;
  /** While loading, the children show a placeholder. */
  readonly loading?: boolean;
  readonly children: ReactNode;
}

function ChartTools({
  props,
  asTable,
  onTable,
}: {
  readonly props: ChartCardProps;
  readonly asTable: boolean;
  readonly onTable: (asTable: boolean) => void;
}) {
  const { t } = useTranslation('charts');
  const { title, file, table } = props;
  return (
    <div className={styles['tools']}>
      <IconButton
        small
        icon={asTable ? ChartColumn : Table2}
        label={t(asTable ? 'asChart' : 'asTable', { title })}
        onClick={() => onTable(!asTable)}
      />
      <IconButton
        small
        icon={Download}
        label={t('download', { title })}
        onClick={() => saveFile(`${file}.csv`, toCsv(table), 'text/csv;charset=utf-8')}
      />
    </div>
  );
}

/** The frame of every chart: summary, chart or table, export of the numbers. */
export function ChartCard(props: ChartCardProps) {
  const { title, help, aside, summary, table, empty, wide = false, stale = false, loading = false, children } = props;
  const { t } = useTranslation('charts');
  const id = useId();
  const [asTable, setAsTable] = useState(false);
  const nothing = !loading && table.rows.length === 0;
  return (
    <section className={styles['card']} aria-labelledby={id} data-wide={wide || undefined}>
      <header>
        <div>
          <h2 id={id}>{title}</h2>
          {help !== undefined && <small>{help}</small>}
        </div>
        {aside}
        {!nothing && !loading && <ChartTools props={props} asTable={asTable} onTable={setAsTable} />}
      </header>
      <div className={styles['body']} data-stale={stale || undefined}>
        {nothing ? (
          <p className={styles['nothing']}>{empty ?? t('nothing')}</p>
        ) : asTable && !loading ? (
          <NumbersTable label={title} table={table} />
        ) : (
          <>
            <p className="visually-hidden">{summary}</p>
            {children}
          </>
        )}
      </div>
    </section>
  );
}
