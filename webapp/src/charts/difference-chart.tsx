import { useFormat } from '@/ui/format';
import { Tooltip } from '@/ui/tooltip';
import styles from './charts.module.css';

export interface DifferenceBar {
  readonly key: string;
  /** Tooltip. */
  readonly name: string;
  /** -1..1 */
  readonly value: number;
}

export interface DifferenceChartProps {
  /** In the order in which they are drawn. */
  readonly bars: readonly DifferenceBar[];
  readonly summary: string;
  /** What a bar above and below the line means. */
  readonly above: string;
  readonly below: string;
}

/** Paired differences: one column for each pair, above the line where the second value is greater, below it where the first is. */
export function DifferenceChart({ bars, summary, above, below }: DifferenceChartProps) {
  const format = useFormat();
  const top = Math.max(0.1, ...bars.map(({ value }) => Math.abs(value)));
  const share = (value: number) => `${String((50 * Math.abs(value)) / top)}%`;
  const signed = (value: number) => `${value < 0 ? '−' : '+'}${format.score(Math.abs(value))}`;
  return (
    <figure className={styles['differences']} role="img" aria-label={summary}>
      <div className={styles['difference-scale']} aria-hidden>
        <span>{signed(top)}</span>
        <span>0</span>
        <span>{signed(-top)}</span>
      </div>
      <div className={styles['difference-plot']} aria-hidden>
        <small>{above}</small>
        <small>{below}</small>
        {bars.map(({ key, name, value }) => (
          <Tooltip key={key} title={name} detail={signed(value)}>
            <span data-below={value < 0 || undefined}>
              <span style={{ height: share(value), ...(value < 0 ? { top: '50%' } : { bottom: '50%' }) }} />
            </span>
          </Tooltip>
        ))}
      </div>
    </figure>
  );
}
