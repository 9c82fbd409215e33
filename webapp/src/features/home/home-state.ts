import { useCallback, useMemo } from 'react';
import { useNavigate, useParams } from 'react-router';
import type { SelectedFacet } from '@/components/facet-list';
import { decodePathState, pathWithState } from '@/state/path-state';

export interface HomeState {
  readonly query: string;
  readonly selectedFacets: readonly SelectedFacet[];
  readonly sort: 'created' | 'label' | 'documents';
  readonly from: number;
}

export const HOME_DEFAULTS: HomeState = { query: '', selectedFacets: [], sort: 'created', from: 0 };

/** State of the screen, kept in the path. Any change but paging goes back to the first page. */
export function useHomeState(): readonly [HomeState, (change: Partial<HomeState>) => void] {
  const { searchParams } = useParams();
  const navigate = useNavigate();
  const state = useMemo(() => decodePathState(searchParams, HOME_DEFAULTS), [searchParams]);
  const change = useCallback(
    (part: Partial<HomeState>) => void navigate(pathWithState('/home', { ...state, from: 0, ...part }, HOME_DEFAULTS), { replace: true }),
    [navigate, state],
  );
  return [state, change];
}
