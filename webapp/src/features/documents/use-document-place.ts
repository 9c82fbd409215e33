import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useNavigate } from 'react-router';
import { documentPositionQuery, type DocumentHit } from '@/api/resources/documents';
import { addressPath, type SearchAddress } from '@/state/search-address';
import { positionSearch } from './document-search';
import type { Place } from './document-toolbar';

export interface DocumentPlace {
  readonly place: Place;
  readonly hit: DocumentHit | undefined;
  readonly identifier: string;
  readonly error: unknown;
  readonly retry: () => void;
  readonly searching: boolean;
  readonly move: (index: number) => void;
}

/** Which document the address means: the one at its place in the search, or the one it names. */
export function useDocumentPlace(project: string, state: SearchAddress): DocumentPlace {
  const navigate = useNavigate();
  const { data, error, refetch, isFetching } = useQuery(documentPositionQuery(project, positionSearch(state), state.deletedIdentifier));
  const named = state.documentIdentifier !== '';
  const hit = data?.hits[0];
  const move = useCallback(
    (from: number) =>
      void navigate(addressPath('/document', { ...state, from, deletedIdentifier: '', highlightedSentence: -1, documentIdentifier: '' })),
    [navigate, state],
  );
  return {
    place: { index: named ? undefined : state.from, total: data?.total.value ?? 0 },
    hit,
    identifier: named ? state.documentIdentifier : (hit?.document.identifier ?? ''),
    // A named document is shown even where the query, only used to mark what was found, cannot be read.
    error: named ? null : error,
    retry: () => void refetch(),
    searching: isFetching && data === undefined,
    move,
  };
}
