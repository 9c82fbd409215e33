/** For tests of the queue of edits: a new queue of project `p` for each test, on fake timers. */
import { afterEach, beforeEach, vi } from 'vitest';
import { ownKeys } from '@/api/live-labelling';
import type { EditQueue } from '@/labelling-sync/edit-queue';
import { editsOf, useEditsStore } from '@/labelling-sync/edits-store';
import { MemoryOutbox } from '@/labelling-sync/outbox';
import { answers, makeEditQueue, RecordingCache, sent } from './edit-queue';

interface EditQueueOfTest {
  readonly cache: RecordingCache;
  readonly outbox: MemoryOutbox;
  readonly queue: EditQueue;
}

/** Registers the hooks; `take` gets the queue before each test. */
export function makeEditQueueForEachTest(take: (made: EditQueueOfTest) => void): void {
  let queue: EditQueue;
  beforeEach(() => {
    vi.useFakeTimers();
    useEditsStore.getState().clear();
    ownKeys.clear();
    [answers.length, sent.length] = [0, 0];
    const [cache, outbox] = [new RecordingCache(), new MemoryOutbox()];
    queue = makeEditQueue(cache, outbox);
    take({ cache, outbox, queue });
  });
  afterEach(() => {
    queue.stop();
    vi.useRealTimers();
  });
}

/** Until what is due now has been done. */
export const settled = () => vi.advanceTimersByTimeAsync(0);
/** Edits of project `p` on their way. */
export const waiting = () => editsOf('p');
