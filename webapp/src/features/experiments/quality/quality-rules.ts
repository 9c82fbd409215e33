/** What is read out of the report of a search-quality or answer-quality experiment. Pure. */
import {
  ANSWER_FIGURES,
  RANKING_FIGURES,
  type AnswerParameters,
  type Comparison,
  type Configuration,
  type Figure,
  type QualityKind,
  type QualityReport,
  type RankingParameters,
} from '@/api/resources/ranking-experiments';
import { ANSWERS_DEFAULTS } from '@/state/answers-address';
import { pathWithState } from '@/state/path-state';
import { SEARCH_DEFAULTS, type SearchAddress } from '@/state/search-address';
import type { SearchSettings } from '@/state/search-types';

export const FIGURES: Readonly<Record<QualityKind, readonly Figure[]>> = { ranking: RANKING_FIGURES, answers: ANSWER_FIGURES };
/** The one that decides which configuration is best. */
export const MAIN_FIGURE: Readonly<Record<QualityKind, Figure>> = { ranking: 'ndcg', answers: 'f1' };

/** Below it a difference is called clear. */
export const SIGNIFICANT = 0.05;

export const RANKING_DEFAULTS: RankingParameters = {
  searchTypes: ['text'],
  vectorizers: [],
  vectorWeights: [],
  rerankers: [''],
  plans: [],
  learned: false,
  folds: 5,
  depth: 100,
  seed: 0,
};

export const ANSWER_DEFAULTS: AnswerParameters = {
  answerers: [''],
  maxQuestions: 1000,
  maxCalls: 200,
  callsPerMinute: 30,
  maxCost: 0,
  seed: 0,
};

/** Figures that at least one configuration has, in display order. */
export const figuresOf = (kind: QualityKind, report: QualityReport): readonly Figure[] =>
  FIGURES[kind].filter((figure) => report.configurations.some((one) => typeof one[figure] === 'number'));

export const configurationOf = (report: QualityReport | null | undefined, key: string): Configuration | undefined =>
  report?.configurations.find((one) => one.key === key);

/** Best first by a figure; those without it come last, equal ones stay in the order of the parameters. */
export const byFigure = (configurations: readonly Configuration[], figure: Figure): readonly Configuration[] =>
  [...configurations].sort((a, b) => (b[figure] ?? -1) - (a[figure] ?? -1));

/** The comparison of a configuration with the baseline; undefined for the baseline itself. */
export const comparisonOf = (report: QualityReport, key: string): Comparison | undefined =>
  report.comparisons.find((one) => one.key === key && one.against === report.baseline);

export type Verdict = 'better' | 'worse' | 'unclear' | 'same';

/** What a difference and the probability of chance say in words. */
export function verdictOf({ difference, p }: { readonly difference: number; readonly p: number }): Verdict {
  if (difference === 0) return 'same';
  if (p >= SIGNIFICANT) return 'unclear';
  return difference > 0 ? 'better' : 'worse';
}

/** The search of a configuration for one question, as text of the explorer: saved questions are no results. */
export const searchOf = (settings: SearchSettings, query: string): SearchAddress => ({
  ...SEARCH_DEFAULTS,
  query,
  searchType: settings.searchType ?? 'text',
  reranker: settings.reranker ?? '',
  vectorizer: settings.vectorizer ?? '',
  selectedFacets: [{ facetName: 'metadata.question', facetValue: 'true', facetSelector: '-' }],
});

/** Where a question is asked. */
export const questionPath = (query: string): string => pathWithState('/answers', { query }, ANSWERS_DEFAULTS);

/** The comparison screen knows type, vectors and reranker: no plans, weights, and learned rankings. */
const isWhole = ({ plan = '', vectorWeight, rerankerParameters = {} }: SearchSettings): boolean =>
  plan === '' && typeof vectorWeight !== 'number' && Object.keys(rerankerParameters).length === 0;

/** Whether the comparison screen can show how two configurations differ. */
export function canBeCompared(one: SearchSettings, two: SearchSettings): boolean {
  const [first, second] = [one, two].map(({ searchType, reranker = '', vectorizer = '' }) => [searchType, reranker, vectorizer].join('\n'));
  return isWhole(one) && isWhole(two) && first !== second;
}

/** The value of a number typed by hand within bounds; null otherwise. */
export function wholeNumber(text: string, low: number, high: number): number | null {
  const value = Number(text.trim());
  return text.trim() !== '' && Number.isInteger(value) && value >= low && value <= high ? value : null;
}
