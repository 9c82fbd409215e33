import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyFailure } from '@/api/errors';
import { historyKeys } from '@/api/resources/history';
import { answerSuggestion, skipSuggestion, suggestedDocumentQuery, type Suggestion } from '@/api/resources/suggestions';
import { answerKey, nextProposal, placedProposal, unansweredProposals } from './review-model';
import type { AnsweredProposals, Proposal, SpanPlace } from './review-model';
import { useReviewSessionStore, type ReviewAnswer } from './review-session-store';

interface Sending {
  readonly suggestion: Suggestion;
  readonly keys: readonly string[];
  readonly given: ReviewAnswer;
  readonly errorTitle: string;
  readonly run: () => Promise<unknown>;
}

export interface AnswersInput {
  readonly project: string;
  /** A document has at most one category. */
  readonly exclusive: boolean;
  readonly open: readonly Suggestion[];
  readonly current: Suggestion | undefined;
  readonly proposals: readonly Proposal[];
  readonly proposal: Proposal | undefined;
  readonly answered: AnsweredProposals;
  readonly mark: (suggestion: Suggestion, keys: readonly string[], whole: boolean) => void;
  readonly unmark: (keys: readonly string[], id: string) => void;
  readonly leave: (gone: ReadonlySet<string>) => void;
  readonly focusProposal: (key: string) => void;
}

/** Sends answers one after the other, so that the history has them in order. */
function useAnswerQueue({ project, unmark }: Pick<AnswersInput, 'project' | 'unmark'>) {
  const client = useQueryClient();
  const [pending, setPending] = useState(0);
  const line = useRef<Promise<unknown>>(Promise.resolve());
  const { addAnswer, removeAnswer } = useReviewSessionStore.getState();
  const inLine = (run: () => Promise<unknown>) => {
    const sent = line.current.then(run);
    line.current = sent.catch(() => undefined);
    return sent;
  };
  const send = useMutation<unknown, Error, Sending>({
    mutationFn: ({ run }) => inLine(run),
    onMutate: ({ given }) => {
      addAnswer(project, given);
      setPending((n) => n + 1);
    },
    onSettled: () => {
      setPending((n) => n - 1);
      void client.invalidateQueries({ queryKey: historyKeys.of(project, '') });
    },
    onError: (error, { suggestion, keys, given, errorTitle }) => {
      unmark(keys, suggestion._id);
      removeAnswer(project, given);
      notifyFailure(error, errorTitle);
    },
    meta: { silent: true },
  });
  const post = async (suggestion: Suggestion, item: Proposal, status: 'OK' | 'KO', given: ReviewAnswer, labelName = item.labelName) => {
    const span = item.kind === 'annotation' ? { span: { start: item.start, end: item.end, text: item.text } } : {};
    // Another label than the proposed one is no decision about the proposal.
    const proposed = labelName === item.labelName ? { suggester: suggestion.suggester } : {};
    const { documentIdentifier } = suggestion;
    given.written.add(await answerSuggestion(project, { documentIdentifier, labelName, status, ...proposed, ...span }));
  };
  /** Resolves when all answers are saved. */
  const whenSaved = useCallback(() => line.current, []);
  return { pending, send, post, whenSaved };
}

const isCategory = (item: Proposal) => item.kind === 'category';

type Post = ReturnType<typeof useAnswerQueue>['post'];

/** An accepted proposal with another label or place is rejected as proposed, and confirmed as the user wants it. */
async function postAnswers(post: Post, suggestion: Suggestion, list: readonly Proposal[], given: ReviewAnswer, relabel?: string) {
  const accepted = given.verdict === 'accepted';
  const corrected = list.filter((item) => accepted && (relabel !== undefined || item.moved !== undefined));
  // Reject what was proposed first: in an exclusive set the confirmed label must be sent last.
  for (const item of list) await post(suggestion, item, accepted && !corrected.includes(item) ? 'OK' : 'KO', given);
  for (const item of corrected) await post(suggestion, placedProposal(item), 'OK', given, relabel);
}

/**
 * Accept, reject, change label, skip, validate. Answers are shown immediately and reverted when the server refuses; undone through the
 * history.
 */
