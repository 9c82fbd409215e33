/** the address of the comparison of two searches, each encoded like the address of the explorer. */
import { decodePathState, encodePathState, pathWithState } from './path-state';
import { SEARCH_DEFAULTS, type SearchAddress } from './search-address';

export const SIDES = ['explore1', 'explore2'] as const;
export type Side = (typeof SIDES)[number];

export interface CompareAddress {
  /** The two searches, each as text of `encodeSearch`; empty: nothing is searched on that side. */
  readonly explore1: string;
  readonly explore2: string;
  /** The list below has the results of either search, not only those of both (S-032). */
  readonly all: boolean;
  /** Both searches are measured on the saved questions, instead of showing the results of one query. */
  readonly figures: boolean;
}

export const COMPARE_DEFAULTS: CompareAddress = { explore1: '', explore2: '', all: false, figures: false };

/** The search type is always contained, as its default depends on the project. What belongs to one document is left out. */
export function encodeSearch(state: SearchAddress): string {
  const { action, segid, query, explicitSubmit, isSimpleQueryMode, searchType, from, size, datasetSelector } = state;
  const { selectedFacets, filters, sort } = state;
  const search = { action, segid, query, explicitSubmit, isSimpleQueryMode, searchType, from, size, datasetSelector };
  return encodePathState<object>({ ...search, selectedFacets, filters, sort }, { ...SEARCH_DEFAULTS, searchType: '' });
}

/** A text that cannot be read is the default search. */
export const decodeSearch = (text: string, defaults: SearchAddress): SearchAddress => decodePathState(text, defaults);

/** compareByParams: the path of the comparison of two searches. */
export const comparePath = (explore1: SearchAddress, explore2: SearchAddress): string =>
  pathWithState(
    '/compare-search',
    { explore1: encodeSearch({ ...explore1, from: 0 }), explore2: encodeSearch({ ...explore2, from: 0 }) },
    COMPARE_DEFAULTS,
  );
