// @vitest-environment node
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SentenceCategory } from './model';
import { DEFAULT_SENTENCE_CATEGORY_FILTER, filterSentenceCategories, parsePercent } from './sentence-category-filter';

const of = (start: number, score: number | undefined, label = 'sport'): SentenceCategory => ({
  start,
  end: start + 9,
  label,
  score,
  suggested: score !== undefined,
});
const categories = [of(0, 0.4), of(10, undefined), of(20, 0.9), of(20, 0.2, 'press'), of(30, 0.005)];
const startsOf = (shown: readonly SentenceCategory[]) => shown.map(({ start, label }) => `${String(start)} ${label}`);

describe('the sentence filter (C-032)', () => {
  it('starts with a score of 1 percent and all sentences', () => {
    expect(DEFAULT_SENTENCE_CATEGORY_FILTER).toEqual({ minimumScore: 1, maximumSentences: 100 });
    expect(startsOf(filterSentenceCategories(categories, 5, DEFAULT_SENTENCE_CATEGORY_FILTER))).toEqual([
      '0 sport',
      '10 sport',
      '20 sport',
      '20 press',
    ]);
  });

  it('hides less certain ones; a category set by a user is certain', () => {
    const shown = filterSentenceCategories(categories, 5, { minimumScore: 50, maximumSentences: 100 });
    expect(startsOf(shown)).toEqual(['10 sport', '20 sport']);
  });

  it('shows the best share of all sentences, including those without a category', () => {
    const shown = (maximumSentences: number) => startsOf(filterSentenceCategories(categories, 5, { minimumScore: 1, maximumSentences }));
    expect(shown(20)).toEqual(['10 sport']);
    expect(shown(40)).toEqual(['10 sport', '20 sport', '20 press']);
    expect(shown(60)).toEqual(['0 sport', '10 sport', '20 sport', '20 press']);
  });

  it('never shows more than the share, and never a less certain sentence instead of a more certain one', () => {
    const score = fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined });
    fc.assert(
      fc.property(
        fc.array(score, { maxLength: 30 }),
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 1, max: 100 }),
        (scores, low, share) => {
          const all = scores.map((one, index) => of(index * 10, one));
          const shown = filterSentenceCategories(all, all.length, { minimumScore: low, maximumSentences: share });
          expect(shown.length).toBeLessThanOrEqual(Math.ceil((all.length * share) / 100));
          const hidden = all.filter((one) => !shown.includes(one) && 100 * (one.score ?? 1) >= low);
          const worst = Math.min(...shown.map((one) => one.score ?? 1));
          for (const one of hidden) expect(one.score ?? 1).toBeLessThanOrEqual(worst);
        },
      ),
    );
  });

  it('accepts whole percentages only', () => {
    expect(['1', ' 100 ', '0', '101', '', '2.5', 'x'].map(parsePercent)).toEqual([
      1,
      100,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
