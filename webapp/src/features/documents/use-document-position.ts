import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { useNavigate } from 'react-router';
import { documentAtPositionQuery, type DocumentHit } from '@/api/resources/documents';
import { segmentAtPositionQuery, segmentSearchOf, type Segment } from '@/api/resources/segments';
import type { SearchTotal } from '@/api/resources/search';
import { rememberOpened } from '@/state/last-opened';
import { addressPath, type SearchAddress } from '@/state/search-address';
import { documentPositionSearch } from './document-search';
import type { ListPosition } from './document-toolbar';

export interface DocumentPosition {
  readonly position: ListPosition;
  readonly hit: DocumentHit | undefined;
  readonly identifier: string;
  /** Start of the sentence to show, code points; -1: none. */
  readonly sentence: number;
  /** End of what to show, code points; -1: the whole sentence. */
  readonly sentenceEnd: number;
  readonly error: unknown;
  readonly retry: () => void;
  readonly searching: boolean;
  readonly move: (index: number) => void;
}

interface NamedDocument {
  readonly identifier: string;
  readonly sentence: number;
  readonly sentenceEnd: number;
}

const sentenceOf = ({ highlightedSentence, highlightedEnd }: SearchAddress) => ({
  sentence: highlightedSentence,
  sentenceEnd: highlightedEnd,
});

/** The document named by the address, or the one of the explored segment. */
function documentNamedByAddress(state: SearchAddress, segment: Segment | undefined): NamedDocument | undefined {
  if (state.documentIdentifier !== '') return { identifier: state.documentIdentifier, ...sentenceOf(state) };
  return segment && { identifier: segment.documentIdentifier, sentence: segment.start, sentenceEnd: -1 };
}

/** Opened from the explorer: fetches the segment at this position of its search, unless the address names a document. */
function useExploredSegment(project: string, state: SearchAddress) {
  const explored = state.origin === 'explore';
  const found = useQuery({ ...segmentAtPositionQuery(project, segmentSearchOf(state)), enabled: explored && project !== '' });
  const segment = found.isPlaceholderData ? undefined : found.data?.hits[0]?.segment;
  return { explored, found, named: documentNamedByAddress(state, segment), segment };
}

/** Fetches the document with its matches, by identifier or by position in the document search. */
function usePositionQuery(project: string, state: SearchAddress, named: NamedDocument | undefined, enabled: boolean) {
  const search = documentPositionSearch(named === undefined ? state : { ...state, documentIdentifier: named.identifier });
  return useQuery({ ...documentAtPositionQuery(project, search, state.deletedIdentifier), enabled });
}

function useMoveToPosition(state: SearchAddress): (from: number) => void {
  const navigate = useNavigate();
  return useCallback(
    (from: number) => {
      const nothingShown = { deletedIdentifier: '', highlightedSentence: -1, highlightedEnd: -1, documentIdentifier: '' };
      void navigate(addressPath('/document', { ...state, from, ...nothingShown }));
    },
    [navigate, state],
  );
}

/** The document of the address: at its position in the search, or named. */
export function useDocumentPosition(project: string, state: SearchAddress): DocumentPosition {
  const { explored, found, named, segment } = useExploredSegment(project, state);
  const position = usePositionQuery(project, state, named, !explored || named !== undefined);
  const hit = position.data?.hits[0];
  const { data, error, refetch, isFetching, isPlaceholderData } = explored ? found : position;
  const shown = named ?? { identifier: explored ? '' : hitDocumentIdentifier(hit), ...sentenceOf(state) };
  const byPlace = explored || named === undefined;
  const opened = explored ? segment?.identifier : shown.identifier;
  useEffect(() => rememberOpened(explored ? 'explore' : 'documents', opened), [explored, opened]);
  return {
    ...shown,
    position: { index: byPlace ? state.from : undefined, total: totalHits(data), explored },
    hit,
    // A named document is shown even if the query, only needed to mark matches, has a syntax error.
    error: named === undefined ? error : null,
    retry: () => void refetch(),
    searching: isFetching && (data === undefined || isPlaceholderData),
    move: useMoveToPosition(state),
  };
}

const hitDocumentIdentifier = (hit: DocumentHit | undefined): string => hit?.document.identifier ?? '';
const totalHits = (data: { readonly total: SearchTotal } | undefined): number => data?.total.value ?? 0;
