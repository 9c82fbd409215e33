// @vitest-environment node
import { describe, expect, it, vi } from 'vitest';
import { ApiError } from '@/api/errors';
import type { LabellingEdit } from '@/labelling-sync/edits/types';
import { localId } from '@/labelling-sync/edits/types';
import { OWNER } from '@/test/edit-queue';
import { waiting } from '@/test/edit-queue-setup';
import { change, create, openQueuePage, retried } from '@/test/queue-page';
import { EditQueue } from './edit-queue';
import { useEditsStore } from './edits-store';

const page = openQueuePage();

describe('the edit queue', () => {
  it('sends edits in order and leaves nothing behind', async () => {
    for (const text of ['a', 'b', 'c']) page.queue.add(create(text));
    await retried();
    expect(page.server.made).toEqual(['create a', 'create b', 'create c']);
    expect(waiting()).toEqual([]);
    expect(page.outbox.edits.size).toBe(0);
  });

  it('keeps the order and creates no duplicates when the server is unreachable and responses get lost', async () => {
    page.server.faults.push('before', 'before', 'after', 'before', 'after');
    for (const text of ['a', 'b', 'c']) page.queue.add(create(text));
    await vi.advanceTimersByTimeAsync(10);
    expect(useEditsStore.getState().offline.has('p')).toBe(true);
    expect([...page.outbox.edits.keys()]).toEqual(['a', 'b', 'c']);
    await retried();
    expect(page.server.made).toEqual(['create a', 'create b', 'create c']);
    expect(page.server.heard.filter((key) => key === 'a').length).toBeGreaterThan(1);
    expect(useEditsStore.getState().offline.has('p')).toBe(false);
    expect(waiting()).toEqual([]);
  });

  it('continues after a crash between sending and the response, without creating anything twice', async () => {
    page.server.faults.push('after');
    for (const text of ['a', 'b']) page.queue.add(create(text));
    await vi.advanceTimersByTimeAsync(10);
    expect(page.server.made).toEqual(['create a']);
    await page.reload();
    expect(waiting().map(({ idempotencyKey }) => idempotencyKey)).toEqual(['a', 'b']);
    await retried();
    expect(page.server.made).toEqual(['create a', 'create b']);
    expect([...page.cache.annotations.keys()]).toEqual(['1', '2']);
    expect(page.outbox.edits.size).toBe(0);
  });

  it.each([1, 2, 3, 4, 5])('survives a crash after %i lost calls: changes follow the annotation they belong to', async (lost) => {
    page.server.faults.push(...Array.from({ length: lost }, (_, at) => (at % 2 === 0 ? ('after' as const) : ('before' as const))));
    page.queue.add(create('a'));
    page.queue.add(change(localId('a'), 'k1', { labelName: 'place' }));
    page.queue.add(change(localId('a'), 'k2', { status: 'KO' }));
    await vi.advanceTimersByTimeAsync(300 * lost);
    await page.reload();
    await retried();
    expect(page.server.made).toEqual(['create a', 'change 1', 'change 1']);
    expect(page.server.annotations.get('1')).toMatchObject({ labelName: 'place', status: 'KO', version: 3 });
    expect(waiting()).toEqual([]);
  });

  it('stores an edit before it is sent', async () => {
    let written = false;
    page.outbox.write = (put) => {
      if (put.length > 0) written = true;
      return Promise.resolve();
    };
    const first = vi.fn(() => {
      expect(written).toBe(true);
      return Promise.resolve(undefined);
    });
    const own = new EditQueue('q', page.cache, page.outbox, OWNER, first);
    own.add(change('7', 'k', { status: 'OK' }));
    await retried();
    expect(first).toHaveBeenCalledTimes(1);
    own.stop();
  });

  it('stores what the server refuses, with the reason, and sends the rest', async () => {
    page.server.faults.push(new ApiError(400, { message: 'The text differs', fix: 'Reload' }));
    page.queue.add(create('a'));
    page.queue.add(change(localId('a'), 'k1', { status: 'KO' }));
    page.queue.add(create('b'));
    await retried();
    expect(page.server.made).toEqual(['create b']);
    const refused = waiting();
    expect(refused.map(({ state, problem }) => [state, problem?.message])).toEqual([
      ['failed', 'The text differs'],
      ['saving', undefined],
    ]);
    page.queue.retry(refused[0] as LabellingEdit);
    await retried();
    expect(page.server.made).toEqual(['create b', 'create a', 'change 2']);
    expect(waiting()).toEqual([]);
  });

  it('discards a refused creation together with the edits that depend on it', async () => {
    page.server.faults.push(new ApiError(404, { message: 'There is no label' }));
    page.queue.add(create('a'));
    page.queue.add(change(localId('a'), 'k1', { status: 'KO' }));
    await retried();
    page.queue.discard(waiting()[0] as LabellingEdit);
    await retried();
    expect([waiting(), page.outbox.edits.size, page.server.made]).toEqual([[], 0, []]);
  });

  it('refused edits are still there after a reload', async () => {
    page.server.faults.push(new ApiError(403, { message: 'read-only' }));
    page.queue.add(create('a'));
    await retried();
    await page.reload();
    await retried();
    expect(waiting().map(({ state, problem }) => [state, problem?.status])).toEqual([['failed', 403]]);
  });
});

describe('an ended session', () => {
  it('pauses the edits, and sends them in order when the user is back', async () => {
    page.queue.setPaused(true);
    for (const text of ['a', 'b']) page.queue.add(create(text));
    await retried();
    expect([page.server.heard, waiting().length, page.outbox.edits.size]).toEqual([[], 2, 2]);
    page.queue.setPaused(false);
    await retried();
    expect(page.server.made).toEqual(['create a', 'create b']);
  });
});
