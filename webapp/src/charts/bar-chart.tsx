import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Button } from '@/ui/button';
import { useFormat } from '@/ui/format';
import { Tooltip } from '@/ui/tooltip';
import styles from './charts.module.css';

export type BarPartStyle = 'solid' | 'hatched' | 'faint';

export interface BarPart {
  readonly value: number;
  /** Name of the part, for legend and tooltip. */
  readonly name: string;
  readonly look: BarPartStyle;
}

export interface BarRow {
  readonly key: string;
  readonly name: string;
  /** Shown before the name: the tag of a label. */
  readonly mark?: ReactNode;
  readonly parts: readonly BarPart[];
  /** Bar colour; `--ring` by default. */
  readonly colour?: string | undefined;
  /** Link target. */
  readonly to?: string | undefined;
}

export const barRowTotal = (row: BarRow): number => row.parts.reduce((sum, part) => sum + part.value, 0);

const FIRST = 12;

type ShownValue = 'total' | 'first';

function BarLine({ row, top, value }: { readonly row: BarRow; readonly top: number; readonly value: ShownValue }) {
  const format = useFormat();
  const shown = row.parts.filter((part) => part.value > 0);
  const total = format.number(value === 'first' ? (row.parts[0]?.value ?? 0) : barRowTotal(row));
  const detail = row.parts.length > 1 ? shown.map((part) => `${part.name}: ${format.number(part.value)}`).join(', ') : null;
  const content = (
    <>
      <span className={styles['bar-name']}>
        {row.mark}
        <span>{row.name}</span>
      </span>
      <span className={styles['bar']} style={{ color: row.colour ?? 'var(--ring)' }} aria-hidden>
        {shown.map((part) => (
          <span key={part.name} data-look={part.look} style={{ width: `${(100 * part.value) / top}%` }} />
        ))}
      </span>
      <span className={styles['bar-value']}>{total}</span>
      {detail !== null && <span className="visually-hidden">{detail}</span>}
    </>
  );
  return (
    <li>
      <Tooltip title={`${row.name}: ${total}`} detail={detail}>
        {row.to === undefined ? (
          <div className={styles['bar-row']}>{content}</div>
        ) : (
          <Link className={styles['bar-row']} to={row.to}>
            {content}
          </Link>
        )}
      </Tooltip>
    </li>
  );
}

/** Horizontal bars from 0, in the given order; a row with a link leads to the counted items. */
export function BarChart({ rows, shownValue = 'total' }: { readonly rows: readonly BarRow[]; readonly shownValue?: ShownValue }) {
  const { t } = useTranslation('charts');
  const [all, setAll] = useState(false);
  const top = Math.max(1, ...rows.map(barRowTotal));
  const looks = rows[0]?.parts.length === 1 ? [] : (rows[0]?.parts ?? []);
  const shown = all || rows.length <= FIRST + 1 ? rows : rows.slice(0, FIRST);
  return (
    <>
      {looks.length > 0 && (
        <ul className={styles['legend']} aria-hidden>
          {looks.map(({ name, look }) => (
            <li key={name}>
              <span className={styles['swatch']} data-look={look} />
              {name}
            </li>
          ))}
        </ul>
      )}
      <ul className={styles['bars']}>
        {shown.map((row) => (
          <BarLine key={row.key} row={row} top={top} value={shownValue} />
        ))}
      </ul>
      {rows.length > FIRST + 1 && (
        <Button kind="quiet" small aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t('fewer') : t('more', { count: rows.length - FIRST })}
        </Button>
      )}
    </>
  );
}
