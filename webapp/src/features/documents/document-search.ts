import type { DocumentSearch } from '@/api/resources/documents';
import type { SearchAddress } from '@/state/search-address';

const LIST_FIELDS = 'title,metadata,categories,createdDate,modifiedDate,reviewed,length,annotationCount';

/** Request parameters of a list page. */
export function documentListSearch(state: SearchAddress): DocumentSearch {
  return {
    query: state.query,
    simpleQuery: state.isSimpleQueryMode,
    searchType: state.searchType,
    from: state.from,
    size: state.size,
    selectedFacets: state.selectedFacets,
    filters: state.filters,
    sort: state.sort,
    facet: true,
    outputFields: LIST_FIELDS,
  };
}

/** The same search for a single document (C-021); a named document is requested by its identifier only. */
export function documentPositionSearch(state: SearchAddress): DocumentSearch {
  const named = state.documentIdentifier !== '';
  return {
    ...documentListSearch(state),
    size: 1,
    facet: false,
    outputFields: 'title',
    ...(named
      ? { identifier: state.documentIdentifier, from: 0, selectedFacets: [], filters: [], sort: '', searchType: 'text' as const }
      : {}),
  };
}
