// @vitest-environment node
import { describe, expect, it, vi } from 'vitest';
import { ApiError } from '@/api/errors';
import type { LabellingEdit, UndoEdit } from '@/labelling-sync/edits/types';
import { localId } from '@/labelling-sync/edits/types';
import { newUndoEdit } from '@/labelling-sync/edits/undo-edits';
import { waiting } from '@/test/edit-queue-setup';
import { change, create, openQueuePage, retried } from '@/test/queue-page';

const page = openQueuePage();

describe('undo in the queue', () => {
  it('keeps its position while the server is unreachable, survives a reload, and undoes what was done before it', async () => {
    page.server.faults.push('before', 'before', 'before');
    page.queue.add(create('a'));
    page.queue.add(newUndoEdit('undo', 'd'));
    page.queue.add(create('b'));
    await vi.advanceTimersByTimeAsync(500);
    expect(waiting()).toHaveLength(3);
    await page.reload();
    await retried();
    expect(page.server.made).toEqual(['create a', 'undo a', 'create b']);
    expect([...page.cache.annotations.values()].map(({ text }) => text)).toEqual(['b']);
    expect([waiting(), page.outbox.edits.size]).toEqual([[], 0]);
  });

  it('is done once, whatever response is lost', async () => {
    page.queue.add(create('a'));
    page.queue.add(create('b'));
    await retried();
    page.server.faults.push('after', 'before', 'after');
    page.queue.add(newUndoEdit('undo', 'd'));
    await vi.advanceTimersByTimeAsync(500);
    await page.reload();
    await retried();
    expect(page.server.made).toEqual(['create a', 'create b', 'undo b']);
  });

  it('of the newest operation of the project stores its target first: after a lost response no other one is undone', async () => {
    page.queue.add(create('a'));
    page.queue.add({ ...create('b'), documentIdentifier: 'other' });
    await retried();
    // The undo target is read twice; then the response of the undo is lost, and the page is closed.
    page.queue.add(newUndoEdit('undo', undefined));
    page.server.faults.push('after', 'after');
    await vi.advanceTimersByTimeAsync(500);
    await page.reload();
    await retried();
    expect(page.server.made).toEqual(['create a', 'create b', 'undo b']);
  });

  it('blocks only later edits of its own document', async () => {
    page.server.faults.push(new ApiError(400, { message: 'refused' }));
    page.queue.add(create('a'));
    page.queue.add(change(localId('a'), 'follows', { status: 'KO' }));
    page.queue.add(newUndoEdit('undo', 'd'));
    page.queue.add({ ...create('b'), documentIdentifier: 'other' });
    page.queue.add(create('c'));
    await retried();
    // The refused edit may still be sent again, so the undo covers it too.
    expect(page.server.made).toEqual(['create b']);
    page.queue.discard(waiting()[0] as LabellingEdit);
    await retried();
    expect(page.server.made).toEqual(['create b', 'create c']);
  });

  it('asks where somebody changed the same since, also after a reload', async () => {
    const entry = { identifier: 'h1' };
    page.queue.add(create('a'));
    await retried();
    page.server.against = new ApiError(409, { message: 'changed', details: [{ entry } as never] });
    page.queue.add(newUndoEdit('undo', 'd'));
    await retried();
    await page.reload();
    const [standing] = waiting() as UndoEdit[];
    expect([standing?.state, standing?.conflicts]).toEqual(['conflict', [{ entry }]]);
    expect(page.server.made).toEqual(['create a']);
    page.queue.decideUndo(standing as UndoEdit, 'mine');
    await retried();
    expect([page.server.made, waiting()]).toEqual([['create a', 'undo a'], []]);
  });

  it('that cannot be done is reported and leaves nothing behind', async () => {
    const refused = vi.fn();
    page.queue.listen({ onRejected: refused });
    page.queue.add(newUndoEdit('undo', 'd'));
    await retried();
    expect(refused).toHaveBeenCalledOnce();
    expect([waiting(), page.outbox.edits.size]).toEqual([[], 0]);
  });
});
