/** Charts and figures of trainings. Each chart has a text alternative. */
import { useTranslation } from 'react-i18next';
import type { QualityFigures, Training, TrainingReport } from '@/api/resources/experiments';
import { useFormat } from '@/ui/format';
import { When } from '@/ui/when';
import { trainingF1 } from './score-delta';
import styles from './experiments.module.css';

/** C-076 */
export const METRICS = ['f1', 'precision', 'recall', 'roc_auc', 'ndcg', 'rr', 'ap', 'support'] as const;
export type Metric = (typeof METRICS)[number];
export const AVERAGES = ['micro', 'macro', 'weighted', 'samples'] as const;
export type AverageType = (typeof AVERAGES)[number];

export const averageFigures = (report: TrainingReport | undefined | null, average: AverageType): QualityFigures | undefined =>
  report?.[`${average}Avg`];

/** Metrics present in at least one row, in the order of C-076. */
export function presentMetrics(rows: readonly (QualityFigures | undefined)[]): Metric[] {
  return METRICS.filter((metric) => rows.some((row) => typeof row?.[metric] === 'number'));
}

/** C-034: at most ten; the server returns the newest first, a chart starts with the oldest. */
export const oldestFirst = (history: readonly Training[]): Training[] => history.slice(0, 10).reverse();

export function ScoreBar({ share, weak = false }: { readonly share: number; readonly weak?: boolean }) {
  return (
    <span className={styles['bar']} data-weak={weak || undefined} aria-hidden>
      <span style={{ width: `${String(Math.round(100 * Math.min(1, Math.max(0, share))))}%` }} />
    </span>
  );
}

/** F1 of the last trainings of one experiment, as a line in a table cell. */
export function Sparkline({ history }: { readonly history: readonly Training[] }) {
  const { t } = useTranslation('experiments');
  const format = useFormat();
  const values = oldestFirst(history).map(trainingF1);
  if (values.length === 0) return null;
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = (index: number) => (values.length === 1 ? 61 : 3 + (index * 58) / (values.length - 1));
  const y = (value: number) => (high === low ? 10 : 17 - (14 * (value - low)) / (high - low));
  const last = values.at(-1) ?? 0;
  return (
    <svg width={64} height={20} role="img" aria-label={t('sparkline', { count: values.length, last: format.score(last) })}>
      <polyline
        points={values.map((value, index) => `${String(x(index))},${String(y(value))}`).join(' ')}
        fill="none"
        stroke="var(--text2)"
        strokeWidth="1.5"
      />
      <circle cx={x(values.length - 1)} cy={y(last)} r="2.5" fill="var(--text2)" />
    </svg>
  );
}

const WIDTH = 460;
const HEIGHT = 220;
const LEFT = 34;
const RIGHT = 64;
const TOP = 12;
const BOTTOM = 28;
const LINES = 5;

/** Axis bounds at tenths around the values; a text mentions that the axis is cut. */
export function axisBounds(values: readonly number[]): readonly [number, number] {
  const low = Math.max(0, Math.floor((Math.min(...values) - 0.05) * 10) / 10);
  const high = Math.min(1, Math.ceil((Math.max(...values) + 0.01) * 10) / 10);
  return high - low < 0.2 ? [Math.max(0, high - 0.2), high] : [low, high];
}

/** F1, precision and recall of each training, oldest first; lines differ by shape and dash, with labels at their ends. */
export function TrainingHistoryChart({ history }: { readonly history: readonly Training[] }) {
  const { t } = useTranslation('experiments');
  const format = useFormat();
  const trainings = oldestFirst(history);
  const series = (['f1', 'precision', 'recall'] as const).map((metric) => ({
    metric,
    values: trainings.map((training) => training.report?.microAvg?.[metric] ?? 0),
  }));
  if (trainings.length < 2) return <p className={styles['chart-empty']}>{t('historyOne')}</p>;
  const [low, high] = axisBounds(series.flatMap((line) => line.values));
  const x = (index: number) => LEFT + (index * (WIDTH - LEFT - RIGHT)) / (trainings.length - 1);
  const y = (value: number) => TOP + ((high - value) * (HEIGHT - TOP - BOTTOM)) / (high - low);
  const ticks = Array.from({ length: LINES }, (_tick, index) => low + ((high - low) * index) / (LINES - 1));
  const ends = spreadLabelPositions(series.map((line) => y(line.values.at(-1) ?? 0)));
  const first = series[0]?.values ?? [];
  const summary = t('historySummary', {
    count: trainings.length,
    first: format.score(first[0] ?? 0),
    last: format.score(first.at(-1) ?? 0),
  });
  return (
    <svg className={styles['chart']} viewBox={`0 0 ${String(WIDTH)} ${String(HEIGHT)}`} role="img" aria-label={summary}>
      {ticks.map((tick) => (
        <g key={tick}>
          <line x1={LEFT} x2={WIDTH - RIGHT} y1={y(tick)} y2={y(tick)} stroke="var(--line)" />
          <text x={LEFT - 6} y={y(tick) + 4} textAnchor="end">
            {format.score(tick)}
          </text>
        </g>
      ))}
      {trainings.map((training, index) => (
        <text key={training.timestamp} x={x(index)} y={HEIGHT - 8} textAnchor="middle">
          {index + 1}
        </text>
      ))}
      {series.map(({ metric, values }, line) => (
        <g key={metric} data-metric={metric}>
          <polyline points={values.map((value, index) => `${String(x(index))},${String(y(value))}`).join(' ')} />
          {values.map((value, index) => (
            <circle key={index} cx={x(index)} cy={y(value)} r={metric === 'f1' ? 3.5 : 2} />
          ))}
          <text x={WIDTH - RIGHT + 8} y={(ends[line] ?? 0) + 4}>
            {t(`metric.${metric}`)}
          </text>
        </g>
      ))}
    </svg>
  );
}

/** Spreads labels at line ends so that they are at least 13 px apart. */
export function spreadLabelPositions(wanted: readonly number[], gap = 13): number[] {
  const order = wanted.map((value, index) => ({ value, index })).sort((a, b) => a.value - b.value);
  const placed: number[] = [];
  let last = -Infinity;
  for (const { value, index } of order) {
    last = Math.max(value, last + gap);
    placed[index] = last;
  }
  return placed;
}

/** The same figures as a table. */
export function TrainingHistoryTable({ history }: { readonly history: readonly Training[] }) {
  const { t } = useTranslation('experiments');
  const format = useFormat();
  return (
    <table className={styles['history-table']} aria-label={t('history')}>
      <thead>
        <tr>
          <th scope="col">{t('column.trained')}</th>
          <th scope="col">{t('trainedOn')}</th>
          {(['f1', 'precision', 'recall'] as const).map((metric) => (
            <th key={metric} scope="col">
              {t(`metric.${metric}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {history.slice(0, 10).map((training) => (
          <tr key={training.timestamp}>
            <td>
              <When at={training.timestamp} />
            </td>
            <td>{training.trainingSize === undefined ? '–' : format.number(training.trainingSize)}</td>
            {(['f1', 'precision', 'recall'] as const).map((metric) => {
              const value = training.report?.microAvg?.[metric];
              return <td key={metric}>{value === undefined ? '–' : format.score(value)}</td>;
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
