// @vitest-environment node
import { describe, expect, it, vi } from 'vitest';
import type { ChangeRelationEdit, LabellingEdit, RemoveRelationEdit } from '@/labelling-sync/edits/types';
import { localId } from '@/labelling-sync/edits/types';
import { waiting } from '@/test/edit-queue-setup';
import { create, openQueuePage, retried } from '@/test/queue-page';

const page = openQueuePage();

describe('relations in the queue', () => {
  const link = (source: string, target: string): LabellingEdit => ({
    kind: 'link',
    id: localId('link'),
    documentIdentifier: 'd',
    idempotencyKey: 'link',
    state: 'saving',
    body: { documentIdentifier: 'd', name: 'causes', source, target },
  });
  const changeLinkEdit = (id: string, version?: number): LabellingEdit => ({
    kind: 'changeLink',
    id,
    documentIdentifier: 'd',
    idempotencyKey: 'turned',
    state: 'saving',
    patch: { name: 'cures' },
    version,
  });

  it('are sent after the annotations they connect, and created once through crashes and lost responses', async () => {
    page.server.faults.push('after', 'before', 'after', 'after');
    page.queue.add(create('a'));
    page.queue.add(create('b'));
    page.queue.add(link(localId('a'), localId('b')));
    page.queue.add(changeLinkEdit(localId('link')));
    await vi.advanceTimersByTimeAsync(500);
    await page.reload();
    await retried();
    expect(page.server.made).toEqual(['create a', 'create b', 'link 1 2', 'changeLink r3']);
    expect([...page.cache.relations.values()]).toEqual([expect.objectContaining({ source: '1', target: '2', name: 'cures', version: 2 })]);
    expect([waiting(), page.outbox.edits.size]).toEqual([[], 0]);
  });

  const theirs = { identifier: 'r1', version: 4, name: 'treats', source: '1', target: '2' };

  it('changed by somebody else: asks, with all our changes next to the other state', async () => {
    page.server.relations.set('r1', theirs);
    page.queue.add({ ...changeLinkEdit('r1', 3), idempotencyKey: 'ends', patch: { source: '2', target: '1' } } as LabellingEdit);
    page.queue.add(changeLinkEdit('r1', 3));
    await retried();
    const [edit] = waiting() as ChangeRelationEdit[];
    expect(waiting()).toHaveLength(1);
    expect([edit?.kind, edit?.state, edit?.current]).toEqual(['changeLink', 'conflict', theirs]);
    expect(edit?.patch).toEqual({ source: '2', target: '1', name: 'cures' });
    expect(page.cache.relations.get('r1')).toEqual(theirs);
    await page.reload();
    page.queue.applyMine(waiting()[0] as ChangeRelationEdit);
    await retried();
    expect(page.server.relations.get('r1')).toMatchObject({ name: 'cures', source: '2', version: 5 });
    expect(waiting()).toEqual([]);
  });

  it('removed here, changed there: it is deleted only when the user still wants that', async () => {
    const unlink = { kind: 'unlink', id: 'r1', documentIdentifier: 'd', state: 'saving', version: 3 } as const;
    page.server.relations.set('r1', theirs);
    page.queue.add({ ...unlink, idempotencyKey: 'u1' });
    await retried();
    page.queue.takeCurrent(waiting()[0] as RemoveRelationEdit);
    await retried();
    expect([waiting(), page.server.made, page.cache.relations.get('r1')]).toEqual([[], [], theirs]);
    page.queue.add({ ...unlink, idempotencyKey: 'u2' });
    await retried();
    page.queue.applyMine(waiting()[0] as RemoveRelationEdit);
    await retried();
    expect([waiting(), page.server.made, page.cache.relations.size]).toEqual([[], ['unlink r1'], 0]);
  });

  it('asks nothing when both changes are the same', async () => {
    page.server.relations.set('r1', { ...theirs, name: 'cures' });
    page.queue.add(changeLinkEdit('r1', 3));
    await retried();
    expect([waiting(), page.server.made]).toEqual([[], []]);
  });

  it('removed by somebody else: nothing is left to do', async () => {
    page.cache.relations.set('r1', { identifier: 'r1', version: 1, name: 'treats', source: '1', target: '2' });
    page.queue.add({ kind: 'unlink', id: 'r1', documentIdentifier: 'd', idempotencyKey: 'u', state: 'saving', version: 1 });
    await retried();
    expect([waiting(), page.cache.relations.size]).toEqual([[], 0]);
  });
});
