import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useProjectUndoRedo, type ProjectUndoRedo } from '@/labelling-sync/use-undo-redo';
import { onLiveEvent } from '@/api/live-connection';
import type { ProjectUndo } from '@/api/resources/history';
import { projectQuery } from '@/api/resources/projects';
import { suggestionKeys, suggestionsQuery, type Suggestion } from '@/api/resources/suggestions';
import { useProjectWritable } from '@/state/session-store';
import type { Edge } from '@/text/resize-range';
import { stepBoundary, useMovedSpans } from './moved-spans';
import { facetFilter, NOTHING_ANSWERED, openSuggestions, pageSize, unansweredProposals } from './review-model';
import type { AnsweredProposals, SpanPlace } from './review-model';
import { identifiersAnsweredTogether, useReviewSessionStore } from './review-session-store';
import { useSuggestionsAddress } from './use-suggestions-address';
import { useAnswers } from './use-answers';

function withoutKeys(set: ReadonlySet<string>, keys: readonly string[]): ReadonlySet<string> {
  const next = new Set(set);
  for (const key of keys) next.delete(key);
  return next;
}

/** Number of suggestions that arrived since the page was fetched. */
function useNewSuggestionCount(project: string) {
  const [fresh, setFresh] = useState(0);
  useEffect(
    () =>
      onLiveEvent((event, name) => {
        const { type, count = 1 } = (event.arg ?? {}) as { type?: string; count?: number };
        if (name === 'suggestions' && type === 'new' && event.project === project) setFresh((known) => known + count);
      }),
    [project],
  );
  return [fresh, setFresh] as const;
}

/** Answers given here, until the page is fetched again. */
function useAnsweredProposals() {
  const [answered, setAnswered] = useState<AnsweredProposals>(NOTHING_ANSWERED);
  return {
    answered,
    forget: useCallback(() => setAnswered(NOTHING_ANSWERED), []),
    mark: (suggestion: Suggestion, keys: readonly string[], whole: boolean) =>
      setAnswered((now) => ({
        proposals: new Set([...now.proposals, ...keys]),
        segments: whole ? new Set([...now.segments, suggestion._id]) : now.segments,
      })),
    unmark: (keys: readonly string[], id: string) =>
      setAnswered((now) => ({ proposals: withoutKeys(now.proposals, keys), segments: withoutKeys(now.segments, [id]) })),
  };
}

/** The fetched page, its open suggestions, and the focused one. */
function useSuggestionPage(project: string) {
  const [address, changeAddress] = useSuggestionsAddress();
  const { data: info } = useQuery(projectQuery(project));
  const size = pageSize(info?.nature);
  const request = { from: address.index, size, sort: address.sort, filter: facetFilter(address.selectedFacets) };
  const page = useQuery({
    ...suggestionsQuery(project, request),
    enabled: info !== undefined,
    placeholderData: (known) => known,
    meta: { silent: true },
  });
  const marks = useAnsweredProposals();
  const moves = useMovedSpans();
  const [focusedKey, setFocusedKey] = useState('');
  const received = page.data?.suggestions ?? [];
  const open = openSuggestions(received, marks.answered);
  const current = open.find((suggestion) => suggestion._id === address.sugId) ?? open[0];
  const proposals = current === undefined ? [] : moves.withMoves(current, unansweredProposals(current, marks.answered));
  const proposal = proposals.find(({ key }) => key === focusedKey) ?? proposals[0];
  const total = Math.max(0, (page.data?.total.value ?? 0) - (received.length - open.length));
  return {
    project,
    info,
    address,
    changeAddress,
    size,
    request,
    page,
    marks,
    moves,
    setFocusedKey,
    received,
    open,
    current,
    proposals,
    proposal,
    total,
  };
}

type Page = ReturnType<typeof useSuggestionPage>;

/** Next or previous proposal; after the last one, the next suggestion; after the page, the next page. */
function moveFocus(
  { address, changeAddress, size, marks, setFocusedKey, open, current, proposals, proposal, total }: Page,
  step: 1 | -1,
): void {
  if (current === undefined || proposal === undefined) return;
  const next = proposals[proposals.indexOf(proposal) + step];
  if (next !== undefined) {
    setFocusedKey(next.key);
    return;
  }
  const neighbour = open[open.indexOf(current) + step];
  if (neighbour !== undefined) {
    changeAddress({ sugId: neighbour._id });
    setFocusedKey(step === 1 ? '' : (unansweredProposals(neighbour, marks.answered).at(-1)?.key ?? ''));
    return;
  }
  // The answered ones are gone from the list: the next page begins after those that are still open.
  const index = Math.max(0, step === 1 ? address.index + open.length : address.index - size);
  if (index < address.index + total && index !== address.index) changeAddress({ index, sugId: '' });
}

/** Fetches the page again: on request, and automatically when all of it is answered (T-021). */
function useReloadPage({ address, changeAddress, page, marks, received, open }: Page, busy: boolean, fresh: number, onReload: () => void) {
  const queryClient = useQueryClient();
  const reloading = useRef(false);
  const { forget } = marks;
  const reload = useCallback(
    async (index?: number) => {
      onReload();
      if (index !== undefined) changeAddress({ index, sugId: '' });
      await queryClient.invalidateQueries({ queryKey: suggestionKeys.all });
      forget();
    },
    [queryClient, changeAddress, forget, onReload],
  );
  const emptied = page.isSuccess && !page.isFetching && open.length === 0 && !busy;
  useEffect(() => {
    // After the last page, start from the first; an empty list takes what arrives, as there is nothing to disturb.
    if (!emptied || (received.length === 0 && address.index === 0 && fresh === 0) || reloading.current) return;
    reloading.current = true;
    void reload(received.length > 0 ? undefined : 0).finally(() => {
      reloading.current = false;
    });
  }, [emptied, received.length, address.index, fresh, reload]);
  return reload;
}

