/** What the address of the terms holds, and the links to them. */
import type { TermSearch } from '@/api/resources/terms';
import type { SelectedFacet } from '@/state/facet-selection';
import { pathWithState } from '@/state/path-state';

export interface TermAddress {
  readonly query: string;
  readonly isSimpleQueryMode: boolean;
  /** The query was sent with Enter: a wrong one is reported (E-019). */
  readonly explicitSubmit: boolean;
  readonly from: number;
  readonly size: number;
  readonly sort: string;
  readonly selectedFacets: readonly SelectedFacet[];
  readonly invertSearch: boolean;
  readonly view: string;
  /** The lexicon whose hierarchy is shown. */
  readonly treeLexicon: string;
  /** The term whose card is open. */
  readonly termLexicon: string;
  readonly termIdentifier: string;
}

/** C-022: eight terms a page. */
export const TERM_PAGE_SIZE = 8;
export const TERMS_PATH = '/gazetteers/terms';

export const TERM_DEFAULTS: TermAddress = {
  query: '',
  isSimpleQueryMode: true,
  explicitSubmit: false,
  from: 0,
  size: TERM_PAGE_SIZE,
  sort: '',
  selectedFacets: [],
  invertSearch: false,
  view: 'list',
  treeLexicon: '',
  termLexicon: '',
  termIdentifier: '',
};

export const VIEWS = ['list', 'tree', 'candidates'] as const;
export type TermView = (typeof VIEWS)[number];

export const viewOf = ({ view }: Pick<TermAddress, 'view'>): TermView => VIEWS.find((one) => one === view) ?? 'list';

const SEARCH_FIELDS = new Set(['query', 'isSimpleQueryMode', 'sort', 'selectedFacets', 'invertSearch', 'size']);

/** A change of the search goes back to the first page (T-013). */
export const withFirstPage = (part: Partial<TermAddress>): Partial<TermAddress> =>
  Object.keys(part).some((name) => SEARCH_FIELDS.has(name)) ? { from: 0, ...part } : part;

/** Request parameters of an address. */
export function termSearchOf({ query, isSimpleQueryMode, from, size, sort, selectedFacets, invertSearch }: TermAddress): TermSearch {
  return { query, simpleQuery: isSimpleQueryMode, from, size, sort, selectedFacets, invertSearch };
}

/** Link to the terms of a lexicon, or to one of them with its card. */
export function pathOfTerms({ lexicon, identifier = '' }: { readonly lexicon: string; readonly identifier?: string }): string {
  const selectedFacets: readonly SelectedFacet[] = [{ facetName: 'lexicon', facetValue: lexicon, facetSelector: '+' }];
  const card = identifier === '' ? {} : { termLexicon: lexicon, termIdentifier: identifier };
  return pathWithState(TERMS_PATH, { selectedFacets, ...card }, TERM_DEFAULTS);
}
