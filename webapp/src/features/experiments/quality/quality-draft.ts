/** What the dialog of an experiment holds while it is filled in. Pure. */
import type {
  AnswerParameters,
  QualityExperiment,
  QualityKind,
  QualityParameters,
  RankingParameters,
} from '@/api/resources/ranking-experiments';
import { ANSWER_DEFAULTS, RANKING_DEFAULTS, wholeNumber } from './quality-rules';

/** Bounds of the numbers, as the server has them. */
export const BOUNDS = {
  ranking: { folds: [2, 20], depth: [10, 500], seed: [0, 2 ** 31 - 1] },
  answers: { maxQuestions: [1, 10_000], maxCalls: [0, 10_000], callsPerMinute: [1, 600], seed: [0, 2 ** 31 - 1] },
} as const satisfies Record<QualityKind, Record<string, readonly [number, number]>>;

export type NumberName = keyof typeof BOUNDS.ranking | keyof typeof BOUNDS.answers;

export const numbersOf = (kind: QualityKind): readonly NumberName[] => Object.keys(BOUNDS[kind]) as NumberName[];
export const boundsOf = (kind: QualityKind, name: NumberName): readonly [number, number] =>
  (BOUNDS[kind] as Partial<Record<NumberName, readonly [number, number]>>)[name] ?? [0, 0];

/** The parameters of both kinds; numbers as they are typed. */
export interface QualityFormDraft
  extends Omit<RankingParameters, 'folds' | 'depth' | 'seed'>, Pick<AnswerParameters, 'answerers' | 'maxCost'> {
  readonly label: string;
  readonly mail: boolean;
  readonly numbers: Readonly<Record<NumberName, string>>;
}

export const numberOf = (kind: QualityKind, draft: QualityFormDraft, name: NumberName): number | null =>
  wholeNumber(draft.numbers[name], ...boundsOf(kind, name));

export function draftOf(kind: QualityKind, experiment: QualityExperiment | undefined, proposed: string): QualityFormDraft {
  const ranking: RankingParameters = { ...RANKING_DEFAULTS, ...experiment?.parameters.ranking };
  const answers: AnswerParameters = { ...ANSWER_DEFAULTS, ...experiment?.parameters.answers };
  const { searchTypes, vectorizers, vectorWeights, rerankers, plans, learned, folds, depth } = ranking;
  const { answerers, maxCost, maxQuestions, maxCalls, callsPerMinute } = answers;
  const seed = kind === 'ranking' ? ranking.seed : answers.seed;
  const numbers = { folds, depth, seed, maxQuestions, maxCalls, callsPerMinute };
  return {
    label: experiment?.label ?? proposed,
    mail: experiment?.emailNotification ?? false,
    ...{ searchTypes, vectorizers, vectorWeights, rerankers, plans, learned, answerers, maxCost },
    numbers: Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, String(value)])) as Record<NumberName, string>,
  };
}

/** Whether there is something to compare, and all numbers are within their bounds. */
export function isComplete(kind: QualityKind, draft: QualityFormDraft): boolean {
  const some = kind === 'answers' ? draft.answerers.length > 0 : draft.searchTypes.length + draft.plans.length > 0;
  return some && numbersOf(kind).every((name) => numberOf(kind, draft, name) !== null);
}

/** Of a complete draft. */
export function parametersOf(kind: QualityKind, draft: QualityFormDraft): QualityParameters {
  const numbers = Object.fromEntries(numbersOf(kind).map((name) => [name, numberOf(kind, draft, name)]));
  const { searchTypes, vectorizers, vectorWeights, rerankers, plans, learned, answerers, maxCost } = draft;
  if (kind === 'answers') return { answers: { answerers, maxCost, ...numbers } as AnswerParameters };
  return { ranking: { searchTypes, vectorizers, vectorWeights, rerankers, plans, learned, ...numbers } as RankingParameters };
}