/** The proposal whose answer was undone; for a skipped suggestion its first proposal. */
export function proposalOfUndoneAnswer(page: readonly Suggestion[], { documentIdentifier, entry }: ProjectUndo) {
  const skipped = entry.entity === 'suggestion' && page.find(({ _id }) => _id === entry.entityIdentifier);
  if (skipped) return unansweredProposals(skipped).map((proposal) => ({ suggestion: skipped, proposal }))[0];
  const { labelName, start, end } = entry.after ?? {};
  const answered = page
    .filter((suggestion) => suggestion.documentIdentifier === documentIdentifier)
    .flatMap((suggestion) => unansweredProposals(suggestion).map((proposal) => ({ suggestion, proposal })))
    .filter(({ proposal }) =>
      entry.entity === 'category' ? proposal.kind === 'category' : proposal.start === start && proposal.end === end,
    );
  // The answer may have another label than the proposal.
  return answered.find(({ proposal }) => proposal.labelName === labelName) ?? answered[0];
}

/** Undo and redo of the project: what was undone is open again, and focused. */
function useAnswerUndo(
  { project, request, changeAddress, setFocusedKey }: Page,
  whenSaved: () => Promise<unknown>,
  reload: () => Promise<void>,
): ProjectUndoRedo {
  const queryClient = useQueryClient();
  const writable = useProjectWritable();
  const together = useCallback((identifier: string) => identifiersAnsweredTogether(project, identifier), [project]);
  const undoRedo = useProjectUndoRedo(
    project,
    writable,
    useMemo(() => ({ whenSaved, together }), [whenSaved, together]),
  );
  const { last } = undoRedo;
  const seen = useRef(last);
  useEffect(() => {
    if (last === undefined || last === seen.current) return;
    seen.current = last;
    const { kind, result, found } = last;
    if (kind === 'restore') return;
    const made = [...(result.annotations ?? []), ...(result.categories ?? [])].map(({ identifier }) => identifier);
    const ids = [...(kind === 'undo' ? (result.removed ?? []) : made), ...(result.suggestions ?? [])];
    useReviewSessionStore.getState().applyUndo(project, kind, ids);
    void queryClient.invalidateQueries({ queryKey: ['documents', project, 'suggested'] });
    void whenSaved()
      .then(() => reload())
      .then(() => {
        const { suggestions = [] } = queryClient.getQueryData(suggestionsQuery(project, request).queryKey) ?? {};
        const back = found && kind === 'undo' && proposalOfUndoneAnswer(suggestions, found);
        if (!back) return;
        changeAddress({ sugId: back.suggestion._id });
        setFocusedKey(back.proposal.key);
      });
  }, [last, project, request, queryClient, whenSaved, reload, changeAddress, setFocusedKey]);
  return undoRedo;
}

/** State and actions of the suggestions screen; the server is authoritative. */
export function useReview(project: string) {
  const state = useSuggestionPage(project);
  const { info, address, changeAddress, page, marks, setFocusedKey, open, current, proposals, proposal, total } = state;
  const [fresh, setFresh] = useNewSuggestionCount(project);
  const none = useCallback(() => setFresh(0), [setFresh]);
  const [round, setRound] = useState(0);
  const focusSuggestion = (id: string) => {
    setFocusedKey('');
    changeAddress({ sugId: id });
  };
  /** The suggestion that replaces the current one. */
  const leave = (gone: ReadonlySet<string>) => {
    const at = open.findIndex((item) => item._id === current?._id);
    const left = open.filter((item) => !gone.has(item._id));
    focusSuggestion(left[Math.min(at, left.length - 1)]?._id ?? '');
  };

  const answers = useAnswers({
    project,
    exclusive: info?.classification?.exclusive_classes === true,
    open,
    current,
    proposals,
    proposal,
    answered: marks.answered,
    mark: marks.mark,
    unmark: marks.unmark,
    leave,
    focusProposal: setFocusedKey,
  });

  const reload = useReloadPage(state, answers.busy, fresh, none);
  const undoRedo = useAnswerUndo(state, answers.whenSaved, reload);

  return {
    project,
    nature: info?.nature,
    address,
    changeAddress,
    page,
    open,
    total,
    current,
    proposals,
    proposal,
    fresh,
    move: (step: 1 | -1) => moveFocus(state, step),
    /** Moves a boundary of the focused span by a word. */
    moveBoundary: (edge: Edge, forward: boolean) => {
      if (current !== undefined && proposal?.kind === 'annotation')
        state.moves.moveTo(current, proposal, stepBoundary(current, proposal, edge, forward));
    },
    /** Puts a proposed span elsewhere; without a place, back to where it was proposed. */
    placeSpan: (key: string, place?: SpanPlace) => {
      const found = proposals.find((item) => item.key === key);
      if (current !== undefined && found !== undefined) state.moves.moveTo(current, found, place ?? found);
    },
    focusProposal: setFocusedKey,
    focusSuggestion,
    /** How often the user fetched the list anew. */
    round,
    reload: () => {
      setRound((known) => known + 1);
      void reload();
    },
    ...answers,
    undoRedo,
  };
}

export type ReviewState = ReturnType<typeof useReview>;
