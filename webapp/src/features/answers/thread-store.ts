/** Threads of questions and answers of this window. They are kept over a reload, and for the Back button. */
import { create } from 'zustand';
import { isRunning, type AnsweredSearch } from '@/api/resources/answers';
import type { AnswersAddress } from '@/state/answers-address';
import { readStored, writeStored } from '@/state/storage';

export interface Turn {
  readonly asked: AnswersAddress;
  readonly found: AnsweredSearch;
}

type Threads = Readonly<Record<string, readonly Turn[]>>;

const MOST_THREADS = 6;
const MOST_TURNS = 20;

interface ThreadState {
  readonly threads: Threads;
  keep(project: string, turn: Turn): void;
  forget(project: string, asked: AnswersAddress): void;
}

const keyOf = (project: string, thread: string) => `${project}/${thread}`;
export const newThread = (): string => crypto.randomUUID().slice(0, 8);

/** Hits are not shown beside an answer. */
const slim = (found: AnsweredSearch): AnsweredSearch => (found.answerDetails === undefined ? found : { ...found, hits: [] });

export const useThreadStore = create<ThreadState>((set, get) => {
  const store = (key: string, turns: readonly Turn[]) => {
    const others = Object.entries(get().threads).filter(([name]) => name !== key);
    const threads = Object.fromEntries([...others, [key, turns.slice(0, MOST_TURNS)] as const].slice(-MOST_THREADS));
    set({ threads });
    writeStored('threads', threads);
  };
  return {
    threads: readStored<Threads>('threads') ?? {},
    keep: (project, { asked, found }) => {
      const key = keyOf(project, asked.thread);
      const turns = get().threads[key] ?? [];
      const known = turns[asked.turn];
      const isSame = known !== undefined && JSON.stringify(known.asked) === JSON.stringify(asked);
      if (isSame && known.found.resultID === found.resultID && !isRunning(known.found)) return;
      store(key, [...turns.slice(0, asked.turn), { asked, found: slim(found) }, ...(isSame ? turns.slice(asked.turn + 1) : [])]);
    },
    forget: (project, { thread, turn }) => store(keyOf(project, thread), (get().threads[keyOf(project, thread)] ?? []).slice(0, turn)),
  };
});

const NO_TURNS: readonly Turn[] = [];

export const turnsOf = (threads: Threads, project: string, thread: string): readonly Turn[] => threads[keyOf(project, thread)] ?? NO_TURNS;

/** What was answered to this question in this place, if it was. */
export function storedAnswer(threads: Threads, project: string, asked: AnswersAddress): AnsweredSearch | undefined {
  const turn = turnsOf(threads, project, asked.thread)[asked.turn];
  return turn !== undefined && JSON.stringify(turn.asked) === JSON.stringify(asked) ? turn.found : undefined;
}
