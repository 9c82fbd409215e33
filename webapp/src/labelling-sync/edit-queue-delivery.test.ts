/** When acts are sent, what is written down of them before, and when nothing is sent any more. */
import { describe, expect, it, vi } from 'vitest';
import { ApiError } from '@/api/errors';
import { ownKeys } from '@/api/live-labelling';
import { makeEdit, annotation, answers, NO_RESPONSE, OWNER, sent, type RecordingCache } from '@/test/edit-queue';
import { makeEditQueueForEachTest, settled, waiting } from '@/test/edit-queue-setup';
import { EditQueue } from './edit-queue';
import type { EditAnswer, LabellingEdit } from '@/labelling-sync/edits/types';
import { editsOf, useEditsStore } from './edits-store';
import type { MemoryOutbox } from './outbox';

let cache: RecordingCache;
let outbox: MemoryOutbox;
let queue: EditQueue;
makeEditQueueForEachTest((made) => ({ cache, outbox, queue } = made));

describe('delivery', () => {
  it('waits longer each time the server is unreachable, up to a limit, and starts over after a response', async () => {
    const away = () => useEditsStore.getState().offline.has('p');
    queue.add(makeEdit('change'));
    for (let count = 0; count < 8; count += 1) answers.push(NO_RESPONSE);
    answers.push(annotation(2));
    await settled();
    for (const [at, wait] of [400, 800, 1600, 3200, 6400, 8000, 8000, 8000].entries()) {
      expect([sent.length, away()]).toEqual([at + 1, true]);
      await vi.advanceTimersByTimeAsync(wait - 1);
      expect(sent.length).toBe(at + 1);
      await vi.advanceTimersByTimeAsync(1);
    }
    expect([sent.length, away(), waiting()]).toEqual([9, false, []]);
    answers.push(NO_RESPONSE, new ApiError(403, { message: 'no' }), NO_RESPONSE);
    queue.add(makeEdit('change'));
    await settled();
    await vi.advanceTimersByTimeAsync(400);
    expect([sent.length, away()]).toEqual([11, false]);
    queue.add(makeEdit('change', { id: '8' }));
    await settled();
    expect(sent.length).toBe(12);
    await vi.advanceTimersByTimeAsync(399);
    expect(sent.length).toBe(12);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent.length).toBe(13);
  });

  it('sends immediately, and once, when sendNow is called', async () => {
    queue.add(makeEdit('change'));
    answers.push(NO_RESPONSE, annotation(2));
    await settled();
    queue.sendNow();
    await settled();
    expect([sent.length, waiting()]).toEqual([2, []]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent.length).toBe(2);
  });

  it('sends nothing while paused, not even when a wait is over', async () => {
    queue.add(makeEdit('change'));
    answers.push(NO_RESPONSE, annotation(2));
    await settled();
    queue.setPaused(true);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent.length).toBe(1);
    queue.setPaused(false);
    await settled();
    expect([sent.length, waiting()]).toEqual([2, []]);
  });

  it('sends nothing after stop, and ignores a response that arrives later', async () => {
    const done = vi.fn();
    queue.listen({ onDone: done, onRejected: done });
    let answer: (made: EditAnswer) => void = () => undefined;
    let refuse: (error: unknown) => void = () => undefined;
    const slow = new EditQueue('q', cache as never, outbox, OWNER, () => new Promise((yes, no) => ([answer, refuse] = [yes, no])));
    slow.listen({ onDone: done, onRejected: done });
    slow.add(makeEdit('change'));
    slow.add(makeEdit('change', { id: '8' }));
    await settled();
    slow.stop();
    answer(annotation(2));
    await settled();
    expect([editsOf('q').length, cache.calls, done.mock.calls]).toEqual([2, [], []]);
    const other = new EditQueue('r', cache as never, outbox, OWNER, () => new Promise((_, no) => (refuse = no)));
    other.add(makeEdit('change'));
    await settled();
    other.stop();
    refuse(new ApiError(403, { message: 'no' }));
    await settled();
    expect(editsOf('r').map(({ state }) => state)).toEqual(['saving']);
    other.sendNow();
    await settled();
    expect(editsOf('r').length).toBe(1);
  });

  it('sends one edit at a time', async () => {
    const open: ((made: EditAnswer) => void)[] = [];
    const slow = new EditQueue('q', cache as never, outbox, OWNER, () => new Promise((yes) => open.push(yes)));
    slow.add(makeEdit('change'));
    slow.add(makeEdit('change', { id: '8' }));
    slow.sendNow();
    await settled();
    expect(open.length).toBe(1);
    open[0]?.(annotation(2));
    await settled();
    expect(open.length).toBe(2);
    slow.stop();
  });

  it('does not notify a listener that was removed', async () => {
    const done = vi.fn();
    const silent = queue.listen({ onDone: done });
    queue.add(makeEdit('change'));
    answers.push(annotation(2), annotation(3));
    await settled();
    silent();
    queue.add(makeEdit('change'));
    await settled();
    expect(done).toHaveBeenCalledTimes(1);
  });

  it('sends a refused edit again without the reason of the refusal', async () => {
    queue.add(makeEdit('change'));
    answers.push(new ApiError(403, { message: 'no' }));
    await settled();
    queue.setPaused(true);
    queue.retry(waiting()[0] as LabellingEdit);
    expect(waiting()[0]).toMatchObject({ state: 'saving', problem: undefined });
    answers.push(annotation(2));
    queue.setPaused(false);
    await settled();
    expect(waiting()).toEqual([]);
  });
});

