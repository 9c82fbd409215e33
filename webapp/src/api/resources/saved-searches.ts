/** Saved searches (S-022): the user's own, and those shared in the project. */
import { queryOptions } from '@tanstack/react-query';
import type { SelectedFacet } from '@/state/facet-selection';
import type { SearchAddress } from '@/state/search-address';
import { call, client, type Schemas } from '@/api/client';
import { facetToJson } from './search';

export type SearchKind = 'documents' | 'segments';
export type SavedSearch = Schemas['SavedSearchRead'];
type SearchParams = Schemas['SearchParams'];

/** The part of an address that is saved: the search without the page. */
export type SavedSearchState = Pick<
  SearchAddress,
  'query' | 'searchType' | 'isSimpleQueryMode' | 'size' | 'sort' | 'datasetSelector' | 'selectedFacets' | 'filters'
>;

export const savedSearchKeys = { all: ['searches'] as const };

export const savedSearchesQuery = (projectName: string, kind: SearchKind) =>
  queryOptions({
    queryKey: [...savedSearchKeys.all, projectName, kind] as const,
    enabled: projectName !== '',
    queryFn: ({ signal }) =>
      call(client.GET('/projects/{projectName}/saved_searches', { params: { path: { projectName }, query: { kind } }, signal })),
    meta: { silent: true },
  });

/** The default search: the user's own default, else the shared one. */
export const defaultSavedSearch = (saved: readonly SavedSearch[]): SavedSearch | undefined =>
  saved.find((one) => one.isDefault && one.mine) ?? saved.find((one) => one.isDefault);

/** Serialised in the JSON style of searches. */
export function searchToJson(state: SavedSearchState): Partial<SearchParams> {
  return {
    query: state.query,
    type: state.searchType,
    advanced: !state.isSimpleQueryMode,
    size: state.size,
    sort: state.sort,
    filtering: {
      queryFilter: '',
      datasetSelector: state.datasetSelector,
      selectedFacets: state.selectedFacets.map(facetToJson),
      filters: [...state.filters],
    },
  } as Partial<SearchParams>;
}

/** The inverse of `facetToJson`: a value that contains a comma was quoted. */
function facetFromJson(text: string): SelectedFacet[] {
  const [, selector = '', facetName = '', written = ''] = /^([+-]?)([^:]+):(.*)$/su.exec(text) ?? [];
  if (facetName === '') return [];
  const quoted = /^"(.*,.*)"$/su.exec(written);
  return [{ facetSelector: selector as SelectedFacet['facetSelector'], facetName, facetValue: quoted?.[1] ?? written }];
}

/** The address of a saved search, on its first page. */
export function searchFromJson(saved: SavedSearch, usual: SavedSearchState): SavedSearchState {
  const search = saved.search as Partial<SearchParams>;
  const filtering = (search.filtering ?? {}) as Partial<NonNullable<SearchParams['filtering']>>;
  return {
    query: search.query ?? '',
    searchType: search.type ?? 'text',
    isSimpleQueryMode: search.advanced !== true,
    size: search.size ?? usual.size,
    sort: search.sort ?? '',
    datasetSelector: (filtering.datasetSelector ?? '') as SavedSearchState['datasetSelector'],
    selectedFacets: (filtering.selectedFacets ?? []).flatMap(facetFromJson),
    filters: (filtering.filters ?? []).map(({ field = 'text', value = '', filterSelector = 'must', filterType = 'query' }) => ({
      field,
      value,
      filterSelector,
      filterType,
    })),
  };
}

export interface NewSearch {
  readonly label: string;
  readonly shared: boolean;
  readonly isDefault: boolean;
}

const projectPathParams = (projectName: string) => ({ params: { path: { projectName } } });

export const saveSearch = (projectName: string, kind: SearchKind, state: SavedSearchState, body: NewSearch) =>
  call(
    client.POST('/projects/{projectName}/saved_searches', {
      ...projectPathParams(projectName),
      body: { ...body, kind, search: searchToJson(state) } as Schemas['SavedSearchCreate'],
    }),
  );

export interface SearchChange extends Partial<NewSearch> {
  readonly state?: SavedSearchState;
}

export const changeSearch = (projectName: string, searchName: string, { state, ...body }: SearchChange) =>
  call(
    client.PATCH('/projects/{projectName}/saved_searches/{searchName}', {
      params: { path: { projectName, searchName } },
      body: { ...body, ...(state === undefined ? {} : { search: searchToJson(state) }) } as Schemas['SavedSearchPatch'],
    }),
  );

export const deleteSearch = (projectName: string, searchName: string) =>
  call(client.DELETE('/projects/{projectName}/saved_searches/{searchName}', { params: { path: { projectName, searchName } } }));
