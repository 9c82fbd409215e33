/** Facet details that a search response omits: values of long facets, and distributions of numbers and dates. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { documentKeys, searchDocuments, type DocumentSearch } from './documents';
import type { Aggregation } from './search';
import { searchSegments, segmentKeys, type SegmentSearch } from './segments';
import { withRange } from '@/state/search-filters';

/** The search whose facets are shown. */
export type FacetedSearch =
  { readonly searchIn: 'documents'; readonly search: DocumentSearch } | { readonly searchIn: 'segments'; readonly search: SegmentSearch };

const FOUND_VALUES = 50;

interface FacetRequest {
  readonly facetNames?: string[];
  readonly facetFind?: string;
  readonly facetSize?: number;
  readonly histograms?: string[];
}

const keyOf = ({ searchIn }: FacetedSearch) => (searchIn === 'documents' ? documentKeys.all : segmentKeys.all);

async function requestFacets(project: string, target: FacetedSearch, wanted: FacetRequest, signal: AbortSignal) {
  const facets = wanted.facetNames !== undefined;
  if (target.searchIn === 'segments') {
    return searchSegments(project, { ...target.search, from: 0, sort: '' }, signal, { ...wanted, facets, returnHits: false });
  }
  return searchDocuments(project, { ...target.search, from: 0, sort: '', facet: facets }, signal, { ...wanted, returnHits: false });
}

/** Values of a facet that contain a text, the most frequent first. */
export const facetValuesQuery = (project: string, target: FacetedSearch, facet: string, text: string) =>
  queryOptions({
    queryKey: [...keyOf(target), project, 'values', target, facet, text] as const,
    queryFn: async ({ signal }): Promise<Aggregation['buckets']> => {
      const answer = await requestFacets(project, target, { facetNames: [facet], facetFind: text, facetSize: FOUND_VALUES }, signal);
      return (answer.aggregations ?? []).find(({ name }) => name === facet)?.buckets ?? [];
    },
    placeholderData: keepPreviousData,
    meta: { silent: true },
  });

/** Distribution of the numbers or dates of a field over the results; the range filter of that field itself is not applied. */
export const histogramQuery = (project: string, target: FacetedSearch, field: string) => {
  const filters = withRange(target.search.filters, field, undefined);
  const open = { ...target, search: { ...target.search, filters } } as FacetedSearch;
  return queryOptions({
    queryKey: [...keyOf(target), project, 'histogram', open, field] as const,
    queryFn: async ({ signal }): Promise<Aggregation | null> =>
      (await requestFacets(project, open, { histograms: [field] }, signal)).histograms?.find(({ name }) => name === field) ?? null,
    placeholderData: keepPreviousData,
    meta: { silent: true },
  });
};
