/** How a figure changed since the training before. */
import { useTranslation } from 'react-i18next';
import type { Experiment, QualityFigures, Training } from '@/api/resources/experiments';
import { measurementOf } from '@/api/resources/measurement';
import { useFormat } from '@/ui/format';
import styles from './experiments.module.css';

export interface Change {
  readonly difference: number;
  /** The figure of the training before, and when that was. */
  readonly before: number;
  readonly timestamp: number;
  /** Both were measured in the same way; otherwise the difference says little. */
  readonly comparable: boolean;
}

function measuredTheSameWay(now: Training, before: Training): boolean {
  const [a, b] = [measurementOf(now.report), measurementOf(before.report)];
  return a?.method === b?.method && (a?.groupField ?? '') === (b?.groupField ?? '');
}

/** Difference of the last two trainings, newest first; undefined for the first training. */
export function changeSinceLastTraining(
  history: readonly Training[],
  read: (training: Training) => number | undefined,
): Change | undefined {
  const [now, before] = history;
  if (now === undefined || before === undefined) return undefined;
  const [value, former] = [read(now), read(before)];
  if (value === undefined || former === undefined) return undefined;
  return { difference: value - former, before: former, timestamp: before.timestamp, comparable: measuredTheSameWay(now, before) };
}

export const trainingF1 = (training: Training): number => training.report?.microAvg?.f1 ?? training.quality / 100;
export const trainingDistinctness = (training: Training): number => training.report?.distinctness ?? training.quality / 100;
export const trainingFigure = (metric: keyof QualityFigures) => (training: Training) => training.report?.microAvg?.[metric];

/** The difference with its sign, and on hover what it is compared to; nothing below 0.005. */
export function ScoreDelta({ change }: { readonly change: Change | undefined }) {
  const { t } = useTranslation('experiments');
  const format = useFormat();
  if (change === undefined || Math.abs(change.difference) < 0.005) return null;
  const { difference, before, timestamp, comparable } = change;
  const help = t(comparable ? 'delta.since' : 'delta.otherwise', { before: format.score(before), when: format.dateTime(timestamp) });
  return (
    <span className={styles['delta']} data-down={difference < 0 || undefined} data-other={!comparable || undefined} title={help}>
      {difference > 0 ? '+' : '−'}
      {format.score(Math.abs(difference))}
      <span className="visually-hidden"> {help}</span>
    </span>
  );
}

/** The change of one figure of an experiment. */
export function ExperimentDelta({
  experiment,
  read,
}: {
  readonly experiment: Experiment;
  readonly read: (one: Training) => number | undefined;
}) {
  return <ScoreDelta change={changeSinceLastTraining(experiment.history ?? [], read)} />;
}
