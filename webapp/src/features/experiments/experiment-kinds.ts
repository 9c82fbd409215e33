/** The tabs of the screen, and what an experiment is shown in. */
import type { Experiment } from '@/api/resources/experiments';

export const TABS = ['models', 'clusters', 'ranking'] as const;
export type ExperimentTab = (typeof TABS)[number];

/** Whether it groups texts into topics instead of learning labels. */
export const findsTopics = (experiment: Experiment): boolean => experiment.findsTopics === true || experiment.report?.topics !== undefined;

/** F1 of its model on the test part, 0..1; undefined where nothing was tested. */
export function testedF1(experiment: Experiment): number | undefined {
  if (experiment.models === 0 || experiment.report === undefined || findsTopics(experiment)) return undefined;
  return experiment.report.microAvg?.f1 ?? (experiment.quality ?? 0) / 100;
}

/** The tab of an address: the one it names, else the one that the open experiment is in. */
export function tabOf(named: string | null, current: Experiment | undefined): ExperimentTab {
  const tab = TABS.find((name) => name === named);
  if (tab !== undefined) return tab;
  return current !== undefined && findsTopics(current) ? 'clusters' : 'models';
}
