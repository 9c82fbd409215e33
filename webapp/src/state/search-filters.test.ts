// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { describeFilter, filtersToQuery, rangeFilter, rangeOf, textFilter, invertFilter, withFilter, withRange } from './search-filters';

describe('filters of a search', () => {
  it('V-001 an empty text creates no filter', () => {
    expect(textFilter('text', 'contains', ' \t ')).toBeUndefined();
    expect(rangeFilter('metadata.year', '', '')).toBeUndefined();
  });

  it('C-067 creates filters for words, phrases and values, and parses them', () => {
    const cases = [
      ['text', 'contains', 'new york*', '+text:(new AND york*)', 'new york*'],
      ['text', 'contains', 'a:b (c) AND', '+text:(a\\:b AND \\(c\\) AND "AND")', 'a:b (c) AND'],
      ['text', 'exactly', 'he said "no"', '+text:("he said \\"no\\"")', 'he said "no"'],
      ['title', 'without', 'draft', '-title:(draft)', 'draft'],
      ['metadata.first name', 'is', 'A B', '+metadata.first\\ name:("A B")', 'A B'],
      ['metadata.author', 'starts', 'Marie C', '+metadata.author:(Marie\\ C*)', 'Marie C…'],
      ['documentIdentifier', 'not', 'd1', '-documentIdentifier:("d1")', 'd1'],
    ] as const;
    for (const [field, operator, text, folded, shown] of cases) {
      const filter = textFilter(field, operator, text);
      if (filter === undefined) throw new Error('no filter');
      expect(filtersToQuery([filter])).toBe(folded);
      expect(describeFilter(filter)).toEqual({ operator, text: shown });
      expect(rangeOf(filter)).toBeUndefined();
    }
  });

  it('has one range per field', () => {
    const first = rangeFilter('metadata.year', '1990', '');
    const words = textFilter('text', 'contains', 'cat');
    const both = withRange(
      withRange(words === undefined ? [] : [words], 'metadata.year', first),
      'metadata.year',
      rangeFilter('metadata.year', '', '2000'),
    );
    expect(filtersToQuery(both)).toBe('+text:(cat) +metadata.year:([* TO 2000])');
    expect(both.map(rangeOf)).toEqual([undefined, { low: '', high: '2000' }]);
    expect(withRange(both, 'metadata.year', undefined)).toEqual([words]);
  });

  it('W-016 inverts a filter; an equal filter is not added twice', () => {
    const filter = textFilter('text', 'contains', 'cat');
    if (filter === undefined) throw new Error('no filter');
    const twice = withFilter(withFilter([], filter), filter);
    expect(twice).toEqual([filter]);
    expect(invertFilter(twice, filter)[0]?.filterSelector).toBe('must_not');
  });
});
