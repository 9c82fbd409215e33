/** The tabs of the screen, and what an experiment is shown in. */
import type { Experiment } from '@/api/resources/experiments';
import type { QualityKind } from '@/api/resources/ranking-experiments';

/** `ranking` is that of the models. */
export const MODEL_TABS = ['models', 'clusters', 'ranking'] as const;
export type ModelTab = (typeof MODEL_TABS)[number];
/** The tabs of the experiments on saved questions, by kind. */
export const KIND_TABS = { ranking: 'search', answers: 'answers' } as const satisfies Record<QualityKind, string>;
export const QUALITY_TABS = Object.values(KIND_TABS);
export type ExperimentTab = ModelTab | (typeof QUALITY_TABS)[number];

export const QUESTIONS_NATURE = 'question_answering';

/** The kind of experiments of a tab; undefined for the tabs of models. */
export const kindOfTab = (tab: string | null): QualityKind | undefined =>
  (Object.keys(KIND_TABS) as QualityKind[]).find((kind) => KIND_TABS[kind] === tab);

/** Whether it groups texts into topics instead of learning labels. */
export const findsTopics = (experiment: Experiment): boolean => experiment.findsTopics === true || experiment.report?.topics !== undefined;

/** F1 of its model on the test part, 0..1; undefined where nothing was tested. */
export function testedF1(experiment: Experiment): number | undefined {
  if (experiment.models === 0 || experiment.report === undefined || findsTopics(experiment)) return undefined;
  return experiment.report.microAvg?.f1 ?? (experiment.quality ?? 0) / 100;
}

/** The tab of models in an address: the one it names, else the one that the open experiment is in. */
export function tabOf(named: string | null, current: Experiment | undefined): ModelTab {
  const tab = MODEL_TABS.find((name) => name === named);
  if (tab !== undefined) return tab;
  return current !== undefined && findsTopics(current) ? 'clusters' : 'models';
}
