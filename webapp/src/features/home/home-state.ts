import { useCallback } from 'react';
import type { SelectedFacet } from '@/state/facet-selection';
import { usePathState } from '@/state/use-path-state';

export interface HomeState {
  readonly query: string;
  readonly selectedFacets: readonly SelectedFacet[];
  readonly sort: 'created' | 'label' | 'documents';
  readonly from: number;
}

export const HOME_DEFAULTS: HomeState = { query: '', selectedFacets: [], sort: 'created', from: 0 };

/** State of the screen, stored in the path. Any change except paging goes back to the first page. */
export function useHomeState(): readonly [HomeState, (change: Partial<HomeState>) => void] {
  const [state, change] = usePathState('/home', HOME_DEFAULTS);
  return [state, useCallback((part: Partial<HomeState>) => change({ from: 0, ...part }), [change])];
}
