import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { answerQuery, followAnswers, isRunning, stopAnswer, type AnsweredSearch } from '@/api/resources/answers';
import { ANSWERS_DEFAULTS, type AnswersAddress } from '@/state/answers-address';
import { usePathState } from '@/state/use-path-state';
import { newThread, storedAnswer, turnsOf, useThreadStore, type Turn } from './thread-store';

export interface Thread {
  readonly asked: AnswersAddress;
  /** Changes how the present question is answered. */
  readonly change: (part: Partial<AnswersAddress>) => void;
  readonly earlier: readonly Turn[];
  readonly found: AnsweredSearch | undefined;
  readonly error: unknown;
  /** The search has not responded yet. */
  readonly searching: boolean;
  /** The answer grows, or is waited for. */
  readonly busy: boolean;
  /** Begins a thread. */
  readonly ask: (query: string) => void;
  readonly askNext: (query: string) => void;
  readonly stop: () => void;
  readonly retry: () => void;
}

/** The question of the address with its thread: asks it, follows its answer, keeps both over a reload. */
export function useThread(project: string): Thread {
  const [asked, change] = usePathState('/answers', ANSWERS_DEFAULTS);
  const client = useQueryClient();
  const { threads, keep, forget } = useThreadStore();
  useEffect(() => followAnswers(client), [client]);
  const earlier = useMemo(() => turnsOf(threads, project, asked.thread).slice(0, asked.turn), [threads, project, asked.thread, asked.turn]);
  const spoken = earlier.map(({ asked: { query }, found }) => ({ question: query, answer: found.answerDetails?.text ?? '' }));
  const query = answerQuery({
    project,
    asked,
    earlier: spoken,
    stored: () => storedAnswer(useThreadStore.getState().threads, project, asked),
  });
  const { data: found, error, isFetching } = useQuery(query);
  const searching = found === undefined && isFetching;
  useEffect(() => {
    if (found !== undefined && asked.query !== '') keep(project, { asked, found });
  }, [found, asked, keep, project]);
  const again = () => {
    forget(project, asked);
    void client.resetQueries({ queryKey: query.queryKey, exact: true });
  };
  return {
    asked,
    change,
    earlier,
    found,
    error,
    searching,
    busy: searching || isRunning(found),
    ask: (text) => {
      if (text === asked.query && asked.turn === 0) again();
      else change({ query: text, thread: newThread(), turn: 0 }, { push: true });
    },
    askNext: (text) => {
      const thread = asked.thread === '' ? newThread() : asked.thread;
      // The turn of a link has no thread yet.
      if (asked.thread === '' && found !== undefined) keep(project, { asked: { ...asked, thread }, found });
      change({ query: text, thread, turn: asked.turn + 1 }, { push: true });
    },
    stop: () => void stopAnswer(client, query.queryKey, project).catch(() => undefined),
    retry: again,
  };
}
