/** the state of the search screens, stored in their path, so that back, forward, reload and links restore it. */
import { useCallback, useEffect, useMemo, useRef } from 'react';
import type { SearchType } from './search-types';
import type { DatasetSelector } from './search-types';
import type { SelectedFacet } from './facet-selection';
import { decodePathState, pathWithState } from './path-state';
import type { SearchFilter } from './search-filters';
import { useCan } from './session-store';
import { usePathState } from './use-path-state';

/** Which hits, and in what order: what an address holds and a search sends. */
export interface HitSelection {
  readonly searchType: SearchType;
  readonly query: string;
  readonly from: number;
  readonly size: number;
  readonly selectedFacets: readonly SelectedFacet[];
  readonly filters: readonly SearchFilter[];
  /** Sort field; with a leading `-`, descending; empty: by relevance. */
  readonly sort: string;
}

/** A `HitSelection` of segments. */
export interface SegmentSelection extends HitSelection {
  readonly action: '_do_search' | '_similar';
  /** Segment that others are similar to. */
  readonly segid: string;
  readonly datasetSelector: DatasetSelector;
  /** Name of the component that orders the first hits; empty: none. */
  readonly reranker?: string;
  /** Name of the vectors of a semantic or hybrid search; empty: those in use. */
  readonly vectorizer?: string;
}

export interface SearchAddress extends SegmentSelection {
  /** The query was sent with Enter: a wrong one is told (E-019). */
  readonly explicitSubmit: boolean;
  readonly isSimpleQueryMode: boolean;
  /** Document just deleted: results are asked for until it is gone (C-017). */
  readonly deletedIdentifier: string;
  /** Number of times the same results were requested again. */
  readonly refresh: number;
  /** Start of the sentence to show, code points; -1: none. */
  readonly highlightedSentence: number;
  /** End of what to show instead of the whole sentence, code points; -1: the sentence. */
  readonly highlightedEnd: number;
  /** One document, whatever its position in the results. */
  readonly documentIdentifier: string;
  /** Where the document was opened from: its neighbours are those of that search. */
  readonly origin: 'documents' | 'explore';
}

/** C-061 */
export const SEARCH_DEFAULTS: SearchAddress = {
  action: '_do_search',
  searchType: 'text',
  query: '',
  segid: '',
  from: 0,
  size: 10,
  explicitSubmit: false,
  isSimpleQueryMode: true,
  datasetSelector: '',
  selectedFacets: [],
  filters: [],
  sort: '',
  deletedIdentifier: '',
  refresh: 0,
  highlightedSentence: -1,
  highlightedEnd: -1,
  documentIdentifier: '',
  origin: 'documents',
  reranker: '',
  vectorizer: '',
};

/** C-061: hybrid search of segments, for projects with vectors where the user may use them. */
export const HYBRID_DEFAULTS: SearchAddress = { ...SEARCH_DEFAULTS, searchType: 'hybrid' };

export const addressPath = (path: string, state: Partial<SearchAddress>) => pathWithState(path, state, SEARCH_DEFAULTS);
/** A path that always contains the search type, as the default depends on the project. */
export const fullAddressPath = (path: string, state: Partial<SearchAddress>) =>
  pathWithState<Omit<SearchAddress, 'searchType'> & { searchType: string }>(path, state, { ...SEARCH_DEFAULTS, searchType: '' });
export const readAddress = (text: string | undefined): SearchAddress => decodePathState(text, SEARCH_DEFAULTS);

/** Adds the fields that a change of the search resets: it goes back to the first page (T-013). */
export function withPageReset(part: Partial<SearchAddress>): Partial<SearchAddress> {
  const searching = 'query' in part || 'searchType' in part;
  const nothingShown = { deletedIdentifier: '', highlightedSentence: -1, highlightedEnd: -1 };
  return { from: 0, ...nothingShown, ...(searching ? { action: '_do_search', segid: '' } : {}), ...part };
}

/** S-016: fetches results again when the counter in the address changes, even if they are cached. */
export function useRefetchOnRefresh(refresh: number, again: () => unknown): void {
  const asked = useRef(0);
  useEffect(() => {
    if (refresh === asked.current) return;
    asked.current = refresh;
    if (refresh !== 0) again();
  }, [refresh, again]);
}

export type ChangeAddress = (part: Partial<SearchAddress>, options?: { readonly replace?: boolean }) => void;

/** The address without search terms, for users who may not search: the list with its page, order and names. */
export function withoutSearchTerms(state: SearchAddress): SearchAddress {
  const { query, searchType, action, segid, explicitSubmit, datasetSelector, selectedFacets, filters } = SEARCH_DEFAULTS;
  return { ...state, query, searchType, action, segid, explicitSubmit, datasetSelector, selectedFacets, filters };
}

/** Each change is a history entry, except unsubmitted typing (`replace`). */
export function useSearchAddress(path: string, defaults: SearchAddress = SEARCH_DEFAULTS): readonly [SearchAddress, ChangeAddress] {
  const [given, change] = usePathState(path, defaults);
  const maySearch = useCan('useSearch');
  const state = useMemo(() => (maySearch ? given : withoutSearchTerms(given)), [given, maySearch]);
  return [state, useCallback((part, { replace = false } = {}) => change(withPageReset(part), { push: !replace }), [change])];
}
