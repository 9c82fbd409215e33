/** Going through the candidates for terms: which one is current, the answers, and taking them back. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { namedLexiconsQuery } from '@/api/resources/lexicons';
import { deleteTerm, restoreTerm, type LexiconTerm } from '@/api/resources/terms';
import {
  acceptCandidate,
  candidateKeys,
  candidatesQuery,
  CANDIDATE_SOURCES,
  refuseCandidate,
  searchCandidates,
  type CandidatePage,
  type CandidateSource,
  type TermCandidate,
} from '@/api/resources/term-candidates';
import { useStoredChoice } from '@/state/layout-store';

/** An answer that the server has stored, with what is needed to take it back. */
type Answer =
  | { readonly kind: 'refused'; readonly text: string }
  | { readonly kind: 'accepted'; readonly text: string; readonly term: LexiconTerm }
  | { readonly kind: 'formed'; readonly text: string; readonly before: LexiconTerm };

/** What to do with the words: a new term of a lexicon, or a form of a term. */
interface Acceptance {
  readonly text: string;
  readonly lexicon: string;
  readonly identifier?: string;
}

/** Restores the lexicon, then makes the words a candidate again. */
async function takeBack(project: string, answer: Answer): Promise<void> {
  if (answer.kind === 'accepted') await deleteTerm(project, answer.term);
  else if (answer.kind === 'formed') await restoreTerm(project, answer.before);
  await refuseCandidate(project, answer.text, false);
}

/** The answers given so far: their texts leave the list at once, and come back when the server refuses the answer. */
function useCandidateAnswers(project: string) {
  const queryClient = useQueryClient();
  const [answered, setAnswered] = useState<ReadonlySet<string>>(new Set());
  const [answers, setAnswers] = useState<readonly Answer[]>([]);
  const hide = (text: string) => setAnswered((known) => new Set(known).add(text));
  const show = (text: string) => setAnswered((known) => new Set([...known].filter((one) => one !== text)));
  const refresh = () => {
    void queryClient.invalidateQueries({ queryKey: ['terms', project] });
    void queryClient.invalidateQueries({ queryKey: ['lexicons', project] });
  };
  // One after another: an answer must not overtake the one before it.
  const scope = { id: `candidates ${project}` };
  const acceptance = useMutation({
    scope,
    mutationFn: (wanted: Acceptance) => acceptCandidate(project, wanted),
    onSuccess: ({ term, before }, { text, lexicon, identifier }) => {
      refresh();
      if (identifier === undefined) setAnswers((all) => [...all, { kind: 'accepted', text, term: { ...term, lexicon } }]);
      else if (before) setAnswers((all) => [...all, { kind: 'formed', text, before: { ...before, lexicon } }]);
    },
    onError: (_error, { text }) => show(text),
    meta: { errorTitle: 'acceptCandidate' },
  });
  const refusal = useMutation({
    scope,
    mutationFn: ({ text }: { readonly text: string }) => refuseCandidate(project, text),
    onSuccess: (_done, { text }) => setAnswers((all) => [...all, { kind: 'refused', text }]),
    onError: (_error, { text }) => show(text),
    meta: { errorTitle: 'refuseCandidate' },
  });
  const undoing = useMutation({
    scope,
    mutationFn: (answer: Answer) => takeBack(project, answer),
    onSuccess: (_done, answer) => {
      refresh();
      setAnswers((all) => all.filter((one) => one !== answer));
      show(answer.text);
    },
    meta: { errorTitle: 'undoCandidate' },
  });
  const accept = (wanted: Acceptance): void => {
    hide(wanted.text);
    acceptance.mutate(wanted);
  };
  const refuse = (text: string): void => {
    hide(text);
    refusal.mutate({ text });
  };
  const pending = acceptance.isPending || refusal.isPending || undoing.isPending;
  return { answered, last: answers.at(-1), accept, refuse, undoing, pending };
}