export function useAnswers(input: AnswersInput) {
  const { project, exclusive, open, current, proposals, proposal, answered, mark, leave, focusProposal } = input;
  const { t } = useTranslation('suggestions');
  const client = useQueryClient();
  const [said, setSaid] = useState('');
  const { pending, send, post, whenSaved } = useAnswerQueue(input);
  const nameOf = ([first, ...more]: readonly Proposal[], relabel = first?.labelName ?? '') =>
    more.length > 0 ? t('proposals', { count: more.length + 1 }) : ((first?.moved ?? first)?.text ?? '') || relabel;

  /** `relabel` confirms another label and rejects the proposed one; a moved span is confirmed where it is and rejected where it was. */
  const answer = (list: readonly Proposal[], verdict: 'accepted' | 'rejected', relabel?: string, words?: string) => {
    const first = list[0];
    if (current === undefined || first === undefined) return;
    const suggestion = current;
    const keys = list.map((item) => answerKey(suggestion, item));
    const left = proposals.filter((item) => !list.includes(item));
    // With at most one category, accepting one also answers the others.
    const settled = verdict === 'accepted' && exclusive && list.some(isCategory);
    const over = left.length === 0 || settled;
    const given: ReviewAnswer = { verdict, count: keys.length, finishes: over, written: new Set() };
    mark(suggestion, keys, over);
    setSaid(words ?? t(`said.${verdict}`, { name: nameOf(list, relabel) }));
    if (over) leave(new Set([suggestion._id]));
    else focusProposal(nextProposal(left, proposals.indexOf(first))?.key ?? '');
    const run = () => postAnswers(post, suggestion, list, given, relabel);
    send.mutate({ suggestion, keys, given, errorTitle: list.length > 1 ? 'acceptSegment' : 'acceptSuggestion', run });
  };

  /** A span that the suggester missed, confirmed by the user; the suggestion stays open. */
  const addMissed = (labelName: string, place: SpanPlace) => {
    const same = proposals.find((item) => item.labelName === labelName && item.start === place.start && item.end === place.end);
    if (same !== undefined) return answer([same], 'accepted');
    if (current === undefined) return undefined;
    const suggestion = current;
    const given: ReviewAnswer = { verdict: 'accepted', count: 1, finishes: false, written: new Set() };
    setSaid(t('said.added', { name: place.text }));
    const missed: Proposal = { ...place, key: '', kind: 'annotation', labelName, score: 1 };
    const run = async () => {
      await post(suggestion, missed, 'OK', given);
      await client.invalidateQueries({ queryKey: suggestedDocumentQuery(project, suggestion.documentIdentifier).queryKey });
    };
    return send.mutate({ suggestion, keys: [], given, errorTitle: 'addMissedSpan', run });
  };

  /** Skips suggestions; with `reject`, their categories are rejected first (T-022). */
  const drop = (list: readonly Suggestion[], reject: boolean, errorTitle: string) => {
    leave(new Set(list.map((item) => item._id)));
    // Shared by all of them, as one key press is undone together.
    const written = new Set<string>();
    for (const suggestion of list) {
      const given: ReviewAnswer = { verdict: 'skipped', count: 1, finishes: true, written };
      const categories = reject ? unansweredProposals(suggestion, answered).filter((item) => item.kind === 'category') : [];
      mark(suggestion, [], true);
      const run = async () => {
        for (const item of categories) await post(suggestion, item, 'KO', given);
        await skipSuggestion(project, suggestion._id);
        written.add(suggestion._id);
      };
      send.mutate({ suggestion, keys: [], given, errorTitle, run });
    }
  };

  return {
    said,
    /** Answers are being saved: the page must not be fetched yet. */
    busy: pending > 0,
    acceptAllOffered: proposals.length > 1 && !(exclusive && proposals.some(isCategory)),
    accept: () => proposal !== undefined && answer([proposal], 'accepted'),
    reject: () => proposal !== undefined && answer([proposal], 'rejected'),
    acceptAll: () => answer(proposals, 'accepted'),
    relabel: (label: string) => proposal !== undefined && answer([proposal], 'accepted', label === proposal.labelName ? undefined : label),
    addMissed,
    /** The segment was read: what is not confirmed in it does not occur there, so all that is proposed is rejected. */
    nothingMore: () => answer(proposals, 'rejected', undefined, t('said.nothingMore')),
    skip: () => {
      if (current === undefined) return;
      setSaid(t('said.skipped'));
      drop([current], false, 'skipSuggestion');
    },
    validateDocument: () => {
      if (current === undefined) return;
      setSaid(t('said.validated', { name: current.documentTitle ?? current.documentIdentifier }));
      drop(
        open.filter((item) => item.documentIdentifier === current.documentIdentifier),
        true,
        'validateDocument',
      );
    },
    whenSaved,
  };
}
