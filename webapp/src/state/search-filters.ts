/** R-032, C-067: filters of a search besides facets: words of a field, and ranges of numbers or dates. */

export type FilterSelector = 'must' | 'must_not';

export interface SearchFilter {
  readonly field: string;
  /** `term`: the exact value; `query`: words or a range in the query language. */
  readonly value: string;
  readonly filterSelector: FilterSelector;
  readonly filterType: 'query' | 'term';
}

/** Operators offered to the user. Text fields contain words; other fields have whole values. */
export const TEXT_OPERATORS = ['contains', 'exactly', 'without'] as const;
export const VALUE_OPERATORS = ['is', 'starts', 'not'] as const;
export type Operator = (typeof TEXT_OPERATORS)[number] | (typeof VALUE_OPERATORS)[number];

const TEXTS = new Set(['text', 'title']);
export const operatorsOf = (field: string): readonly Operator[] => (TEXTS.has(field) ? TEXT_OPERATORS : VALUE_OPERATORS);

const RANGE = /^\[(\S+) TO (\S+)\]$/u;
const SPECIAL = /[\\+\-!(){}[\]^"~*?:/&|<>=]/gu;
const OPERATOR_WORD = /^(?:AND|OR|NOT|TO)$/u;

const escaped = (text: string) => text.replace(SPECIAL, '\\$&');
const unescaped = (text: string) => text.replace(/\\(.)/gu, '$1');

/** All of the words; a trailing star matches any ending. */
function termsQuery(text: string): string {
  const word = (one: string) => {
    if (OPERATOR_WORD.test(one)) return `"${one}"`;
    return one.length > 1 && one.endsWith('*') ? `${escaped(one.slice(0, -1))}*` : escaped(one);
  };
  return text.trim().split(/\s+/u).map(word).join(' AND ');
}

const plainTerms = (value: string) =>
  value
    .split(' AND ')
    .map((word) => (/^".*"$/u.test(word) ? word.slice(1, -1) : unescaped(word)))
    .join(' ');

/** V-001: undefined for an empty text. */
export function textFilter(field: string, operator: Operator, text: string): SearchFilter | undefined {
  const value = text.trim().replace(/\s+/gu, ' ');
  if (value === '') return undefined;
  const filterSelector = operator === 'without' || operator === 'not' ? 'must_not' : 'must';
  if (operator === 'contains' || operator === 'without') return { field, value: termsQuery(value), filterSelector, filterType: 'query' };
  if (operator === 'starts')
    return { field, value: `${value.replace(/[\s\\+\-!(){}[\]^"~*?:/&|<>=]/gu, '\\$&')}*`, filterSelector, filterType: 'query' };
  return { field, value, filterSelector, filterType: 'term' };
}

/** Inclusive range; an empty end is open. Undefined when both are empty. */
export function rangeFilter(field: string, low: string, high: string): SearchFilter | undefined {
  if (low === '' && high === '') return undefined;
  const end = (text: string) => (text === '' ? '*' : text);
  return { field, value: `[${end(low)} TO ${end(high)}]`, filterSelector: 'must', filterType: 'query' };
}

export interface RangeEnds {
  readonly low: string;
  readonly high: string;
}

/** The ends of a range filter; undefined for a word filter. */
export function rangeOf({ value, filterType }: SearchFilter): RangeEnds | undefined {
  const match = filterType === 'query' ? RANGE.exec(value) : null;
  if (match === null) return undefined;
  const end = (text: string | undefined) => (text === undefined || text === '*' ? '' : text);
  return { low: end(match[1]), high: end(match[2]) };
}

/** The operator and text a filter was created from. */
export function describeFilter(filter: SearchFilter): { readonly operator: Operator; readonly text: string } {
  const { field, value, filterType, filterSelector } = filter;
  const no = filterSelector === 'must_not';
  if (TEXTS.has(field)) {
    if (filterType === 'term') return { operator: 'exactly', text: value };
    return { operator: no ? 'without' : 'contains', text: plainTerms(value) };
  }
  if (filterType === 'query') return { operator: 'starts', text: `${unescaped(value.slice(0, -1))}…` };
  return { operator: no ? 'not' : 'is', text: value };
}

const same = (a: SearchFilter, b: SearchFilter) => a.field === b.field && a.value === b.value && a.filterType === b.filterType;

export const withoutFilter = (filters: readonly SearchFilter[], gone: SearchFilter) => filters.filter((one) => !same(one, gone));

export const withFilter = (filters: readonly SearchFilter[], added: SearchFilter) => [...withoutFilter(filters, added), added];

/** A field has at most one range. */
export function withRange(filters: readonly SearchFilter[], field: string, range: SearchFilter | undefined): readonly SearchFilter[] {
  const others = filters.filter((one) => one.field !== field || rangeOf(one) === undefined);
  return range === undefined ? others : [...others, range];
}

/** W-016 */
export const invertFilter = (filters: readonly SearchFilter[], one: SearchFilter): readonly SearchFilter[] =>
  filters.map((filter) =>
    same(filter, one) ? { ...filter, filterSelector: filter.filterSelector === 'must' ? 'must_not' : 'must' } : filter,
  );

const escapeFieldName = (field: string) => field.replace(/[^\p{L}\p{N}_.]/gu, '\\$&');

/** The filters as one `queryFilter`, for API calls without a list of filters. */
export function filtersToQuery(filters: readonly SearchFilter[]): string {
  return filters
    .map(({ field, value, filterSelector, filterType }) => {
      const what = filterType === 'query' ? value : `"${value.replace(/["\\]/gu, '\\$&')}"`;
      return `${filterSelector === 'must' ? '+' : '-'}${escapeFieldName(field)}:(${what})`;
    })
    .join(' ');
}
