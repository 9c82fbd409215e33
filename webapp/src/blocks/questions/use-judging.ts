/** Judging passages for the question that is asked: what is judged, and changing it (S-028). */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, use, useMemo, useState } from 'react';
import {
  addQuestion,
  clearJudgement,
  judgementsQuery,
  judgePassage,
  questionKeys,
  questionOfTextQuery,
  type Grade,
  type Judgement,
  type Passage,
  type SavedQuestion,
} from '@/api/resources/questions';
import { useCan, useProjectWritable } from '@/state/session-store';
import { judgementOf, withJudgement } from './judging-rules';

/** Without a grade the judgement is cleared. */
export interface PassageToJudge {
  readonly passage: Passage;
  readonly grade: Grade | undefined;
}

export interface Judging {
  readonly text: string;
  /** The saved question; null: it is not saved; undefined: not known yet. */
  readonly question: SavedQuestion | null | undefined;
  readonly judgements: readonly Judgement[];
  readonly mayJudge: boolean;
  /** A question that is not saved waits for `confirm`. */
  readonly judge: (given: PassageToJudge) => void;
  /** What is judged once the question is saved. */
  readonly waiting: PassageToJudge | undefined;
  readonly confirm: () => void;
  readonly cancel: () => void;
  readonly saving: boolean;
}

export const JudgingContext = createContext<Judging | undefined>(undefined);
/** Undefined: nothing can be judged here. */
export const useJudgingContext = (): Judging | undefined => use(JudgingContext);

const NONE: readonly Judgement[] = [];
const NO_ANSWERS: readonly string[] = [];
interface Change extends PassageToJudge {
  readonly identifier: string;
}

/** Shown at once; fetched again after the last of several changes. */
function useChangeJudgement(project: string) {
  const client = useQueryClient();
  const mutationKey = [...questionKeys.all, project, 'judge'];
  return useMutation({
    mutationKey,
    mutationFn: async ({ identifier, passage, grade }: Change) => {
      await (grade === undefined ? clearJudgement(project, identifier, passage) : judgePassage(project, identifier, passage, grade));
    },
    onMutate: async ({ identifier, passage, grade }) => {
      const key = questionKeys.judgements(project, identifier);
      await client.cancelQueries({ queryKey: key });
      client.setQueryData<readonly Judgement[]>(key, (known = NONE) => withJudgement(known, passage, grade));
    },
    onSettled: () => (client.isMutating({ mutationKey }) > 1 ? undefined : client.invalidateQueries({ queryKey: questionKeys.all })),
    meta: { errorTitle: 'judgePassage' },
  });
}

export function useJudging(project: string, text: string): Judging {
  const client = useQueryClient();
  const writable = useProjectWritable();
  const mayImport = useCan('importDocuments');
  const { data: question } = useQuery(questionOfTextQuery(project, text));
  const { data: judgements = NONE } = useQuery(judgementsQuery(project, question?.identifier ?? ''));
  const [waiting, setWaiting] = useState<PassageToJudge>();
  const { mutate: change } = useChangeJudgement(project);
  const { mutate: save, isPending: saving } = useMutation({
    mutationFn: () => addQuestion(project, { text, answers: NO_ANSWERS }),
    onSuccess: (saved) => {
      client.setQueryData(questionKeys.sameText(project, text), saved);
      setWaiting(undefined);
      if (waiting === undefined) return client.invalidateQueries({ queryKey: questionKeys.all });
      return change({ identifier: saved.identifier, ...waiting });
    },
    meta: { errorTitle: 'addQuestion' },
  });
  return useMemo<Judging>(() => {
    const judge = ({ passage, grade }: PassageToJudge) => {
      if (question === undefined) return;
      if (question === null) return grade === undefined ? undefined : setWaiting({ passage, grade });
      const known = judgementOf(judgements, passage);
      change({ identifier: question.identifier, passage: known ?? passage, grade });
    };
    const mayJudge = writable && (question !== null || mayImport);
    const dialog = { waiting, confirm: () => save(), cancel: () => setWaiting(undefined), saving };
    return { text, question, judgements, mayJudge, judge, ...dialog };
  }, [text, question, judgements, writable, mayImport, waiting, saving, change, save]);
}
