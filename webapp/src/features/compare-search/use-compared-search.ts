/** One of the two searches: its state in the address, the page shown, and the first results that are compared. */
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { pageSizeOf } from '@/api/resources/search';
import { firstSegmentsQuery, segmentSearchOf, segmentSearchQuery, type SegmentHit, type SegmentHits } from '@/api/resources/segments';
import { useProjectLabels } from '@/blocks/labelling/project-labels';
import { useHasQuestions } from '@/blocks/questions/use-questions-drawer';
import { countFacetsAndFilters } from '@/blocks/search/search-filters';
import { useResultsOfLastValidQuery } from '@/blocks/search/search-failure';
import { hasVectors } from '@/blocks/search/search-mode';
import { decodeSearch, encodeSearch, type CompareAddress, type Side } from '@/state/compare-address';
import type { SearchFilter } from '@/state/search-filters';
import { withoutSearchTerms, withPageReset, type ChangeAddress, type SearchAddress } from '@/state/search-address';
import { useCan, useProjectName } from '@/state/session-store';
import type { ChangeOptions } from '@/state/use-path-state';
import { COMPARED } from './common-results';

export interface ComparedSearch {
  readonly side: Side;
  /** Letter of the side, as users read it. */
  readonly letter: string;
  readonly state: SearchAddress;
  readonly change: ChangeAddress;
  /** There is something to search for. */
  readonly ready: boolean;
  readonly page: SegmentHits | undefined;
  /** Page size. */
  readonly size: number;
  /** The page belongs to an earlier search. */
  readonly stale: boolean;
  readonly error: unknown;
  readonly retry: () => void;
  /** The first `COMPARED` results; undefined until they are there, or when they could not be searched. */
  readonly first: readonly SegmentHit[] | undefined;
  /** The first results are being searched. */
  readonly ranking: boolean;
}

export interface ComparedSearchInput {
  readonly side: Side;
  readonly address: CompareAddress;
  readonly changeAddress: (part: Partial<CompareAddress>, options?: ChangeOptions) => void;
  readonly defaults: SearchAddress;
}

/** C-061: saved questions are documents, but no results. */
const NO_QUESTIONS: SearchFilter = { field: 'metadata.question', value: 'true', filterSelector: 'must_not', filterType: 'query' };
const withoutSavedQuestions = (state: SearchAddress): SearchAddress => ({ ...state, filters: [...state.filters, NO_QUESTIONS] });

const somethingToSearch = (state: SearchAddress) =>
  state.query.trim() !== '' || state.action === '_similar' || state.datasetSelector !== '' || countFacetsAndFilters(state) > 0;

/** The search of a side as far as this project and this user can search. */
function useSideState({ side, address, defaults }: ComparedSearchInput): SearchAddress {
  const maySearch = useCan('useSearch');
  const { project } = useProjectLabels();
  const textOnly = project !== undefined && !hasVectors(project);
  const text = address[side];
  return useMemo(() => {
    const given = decodeSearch(text, defaults);
    const permitted = maySearch ? given : withoutSearchTerms(given);
    return textOnly ? { ...permitted, searchType: 'text' } : permitted;
  }, [text, defaults, maySearch, textOnly]);
}

export function useComparedSearch(input: ComparedSearchInput): ComparedSearch {
  const { side, changeAddress } = input;
  const project = useProjectName();
  const state = useSideState(input);
  const change = useCallback<ChangeAddress>(
    (part, { replace = false } = {}) => changeAddress({ [side]: encodeSearch({ ...state, ...withPageReset(part) }) }, { push: !replace }),
    [changeAddress, side, state],
  );
  const ready = somethingToSearch(state) && project !== '';
  const hasQuestions = useHasQuestions();
  const search = segmentSearchOf(hasQuestions ? withoutSavedQuestions(state) : state);
  const answer = useQuery({ ...segmentSearchQuery(project, search), enabled: ready });
  const first = useQuery({ ...firstSegmentsQuery(project, search, COMPARED), enabled: ready });
  const { found, half } = useResultsOfLastValidQuery(answer.data, answer.error, state.explicitSubmit);
  const page = ready ? found : undefined;
  return {
    ...{ side, state, change, ready, page },
    letter: side === 'explore1' ? 'A' : 'B',
    size: page === undefined ? state.size : pageSizeOf(page),
    stale: answer.isPlaceholderData || half,
    error: answer.error,
    retry: () => void Promise.all([answer.refetch(), first.refetch()]),
    first: ready ? first.data?.hits : undefined,
    ranking: ready && first.isPending,
  };
}
