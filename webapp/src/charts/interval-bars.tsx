/** Shares from 0 to 1 as horizontal bars on one axis, each with its confidence interval. */
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/button';
import { useFormat } from '@/ui/format';
import styles from './charts.module.css';

type Interval = readonly [low: number, high: number];

export interface IntervalBarRow {
  readonly key: string;
  readonly name: string;
  /** A word after the name, such as a badge. */
  readonly mark?: ReactNode;
  readonly value: number | undefined;
  readonly interval?: Interval | undefined;
  /** The one that stands out. */
  readonly best?: boolean;
}

const FIRST = 12;
const percent = (share: number) => `${String(100 * Math.min(1, Math.max(0, share)))}%`;

/** One bar, without its number. */
export function IntervalBar({ value, interval, best = false }: Pick<IntervalBarRow, 'interval' | 'best'> & { readonly value: number }) {
  return (
    <span className={styles['interval-bar']} aria-hidden>
      <span data-best={best || undefined} style={{ width: percent(value) }} />
      {interval !== undefined && <i style={{ left: percent(interval[0]), width: percent(interval[1] - interval[0]) }} />}
    </span>
  );
}

function IntervalBarLine({ row }: { readonly row: IntervalBarRow }) {
  const { t } = useTranslation('charts');
  const format = useFormat();
  const { name, mark, value, interval, best = false } = row;
  const bounds = interval?.map((bound) => format.score(bound));
  return (
    <li>
      <span className={styles['interval-name']}>
        <span title={name}>{name}</span>
        {mark}
      </span>
      {value === undefined ? <span /> : <IntervalBar {...{ value, interval, best }} />}
      <span className={styles['interval-value']}>
        <strong>{value === undefined ? '–' : format.score(value)}</strong>
        {bounds !== undefined && <small>{t('interval', { low: bounds[0], high: bounds[1] })}</small>}
      </span>
    </li>
  );
}

/** In the given order; the first twelve until the others are asked for. */
export function IntervalBars({ rows }: { readonly rows: readonly IntervalBarRow[] }) {
  const { t } = useTranslation('charts');
  const [all, setAll] = useState(false);
  const shown = all || rows.length <= FIRST + 1 ? rows : rows.slice(0, FIRST);
  return (
    <>
      <ol className={styles['interval-bars']}>
        {shown.map((row) => (
          <IntervalBarLine key={row.key} row={row} />
        ))}
      </ol>
      {rows.length > FIRST + 1 && (
        <Button kind="quiet" small aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t('fewer') : t('more', { count: rows.length - FIRST })}
        </Button>
      )}
    </>
  );
}
