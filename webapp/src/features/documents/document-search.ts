import type { DocumentSearch } from '@/api/resources/documents';
import type { SearchAddress } from '@/state/search-address';

const LIST_FIELDS = 'title,metadata,categories,createdDate,modifiedDate';

/** What the address asks the server for: a page of the list. */
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

/** The same search, one document of it (C-021); a named document is looked for alone. */
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
