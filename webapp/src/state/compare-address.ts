/** the address of the comparison of two searches, each encoded by itself inside it (S-031). */
import { decodePathState, encodePathState, pathWithState } from './path-state';
import { SEARCH_DEFAULTS, withoutSearchTerms, type SearchAddress } from './search-address';
import type { SearchType } from './search-types';

export const COMPARE_PATH = '/compare-search';

/** Whether the ranking fusion of the search engine is used, where it has one. */
export type NativeFusion = 'if_available' | 'no';

/** One of the two searches: what the explorer's address holds, and the options of a semantic search. */
export interface ComparedSearch extends SearchAddress {
  /** Name of the vectors; empty: the current ones. */
  readonly vectorizer: string;
  readonly nativeRRF: NativeFusion;
}

/** Names of the two searches in the address. */
export const SIDES = ['explore1', 'explore2'] as const;
export type Side = (typeof SIDES)[number];

export const otherSide = (side: Side): Side => (side === 'explore1' ? 'explore2' : 'explore1');

export interface CompareAddress {
  readonly explore1: string;
  readonly explore2: string;
  /** A query typed on one side is also that of the other. */
  readonly sameQuery: boolean;
  /** Only results of both searches are listed as common results. */
  readonly onlyCommon: boolean;
}

export const COMPARE_DEFAULTS: CompareAddress = { explore1: '', explore2: '', sameQuery: true, onlyCommon: true };

const SEARCH_TYPES: readonly string[] = ['text', 'vector', 'hybrid'];
const MAX_SIZE = 100;

/** The search type is always in the address, as its default depends on the side, the project and the user. */
type EncodedSearch = Omit<ComparedSearch, 'searchType'> & { readonly searchType: string };
const ENCODED_DEFAULTS: EncodedSearch = { ...SEARCH_DEFAULTS, searchType: '', vectorizer: '', nativeRRF: 'if_available' };

export const encodeComparedSearch = (search: Partial<ComparedSearch>): string => encodePathState<EncodedSearch>(search, ENCODED_DEFAULTS);

const whole = (value: number, least: number, fallback: number): number => (Number.isInteger(value) && value >= least ? value : fallback);

/** What the project and the user allow. */
export interface ComparedSearchLimits {
  /** Search type of a side whose address has none. */
  readonly usual: SearchType;
  /** False: only text search is possible. */
  readonly vectors: boolean;
  readonly maySearch: boolean;
}

/** The search of one side. Values that no search can have are replaced by the defaults. */
export function decodeComparedSearch(text: string, { usual, vectors, maySearch }: ComparedSearchLimits): ComparedSearch {
  const found = decodePathState(text, ENCODED_DEFAULTS);
  const known = SEARCH_TYPES.includes(found.searchType) ? (found.searchType as SearchType) : usual;
  const search: ComparedSearch = {
    ...found,
    action: found.action === '_similar' ? '_similar' : '_do_search',
    searchType: vectors ? known : 'text',
    nativeRRF: found.nativeRRF === 'no' ? 'no' : 'if_available',
    from: whole(found.from, 0, 0),
    size: Math.min(MAX_SIZE, whole(found.size, 1, SEARCH_DEFAULTS.size)),
  };
  return maySearch ? search : { ...search, ...withoutSearchTerms(search) };
}

/** Opens the comparison with these two searches (compareByParams). */
export const comparePath = (explore1: Partial<ComparedSearch>, explore2: Partial<ComparedSearch>): string =>
  pathWithState(COMPARE_PATH, { explore1: encodeComparedSearch(explore1), explore2: encodeComparedSearch(explore2) }, COMPARE_DEFAULTS);
