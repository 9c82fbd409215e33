/** The state of the terms in the address, and their search. */
import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { querySyntaxErrorOf } from '@/api/resources/search';
import { termSearchQuery } from '@/api/resources/terms';
import { useResultsOfLastValidQuery, useSearchFailureNotification } from '@/blocks/search/search-failure';
import { useSearchStore } from '@/state/search-store';
import { usePathState } from '@/state/use-path-state';
import { useSearchBox } from '@/ui/page';
import { TERM_DEFAULTS, TERMS_PATH, termSearchOf, withFirstPage, type TermAddress } from './term-address';

/** Each change is a history entry, except unsubmitted typing (`replace`). */
export type ChangeTerms = (part: Partial<TermAddress>, options?: { readonly replace?: boolean }) => void;

export function useTermAddress(): readonly [TermAddress, ChangeTerms] {
  const [state, change] = usePathState(TERMS_PATH, TERM_DEFAULTS);
  return [
    state,
    useCallback((part: Partial<TermAddress>, { replace = false } = {}) => change(withFirstPage(part), { push: !replace }), [change]),
  ];
}

export interface TermsPartProps {
  readonly state: TermAddress;
  readonly change: ChangeTerms;
}

export function useTermSearch(project: string, state: TermAddress, change: ChangeTerms) {
  const { t } = useTranslation('vocabularies');
  const query = useQuery(termSearchQuery(project, termSearchOf(state)));
  const { found, half } = useResultsOfLastValidQuery(query.data, query.error, state.explicitSubmit);
  useSearchFailureNotification(found === undefined ? null : query.error, state.explicitSubmit, 'searchTerms');
  const typing = useSearchStore((box) => box.typing);
  const onSearch = useCallback(
    (text: string, explicitSubmit: boolean) => change({ query: text, explicitSubmit, view: 'list' }, { replace: !explicitSubmit }),
    [change],
  );
  const queryError = state.explicitSubmit ? querySyntaxErrorOf(query.error) : undefined;
  useSearchBox({ placeholder: t('searchPlaceholder'), query: state.query, onSearch, queryError });
  return { hits: found, stale: query.isPlaceholderData || half || typing, error: query.error, refetch: query.refetch };
}
