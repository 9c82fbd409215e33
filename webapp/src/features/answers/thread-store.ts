/** Threads of questions and answers of this window. They are kept over a reload, and for the Back button. */
import { create } from 'zustand';
import { isRunning, type AnsweredSearch } from '@/api/resources/answers';
import type { AnswersAddress } from '@/state/answers-address';
import { readStored, writeStored } from '@/state/storage';

export interface Exchange {
  readonly asked: AnswersAddress;
  readonly found: AnsweredSearch;
}

type Threads = Readonly<Record<string, readonly Exchange[]>>;

const MOST_THREADS = 6;
const MOST_EXCHANGES = 20;

interface ThreadState {
  readonly threads: Threads;
  keep(project: string, exchange: Exchange): void;
  forget(project: string, asked: AnswersAddress): void;
}

const keyOf = (project: string, thread: string) => `${project}/${thread}`;
export const newThread = (): string => crypto.randomUUID().slice(0, 8);

/** Hits are not shown beside an answer. */
const slim = (found: AnsweredSearch): AnsweredSearch => (found.answerDetails === undefined ? found : { ...found, hits: [] });

export const useThreadStore = create<ThreadState>((set, get) => {
  const store = (key: string, exchanges: readonly Exchange[]) => {
    const others = Object.entries(get().threads).filter(([name]) => name !== key);
    const threads = Object.fromEntries([...others, [key, exchanges.slice(0, MOST_EXCHANGES)] as const].slice(-MOST_THREADS));
    set({ threads });
    writeStored('threads', threads);
  };
  return {
    threads: readStored<Threads>('threads') ?? {},
    keep: (project, { asked, found }) => {
      const key = keyOf(project, asked.thread);
      const exchanges = get().threads[key] ?? [];
      const known = exchanges[asked.position];
      const isSame = known !== undefined && JSON.stringify(known.asked) === JSON.stringify(asked);
      if (isSame && known.found.resultID === found.resultID && !isRunning(known.found)) return;
      store(key, [
        ...exchanges.slice(0, asked.position),
        { asked, found: slim(found) },
        ...(isSame ? exchanges.slice(asked.position + 1) : []),
      ]);
    },
    forget: (project, { thread, position }) =>
      store(keyOf(project, thread), (get().threads[keyOf(project, thread)] ?? []).slice(0, position)),
  };
});

const NO_EXCHANGES: readonly Exchange[] = [];

export const exchangesOf = (threads: Threads, project: string, thread: string): readonly Exchange[] =>
  threads[keyOf(project, thread)] ?? NO_EXCHANGES;

/** What was answered to this question in this place, if it was. */
export function storedAnswer(threads: Threads, project: string, asked: AnswersAddress): AnsweredSearch | undefined {
  const stored = exchangesOf(threads, project, asked.thread)[asked.position];
  return stored !== undefined && JSON.stringify(stored.asked) === JSON.stringify(asked) ? stored.found : undefined;
}
