import { useFormat } from '@/ui/format';
import { Tooltip } from '@/ui/tooltip';
import { axisTicks } from './scales';
import styles from './charts.module.css';

export interface ColumnBar {
  readonly key: string;
  /** Label below the column. */
  readonly name: string;
  /** Tooltip. */
  readonly title: string;
  readonly value: number;
}

/** Vertical bars from 0 on a common baseline: a distribution. */
export function ColumnChart({ columns, summary }: { readonly columns: readonly ColumnBar[]; readonly summary: string }) {
  const format = useFormat();
  const lines = axisTicks(Math.max(1, ...columns.map(({ value }) => value)));
  const top = lines.at(-1) ?? 1;
  return (
    <div className={styles['columns']} role="img" aria-label={summary}>
      <div className={styles['scale']} aria-hidden>
        {lines.map((line) => (
          <span key={line} style={{ bottom: `${(100 * line) / top}%` }}>
            <span>{format.number(line)}</span>
          </span>
        ))}
      </div>
      <div className={styles['plot']} aria-hidden>
        {columns.map(({ key, name, title, value }) => (
          <Tooltip key={key} title={title} detail={format.number(value)}>
            <div>
              <span style={{ height: `${(100 * value) / top}%` }} />
              <small>{name}</small>
            </div>
          </Tooltip>
        ))}
      </div>
    </div>
  );
}
