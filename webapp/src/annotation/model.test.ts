// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { DEFAULT_DISPLAY_FILTER, filterDisplayedSpans, withoutRejectedSpans } from './annotation-display-filter';
import { bestCategoryPerSentence, formatScore } from './model';
import { nextSpanOutward } from '@/annotation/drawing/items-by-row';
import { span } from '@/annotation/testing/fixtures';

describe('layout filter', () => {
  const all = [
    span('manual', 0, 1),
    span('automatic', 1, 2, 'person', { creationMode: 'automatic', status: 'suggested' }),
    span('imported', 2, 3, 'person', { creationMode: 'imported' }),
    span('rejected', 3, 4, 'person', { status: 'rejected' }),
    span('saving', 4, 5, 'person', { status: 'saving', creationMode: 'imported' }),
  ];

  it('shows manual, automatic and undefined ones with status OK or undefined by default (C-065)', () => {
    expect(filterDisplayedSpans(all, DEFAULT_DISPLAY_FILTER).map(({ id }) => id)).toEqual(['manual', 'automatic', 'saving']);
  });

  it('also filters by label, and shows what is requested', () => {
    const filter = { creationModes: ['imported', 'manual'] as const, statuses: ['OK', 'KO'] as const, labels: ['person'] };
    expect(filterDisplayedSpans([...all, span('other', 0, 1, 'role')], filter).map(({ id }) => id)).toEqual([
      'manual',
      'imported',
      'rejected',
      'saving',
    ]);
  });

  it('drops KO annotations of a hit (S-010)', () => {
    expect(withoutRejectedSpans(all).map(({ id }) => id)).not.toContain('rejected');
  });
});

describe('sentence categories (S-009)', () => {
  it('keeps the best score per sentence', () => {
    const at = (label: string, score: number | undefined, start = 0) => ({
      start,
      end: start + 5,
      label,
      score,
      suggested: score !== undefined,
    });
    expect(bestCategoryPerSentence([at('a', 0.2), at('b', 0.9), at('c', 0.5), at('d', 0.1, 6)]).map(({ label }) => label)).toEqual([
      'b',
      'd',
    ]);
    expect(bestCategoryPerSentence([at('a', 0.9), at('person', undefined)]).map(({ label }) => label)).toEqual(['person']);
  });
});

describe('formatScore', () => {
  it.each([
    [0.871, '.87'],
    [1, '1'],
    [0.999, '1'],
    [0, '0'],
    [0.5, '.50'],
  ])('%d is written %s', (score, written) => {
    expect(formatScore(score)).toBe(written);
  });
});

describe('clicks', () => {
  it('cycles outwards and around', () => {
    const ids = ['inner', 'middle', 'outer'];
    expect([undefined, 'inner', 'middle', 'outer', 'elsewhere'].map((current) => nextSpanOutward(ids, current))).toEqual([
      'inner',
      'middle',
      'outer',
      'inner',
      'inner',
    ]);
    expect(nextSpanOutward([], 'a')).toBeUndefined();
  });
});
