import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import {
  defaultSavedSearch,
  searchFromJson,
  savedSearchesQuery,
  type SavedSearchState,
  type SearchKind,
} from '@/api/resources/saved-searches';
import { notify } from '@/state/notifications-store';
import type { ChangeAddress, SearchAddress } from '@/state/search-address';
import { useCan, useSessionStore } from '@/state/session-store';

/** Screens opened since the page was loaded, by user and project: the default search is applied once and can be left afterwards. */
const openedScreens = new Set<string>();

interface DefaultSearchInput {
  readonly project: string;
  readonly kind: SearchKind;
  readonly usual: SearchAddress;
  readonly change: ChangeAddress;
}

/** S-022: applies the default search when the screen is opened without a search. A link is not changed. */
export function useDefaultSearch({ project, kind, usual, change }: DefaultSearchInput): void {
  const { t } = useTranslation('search');
  const bare = (useParams()['searchParams'] ?? '') === '';
  const mayList = useCan('useSearch');
  const me = useSessionStore((state) => state.principal?.username ?? '');
  const { data } = useQuery({ ...savedSearchesQuery(project, kind), enabled: mayList && project !== '' });
  useEffect(() => {
    const key = JSON.stringify([me, project, kind]);
    if (data === undefined || openedScreens.has(key)) return;
    openedScreens.add(key);
    const first = bare ? defaultSavedSearch(data) : undefined;
    if (first === undefined) return;
    change(searchFromJson(first, usual), { replace: true });
    const everything: SavedSearchState = usual;
    notify({
      type: 'info',
      message: t('saved.begun', { name: first.label }),
      action: { label: t('saved.showAll'), run: () => change(toSavedSearchState(everything)) },
    });
  }, [bare, change, data, kind, me, project, t, usual]);
}

/** The fields of an address that a saved search contains. */
export const toSavedSearchState = (state: SavedSearchState): SavedSearchState => {
  const { query, searchType, isSimpleQueryMode, size, sort, datasetSelector, selectedFacets, filters } = state;
  return { query, searchType, isSimpleQueryMode, size, sort, datasetSelector, selectedFacets, filters };
};