/** Candidates without an answer, also those beyond the page; `shown` are those of the page. */
const candidatesLeft = (page: CandidatePage | undefined, shown: number): number =>
  page === undefined ? 0 : Math.max(0, page.total.value - (page.candidates.length - shown));

/** Reads on when every candidate of the page is answered: the server leaves these out. */
function useNextPage(exhausted: boolean, refetch: () => Promise<unknown>, onPage: () => void): void {
  const latest = useRef(onPage);
  useEffect(() => {
    latest.current = onPage;
  });
  useEffect(() => {
    if (exhausted) void refetch().then(() => latest.current());
  }, [exhausted, refetch]);
}

export function useTermCandidates(project: string, permitted: boolean) {
  const { t } = useTranslation('terms');
  const queryClient = useQueryClient();
  const [stored, setSource] = useStoredChoice<string>('termCandidates.source', 'all');
  const source = CANDIDATE_SOURCES.find((one) => one === stored) ?? 'all';
  const [wanted, setLexicon] = useStoredChoice<string>(`termCandidates.lexicon.${project}`, '');
  const [index, setIndex] = useState(0);
  const [announcement, announce] = useState('');
  const page = useQuery({ ...candidatesQuery(project, source), enabled: permitted && project !== '' });
  const search = useMutation({
    mutationFn: () => searchCandidates(project, source),
    onSuccess: (found) => queryClient.setQueryData(candidateKeys.page(project, source), found),
    meta: { errorTitle: 'getCandidates' },
  });
  const lexicons = useQuery(namedLexiconsQuery(project));
  const editable = (lexicons.data ?? []).filter(({ manualEditionAllowed }) => manualEditionAllowed === true);
  const lexicon = editable.find(({ name }) => name === wanted) ?? editable[0];
  const { answered, last, undoing, ...answers } = useCandidateAnswers(project);
  const candidates = (page.data?.candidates ?? []).filter(({ text }) => !answered.has(text));
  const at = Math.max(0, Math.min(index, candidates.length - 1));
  const current: TermCandidate | undefined = candidates[at];
  const left = candidatesLeft(page.data, candidates.length);
  useNextPage(candidates.length === 0 && left > 0 && !answers.pending, page.refetch, () => setIndex(0));

  const accept = (): void => {
    if (current === undefined || lexicon === undefined) return;
    answers.accept({ text: current.text, lexicon: lexicon.name });
    announce(t('candidates.accepted', { text: current.text, lexicon: lexicon.label }));
  };
  const acceptAsFormOf = ({ lexicon: owner, identifier, preferredForm }: LexiconTerm): void => {
    if (current === undefined) return;
    answers.accept({ text: current.text, lexicon: owner, identifier });
    announce(t('candidates.formed', { text: current.text, name: preferredForm || identifier }));
  };
  const refuse = (): void => {
    if (current === undefined) return;
    answers.refuse(current.text);
    announce(t('candidates.refused', { text: current.text }));
  };
  const undo = (): void => {
    if (last === undefined || undoing.isPending) return;
    undoing.mutate(last, { onSuccess: () => announce(t('candidates.undone', { text: last.text })) });
  };
  return {
    ...{ page, lexiconsLoaded: lexicons.data !== undefined, editable, lexicon, setLexicon, candidates, current, at },
    ...{ accept, acceptAsFormOf, refuse, undo, undoable: last !== undefined, announcement },
    source,
    search: () => search.mutate(),
    /** The corpus is being searched. */
    searching: search.isPending || Boolean(page.data?.job),
    setSource: (next: CandidateSource) => {
      setSource(next);
      setIndex(0);
    },
    left,
    /** Some were there, and each has an answer. */
    finished: answered.size > 0,
    goTo: setIndex,
    move: (by: number) => setIndex(Math.max(0, Math.min(at + by, candidates.length - 1))),
  };
}

export type TermCandidatesState = ReturnType<typeof useTermCandidates>;
