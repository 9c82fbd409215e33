import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyFailure } from '@/api/errors';
import { answerSuggestion, skipSuggestion, takeBack, type Suggestion } from '@/api/resources/suggestions';
import { answerKey, nextProposal, proposalsOf, type Answered, type Proposal, type Verdict } from './review-model';
import { useSittingStore } from './sitting-store';

interface Done {
  readonly said: string;
  readonly suggestion: string;
  readonly keys: readonly string[];
  readonly verdict: Verdict;
  /** Filled when the server answered. */
  readonly written: { kind: Proposal['kind']; identifier: string }[];
}

interface Sending {
  readonly done: Done;
  readonly counted: number;
  readonly errorTitle: string;
  readonly run: () => Promise<unknown>;
}

export interface AnswersInput {
  readonly project: string;
  /** One category at most holds on a document. */
  readonly exclusive: boolean;
  readonly open: readonly Suggestion[];
  readonly current: Suggestion | undefined;
  readonly proposals: readonly Proposal[];
  readonly proposal: Proposal | undefined;
  readonly answered: Answered;
  readonly mark: (suggestion: Suggestion, keys: readonly string[], whole: boolean) => void;
  readonly unmark: (keys: readonly string[], id: string) => void;
  readonly leave: (gone: ReadonlySet<string>) => void;
  readonly focusProposal: (key: string) => void;
  readonly comeBack: (suggestionId: string) => Promise<void> | void;
}

const MAX_UNDO = 30;

/** What is under way and what can be taken back. */
function useSending({ project, unmark }: Pick<AnswersInput, 'project' | 'unmark'>) {
  const [undo, setUndo] = useState<readonly Done[]>([]);
  const [pending, setPending] = useState(0);
  const count = useSittingStore((state) => state.count);
  const send = useMutation<unknown, Error, Sending>({
    mutationFn: ({ run }) => run(),
    onMutate: () => setPending((n) => n + 1),
    onSettled: () => setPending((n) => n - 1),
    onError: (error, { done, counted, errorTitle }) => {
      unmark(done.keys, done.suggestion);
      count(project, done.verdict, -counted);
      setUndo((stack) => stack.filter((item) => item !== done));
      notifyFailure(error, errorTitle);
    },
    meta: { silent: true },
  });
  const post = async (suggestion: Suggestion, item: Proposal, status: 'OK' | 'KO', done: Done, labelName = item.labelName) => {
    const span = item.kind === 'annotation' ? { span: { start: item.start, end: item.end, text: item.text } } : {};
    const identifier = await answerSuggestion(project, { documentIdentifier: suggestion.documentIdentifier, labelName, status, ...span });
    done.written.push({ kind: item.kind, identifier });
  };
  return { undo, setUndo, pending, count, send, post };
}

/** Deletes what the last answer wrote and opens the proposal again. */
function useTakeBack(input: AnswersInput, { undo, setUndo, count }: ReturnType<typeof useSending>, onDone: () => void) {
  const { project, unmark, comeBack } = input;
  return useMutation({
    mutationFn: async () => {
      const last = undo.at(-1);
      if (last === undefined) return;
      for (const { kind, identifier } of last.written) await takeBack(project, kind, identifier);
      setUndo((stack) => stack.filter((item) => item !== last));
      unmark(last.keys, last.suggestion);
      count(project, last.verdict, -last.keys.length);
      await comeBack(last.suggestion);
      onDone();
    },
    meta: { errorTitle: 'deleteAnnotation' },
  });
}

/** Accept, reject, change label, skip, validate, take back. Shown at once; put back when the server refuses. */
export function useAnswers(input: AnswersInput) {
  const { project, exclusive, open, current, proposals, proposal, answered, mark, leave, focusProposal } = input;
  const { t } = useTranslation('suggestions');
  const [said, setSaid] = useState('');
  const sending = useSending(input);
  const { undo, setUndo, pending, count, send, post } = sending;
  const takeBackLast = useTakeBack(input, sending, () => setSaid(t('said.undone')));
  const isCategory = (item: Proposal) => item.kind === 'category';
  const nameOf = (list: readonly Proposal[], relabel = list[0]?.labelName ?? '') =>
    list.length > 1 ? t('proposals', { count: list.length }) : (list[0]?.text ?? '') || relabel;

  /** `relabel` confirms another label and rejects the proposed one. */
  const answer = (list: readonly Proposal[], verdict: 'accepted' | 'rejected', relabel?: string) => {
    const first = list[0];
    if (current === undefined || first === undefined) return;
    const suggestion = current;
    const keys = list.map((item) => answerKey(suggestion, item));
    const left = proposals.filter((item) => !list.includes(item));
    // One category holds at most: accepting it answers the others.
    const settled = verdict === 'accepted' && exclusive && list.some(isCategory);
    const done: Done = {
      said: t(`said.${verdict}`, { name: nameOf(list, relabel) }),
      suggestion: suggestion._id,
      keys,
      verdict,
      written: [],
    };
    const over = left.length === 0 || settled;
    mark(suggestion, keys, over);
    setUndo((stack) => [...stack, done].slice(-MAX_UNDO));
    setSaid(done.said);
    count(project, verdict, keys.length);
    if (over) leave(new Set([suggestion._id]));
    else focusProposal(nextProposal(left, proposals.indexOf(first))?.key ?? '');
    const status = verdict === 'accepted' && relabel === undefined ? 'OK' : 'KO';
    const run = async () => {
      // The proposed label goes first: in an exclusive set the confirmed one must be the last word.
      for (const item of list) await post(suggestion, item, status, done);
      if (relabel !== undefined) for (const item of list) await post(suggestion, item, 'OK', done, relabel);
      if (settled && left.length > 0) await skipSuggestion(project, suggestion._id);
    };
    send.mutate({ done, counted: keys.length, errorTitle: 'acceptSuggestion', run });
  };

  /** Takes suggestions off the list; with `reject`, their categories are rejected first (T-022). */
  const drop = (list: readonly Suggestion[], reject: boolean, errorTitle: string) => {
    leave(new Set(list.map((item) => item._id)));
    count(project, 'skipped', list.length);
    for (const suggestion of list) {
      const done: Done = { said: '', suggestion: suggestion._id, keys: [], verdict: 'skipped', written: [] };
      const categories = reject ? proposalsOf(suggestion, answered).filter((item) => item.kind === 'category') : [];
      mark(suggestion, [], true);
      const run = async () => {
        for (const item of categories) await post(suggestion, item, 'KO', done);
        await skipSuggestion(project, suggestion._id);
      };
      send.mutate({ done, counted: 1, errorTitle, run });
    }
  };

  return {
    said,
    lastUndo: undo.at(-1),
    /** An answer is under way: nothing may be read again yet. */
    busy: pending > 0,
    acceptAllOffered: proposals.length > 1 && !(exclusive && proposals.some(isCategory)),
    accept: () => proposal !== undefined && answer([proposal], 'accepted'),
    reject: () => proposal !== undefined && answer([proposal], 'rejected'),
    acceptAll: () => answer(proposals, 'accepted'),
    relabel: (label: string) => proposal !== undefined && answer([proposal], 'accepted', label === proposal.labelName ? undefined : label),
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
    undo: () => pending === 0 && takeBackLast.mutate(),
  };
}
