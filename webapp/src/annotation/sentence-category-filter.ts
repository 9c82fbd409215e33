/** Which sentences show their category (C-032): those that are sure enough, and of them the surest share of the text. */
import type { SentenceCategory } from './model';

/** Both are percent, 1 to 100. */
export interface SentenceCategoryFilter {
  /** The best category of a sentence has at least this score. */
  readonly minimumScore: number;
  /** At most this share of all sentences of the text, those with the best scores. */
  readonly maximumSentences: number;
}

export const DEFAULT_SENTENCE_CATEGORY_FILTER: SentenceCategoryFilter = { minimumScore: 1, maximumSentences: 100 };

/** What a person gave has no score and is certain. */
const scorePercent = ({ score }: SentenceCategory): number => 100 * (score ?? 1);

const isPercent = (value: number): boolean => Number.isInteger(value) && value >= 1 && value <= 100;

/** Undefined where the words are no whole number from 1 to 100. */
export function parsePercent(words: string): number | undefined {
  const value = Number(words.trim() === '' ? Number.NaN : words);
  return isPercent(value) ? value : undefined;
}

/**
 * The categories that are drawn, in the order given.
 *
 * `sentences`: how many the text has, with and without categories.
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
  // Equal scores: the earlier sentence.
  const kept = [...best].sort(([a, scoreA], [b, scoreB]) => scoreB - scoreA || a - b).slice(0, most);
  const starts = new Set(kept.map(([start]) => start));
  return sure.filter(({ start }) => starts.has(start));
}