describe('the journal', () => {
  it('writes only new and deleted edits, in order, for this user and window', async () => {
    const write = vi.spyOn(outbox, 'write');
    queue.setPaused(true);
    const [first, second] = [makeEdit('change'), makeEdit('change', { id: '8' })];
    queue.add(first);
    queue.add(second);
    await queue.flush();
    expect(write.mock.calls.map(([put, remove]) => [put.map(({ key }) => key), remove])).toEqual([
      [[first.idempotencyKey], []],
      [[second.idempotencyKey], []],
    ]);
    const stored = [...outbox.edits.values()];
    expect(stored.map(({ user, tab, project }) => [user, tab, project])).toEqual([
      ['marie', 'one', 'p'],
      ['marie', 'one', 'p'],
    ]);
    expect(stored[1]?.order).toBeGreaterThan(stored[0]?.order ?? Infinity);
    expect([...ownKeys].sort()).toEqual([first.idempotencyKey, second.idempotencyKey].sort());
    queue.discard(first);
    await queue.flush();
    expect(write.mock.calls.at(-1)).toEqual([[], [first.idempotencyKey]]);
    expect([...ownKeys]).toEqual([second.idempotencyKey]);
    const calls = write.mock.calls.length;
    queue.discard(first);
    await queue.flush();
    expect(write.mock.calls.length).toBe(calls);
  });

  it('puts edits of another window first, keeps their order, and stores them once', async () => {
    queue.setPaused(true);
    const [own, theirs] = [makeEdit('change'), makeEdit('change', { id: '8' })];
    queue.add(own);
    await queue.flush();
    const late = { key: theirs.idempotencyKey, user: 'marie', project: 'p', tab: 'two', order: 5e15, edit: theirs };
    queue.adopt([late]);
    queue.adopt([late]);
    await queue.flush();
    expect(waiting()).toEqual([theirs, own]);
    expect(outbox.edits.get(late.key)).toEqual({ ...late, tab: 'one' });
    expect(ownKeys.has(late.key)).toBe(true);
    const next = makeEdit('change', { id: '9' });
    queue.add(next);
    await queue.flush();
    expect(outbox.edits.get(next.idempotencyKey)?.order).toBeGreaterThan(5e15);
    answers.push(annotation(2), annotation(2), annotation(2));
    queue.setPaused(false);
    await settled();
    expect(sent.map(({ id }) => id)).toEqual(['8', '7', '9']);
  });

  it('sends edits even where the browser stores nothing', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    outbox.write = () => Promise.reject(new Error('no room'));
    queue.add(makeEdit('change'));
    answers.push(annotation(2));
    await settled();
    expect([sent.length, waiting()]).toEqual([1, []]);
    expect(warn).toHaveBeenCalled();
    warn.mockRestore();
  });
});
