/** Selects the sentences that show their category (C-032): those above a minimum score, and of them the share with the best scores. */
import type { SentenceCategory } from './model';

/** Both values are percentages, 1 to 100. */
export interface SentenceCategoryFilter {
  /** Minimum score of the best category of a sentence. */
  readonly minimumScore: number;
  /** Maximum share of all sentences of the text; those with the best scores are shown. */
  readonly maximumSentences: number;
}

export const DEFAULT_SENTENCE_CATEGORY_FILTER: SentenceCategoryFilter = { minimumScore: 1, maximumSentences: 100 };

/** A category set by a user has no score and counts as certain. */
const scorePercent = ({ score }: SentenceCategory): number => 100 * (score ?? 1);

const isPercent = (value: number): boolean => Number.isInteger(value) && value >= 1 && value <= 100;

/** Undefined where the text is no whole number from 1 to 100. */
export function parsePercent(words: string): number | undefined {
  const value = Number(words.trim() === '' ? Number.NaN : words);
  return isPercent(value) ? value : undefined;
}

/**
 * The categories to draw, in the original order.
 *
 * `sentences`: number of sentences of the text, with and without categories.
 */
export function filterSentenceCategories(
  categories: readonly SentenceCategory[],
  sentences: number,
  { minimumScore, maximumSentences }: SentenceCategoryFilter,
): readonly SentenceCategory[] {
  const sure = categories.filter((category) => scorePercent(category) >= minimumScore);
  if (maximumSentences >= 100) return sure.length === categories.length ? categories : sure;
  const best = new Map<number, number>();
  for (const category of sure) best.set(category.start, Math.max(best.get(category.start) ?? 0, scorePercent(category)));
  const most = Math.ceil((sentences * maximumSentences) / 100);
  // Equal scores: the earlier sentence first.
  const kept = [...best].sort(([a, scoreA], [b, scoreB]) => scoreB - scoreA || a - b).slice(0, most);
  const starts = new Set(kept.map(([start]) => start));
  return sure.filter(({ start }) => starts.has(start));
}
