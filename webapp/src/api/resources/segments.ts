import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, client } from '@/api/client';
import type { Annotation } from './annotations';
import type { Category } from './categories';
import type { SearchAddress, SegmentSelection } from '@/state/search-address';
import type { SearchType } from '@/state/search-types';
import { facetToJson, type SearchAnswer, type CodePointRange } from './search';

/** A segment of a document. `start`, `end` and the offsets of its annotations are code points of the document. */
export interface Segment extends CodePointRange {
  readonly identifier: string;
  readonly documentIdentifier: string;
  readonly documentTitle?: string;
  readonly text: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly createdDate?: string;
  readonly modifiedDate?: string;
  readonly annotations?: readonly Annotation[];
  readonly categories?: readonly Category[];
}

export interface SegmentHit {
  readonly _id: string;
  readonly score?: number;
  readonly textRank?: number;
  readonly vectorRank?: number;
  readonly segment: Segment;
  /** Offsets from the start of the segment. */
  readonly highlights?: { readonly text?: readonly CodePointRange[] };
}

export type SegmentHits = SearchAnswer<SegmentHit>;

export interface SegmentSearch extends SegmentSelection {
  readonly simpleQuery: boolean;
  /** The project's default of searching decides: its type is that of the search. */
  readonly byDefault?: boolean;
}

/** Request parameters of the explorer's address; `usual`: type of the project's default of searching, where it has one. */
export function segmentSearchOf(state: SearchAddress, usual?: SearchType): SegmentSearch {
  const {
    action,
    segid,
    query,
    isSimpleQueryMode: simpleQuery,
    searchType,
    from,
    size,
    datasetSelector,
    selectedFacets,
    filters,
    sort,
    reranker = '',
    vectorizer = '',
  } = state;
  const byDefault = searchType === usual && [sort, reranker, vectorizer].every((one) => one === '') && action === '_do_search';
  return {
    ...{ action, segid, query, simpleQuery, searchType, from, size, datasetSelector, selectedFacets, filters, sort },
    ...(byDefault && { byDefault }),
    ...(reranker !== '' && { reranker }),
    ...(vectorizer !== '' && { vectorizer }),
  };
}

export const segmentKeys = {
  all: ['segments'] as const,
  search: (project: string, search: SegmentSearch) => [...segmentKeys.all, project, 'search', search] as const,
};

/** Requested parts of the response; by default hits and facets. */
export type SegmentOutputParams = Readonly<Record<string, unknown>>;

const HITS: SegmentOutputParams = { facets: true, highlight: true, returnHits: true };

function segmentSearchRequestBody(search: SegmentSearch, output: SegmentOutputParams): object {
  return {
    output,
    search: {
      query: search.action === '_similar' ? '' : search.query,
      ...(search.byDefault !== true && { type: search.searchType }),
      advanced: !search.simpleQuery,
      from: search.from,
      size: search.size,
      sort: search.sort,
      filtering: {
        selectedFacets: search.selectedFacets.map(facetToJson),
        datasetSelector: search.datasetSelector,
        filters: search.filters,
      },
      ...(search.searchType !== 'text' &&
        search.byDefault !== true && { vector: { query: search.query, ...(search.vectorizer && { vectorizer: search.vectorizer }) } }),
      ...(search.reranker && { reranker: search.reranker }),
    },
  };
}

export async function searchSegments(
  projectName: string,
  search: SegmentSearch,
  signal?: AbortSignal,
  output: SegmentOutputParams = HITS,
): Promise<SegmentHits> {
  const options = { body: segmentSearchRequestBody(search, output) as never, ...(signal === undefined ? {} : { signal }) };
  if (search.action === '_similar') {
    const query = { segid: search.segid, ...(search.searchType === 'text' ? { fields: 'text' } : {}) };
    return (await call(
      client.POST('/projects/{projectName}/segments/_similar', { params: { path: { projectName }, query: query as never }, ...options }),
    )) as unknown as SegmentHits;
  }
  return (await call(
    client.POST('/projects/{projectName}/segments/_do_search', { params: { path: { projectName } }, ...options }),
  )) as unknown as SegmentHits;
}

/** S-018, S-025 */
export const segmentSearchQuery = (project: string, search: SegmentSearch) =>
  queryOptions({
    queryKey: segmentKeys.search(project, search),
    queryFn: ({ signal }) => searchSegments(project, search, signal),
    placeholderData: keepPreviousData,
    enabled: project !== '',
    meta: { silent: true },
  });

/** S-032: the first results of a search, from rank 1, without facets and highlights. */
export const firstSegmentsQuery = (project: string, search: SegmentSearch, size: number) =>
  queryOptions({
    queryKey: [...segmentKeys.all, project, 'first', size, { ...search, from: 0, size }] as const,
    queryFn: ({ signal }) => searchSegments(project, { ...search, from: 0, size }, signal, { returnHits: true }),
    enabled: project !== '',
    meta: { silent: true },
  });

/** The segment at one position of a search. Not under `segments`: a live event must not move the reader to another one. */
export const segmentAtPositionQuery = (project: string, search: SegmentSearch) =>
  queryOptions({
    queryKey: ['segment-position', project, search] as const,
    queryFn: ({ signal }) => searchSegments(project, { ...search, size: 1 }, signal, { returnHits: true }),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 0,
    meta: { silent: true },
  });
