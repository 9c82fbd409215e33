// @vitest-environment node
/** What the queue makes of each answer: what the caches are told, under which version, and what becomes of acts that follow. */
import { describe, expect, it, vi } from 'vitest';
import { ApiError } from '@/api/errors';
import { ownKeys } from '@/api/live-labelling';
import { makeEdit, annotation, answers, NO_RESPONSE, sent, type RecordingCache } from '@/test/edit-queue';
import { makeEditQueueForEachTest, settled, waiting } from '@/test/edit-queue-setup';
import type { EditQueue } from './edit-queue';
import { localId, type ConflictEdit, type UndoEdit } from '@/labelling-sync/edits/types';
import type { MemoryOutbox } from './outbox';
import { newUndoEdit } from '@/labelling-sync/edits/undo-edits';

let cache: RecordingCache;
let outbox: MemoryOutbox;
let queue: EditQueue;
makeEditQueueForEachTest((made) => ({ cache, outbox, queue } = made));

const gone = () => new ApiError(404, { message: 'gone' });
const changed = (current?: object) => new ApiError(412, { message: 'changed', details: current ? [{ current } as never] : [] });

describe('annotations', () => {
  it('a removal drops the version it made, so that a later version by somebody else stays', async () => {
    queue.add(makeEdit('remove', { version: 4 }));
    queue.add(makeEdit('remove', { id: '8' }));
    await settled();
    expect(cache.calls).toEqual([
      ['dropAnnotation', 'd', '7', 5],
      ['dropAnnotation', 'd', '8', undefined],
    ]);
  });

  it('a restore after a removal is sent without a version, other edits keep theirs', async () => {
    queue.add(makeEdit('remove', { version: 4 }));
    queue.add(makeEdit('restore', { version: 4 }));
    queue.add(makeEdit('restore', { id: '8', version: 4 }));
    queue.add(makeEdit('change', { version: 4 }));
    answers.push(undefined, annotation(6), annotation(5, { identifier: '8' }), annotation(7));
    await settled();
    expect(sent.map(({ kind, id, version }) => [kind, id, version])).toEqual([
      ['remove', '7', 4],
      ['restore', '7', undefined],
      ['restore', '8', 4],
      ['change', '7', 4],
    ]);
    expect(cache.calls.slice(1)).toEqual([
      ['storeAnnotation', 'd', annotation(6)],
      ['storeAnnotation', 'd', annotation(5, { identifier: '8' })],
      ['storeAnnotation', 'd', annotation(7)],
    ]);
  });

  it('each change is sent with the version that the previous one made', async () => {
    queue.add(makeEdit('change', { version: 1 }));
    queue.add(makeEdit('change', { version: 1 }));
    queue.add(makeEdit('remove', { version: 1 }));
    queue.add(makeEdit('change', { id: '8', version: 1 }));
    answers.push(annotation(2), annotation(3));
    await settled();
    expect(sent.map(({ id, version }) => [id, version])).toEqual([
      ['7', 1],
      ['7', 2],
      ['7', 3],
      ['8', 1],
    ]);
    expect(cache.calls[2]).toEqual(['dropAnnotation', 'd', '7', 4]);
  });

  it('a change that both sides made alike is adopted, and later edits are rebased on it', async () => {
    queue.add(makeEdit('change', { version: 1, patch: { labelName: 'place' } }));
    queue.add(makeEdit('change', { version: 1, patch: { status: 'KO' } }));
    answers.push(changed(annotation(6)), annotation(7, { status: 'KO' }));
    await settled();
    expect(sent.map(({ version }) => version)).toEqual([1, 6]);
    expect(cache.calls[0]).toEqual(['storeAnnotation', 'd', annotation(6)]);
    expect(waiting()).toEqual([]);
  });

  it('a creation gets its server id, is stored as sent, and later edits use the id', async () => {
    const named = vi.fn();
    queue.listen({ onNamed: named });
    queue.add(makeEdit('create', { id: localId('a'), body: { text: 'Ann' } }));
    queue.add(makeEdit('change', { id: localId('a') }));
    answers.push(annotation(1), annotation(2));
    await settled();
    expect(cache.calls[0]).toEqual(['storeAnnotation', 'd', { text: 'Ann', ...annotation(1) }]);
    expect(sent.map(({ id, version }) => [id, version])).toEqual([
      [localId('a'), undefined],
      ['7', 1],
    ]);
    expect(named.mock.calls).toEqual([[localId('a'), '7']]);
    expect([queue.serverIdOf(localId('a')), queue.serverIdOf('other')]).toEqual(['7', 'other']);
  });

  it('404 completes a removal, and is reported for a change, of which nothing remains', async () => {
    const [done, refused] = [vi.fn(), vi.fn()];
    queue.listen({ onDone: done, onRejected: refused });
    for (const kind of ['remove', 'dropCategory', 'unlink'] as const) {
      queue.add(makeEdit(kind, { category: { identifier: '7' } }));
      answers.push(gone());
    }
    await settled();
    expect([done.mock.calls.length, refused.mock.calls.length, waiting()]).toEqual([3, 0, []]);
    expect(cache.calls.map(([name]) => name)).toEqual(['dropAnnotation', 'dropCategory', 'dropRelation']);
    cache.calls.length = 0;
    queue.add(makeEdit('change', { version: 3 }));
    queue.add(makeEdit('restore', { id: '9' }));
    answers.push(gone(), gone());
    await settled();
    expect(cache.calls).toEqual([['dropAnnotation', 'd', '7']]);
    expect(refused).toHaveBeenCalledTimes(2);
    expect(waiting().map(({ state, version, problem }) => [state, version, problem?.status])).toEqual([
      ['failed', 3, 404],
      ['failed', undefined, 404],
    ]);
  });

  it('a refused change leaves what is shown', async () => {
    queue.add(makeEdit('change'));
    answers.push(new ApiError(403, { message: 'read-only' }));
    await settled();
    expect(cache.calls).toEqual([]);
  });
});

describe('categories', () => {
  const category = { identifier: '7', labelName: 'press', version: 2 };

  it('are stored as sent, together with the ones they replaced', async () => {
    queue.add(makeEdit('category', { id: localId('c'), body: { labelName: 'press' } }));
    queue.add(makeEdit('decideCategory', { category, status: 'OK' }));
    queue.add(makeEdit('dropCategory', { category }));
    answers.push({ identifier: '7', version: 1, replaced: ['3'] } as never, { ...category, replaced: ['4'] } as never);
    await settled();
    expect(cache.calls).toEqual([
      ['storeCategory', 'd', { labelName: 'press', identifier: '7', version: 1 }, ['3']],
      ['storeCategory', 'd', category, ['4']],
      ['dropCategory', 'd', '7'],
    ]);
  });

  it('that somebody else changed are shown in that state, and can be sent again on that version', async () => {
    const theirs = { ...category, version: 5, status: 'KO' };
    queue.add(makeEdit('decideCategory', { category, version: 2 }));
    queue.add(makeEdit('dropCategory', { id: '8', category: { ...category, identifier: '8' }, version: 2 }));
    answers.push(changed(theirs), changed());
    await settled();
    expect(cache.calls).toEqual([
      ['storeCategory', 'd', theirs],
      ['storeCategory', 'd', { ...category, identifier: '8' }],
    ]);
    expect(waiting().map(({ state, version }) => [state, version])).toEqual([
      ['failed', 5],
      ['failed', 2],
    ]);
  });

  it('leave nothing behind when their creation was refused', async () => {
    queue.add(makeEdit('category', { id: localId('c'), body: {} }));
    answers.push(new ApiError(400, { message: 'no' }));
    await settled();
    expect(cache.calls).toEqual([]);
  });
});

describe('relations', () => {
  const relation = { identifier: 'r1', name: 'causes', source: '1', target: '2', version: 4 };

  it('a removal drops the version that it made', async () => {
    queue.add(makeEdit('unlink', { id: 'r1', version: 4 }));
    queue.add(makeEdit('unlink', { id: 'r2' }));
    await settled();
    expect(cache.calls).toEqual([
      ['dropRelation', 'd', 'r1', 5],
      ['dropRelation', 'd', 'r2', undefined],
    ]);
  });

  it('follow each other by version, and a new one by its server id', async () => {
    const named = vi.fn();
    queue.listen({ onNamed: named });
    queue.add(makeEdit('link', { id: localId('r'), body: { source: '1', properties: { sure: true } } }));
    queue.add(makeEdit('changeLink', { id: localId('r') }));
    queue.add(makeEdit('restoreLink', { id: 'r2', version: 1 }));
    queue.add(makeEdit('changeLink', { id: 'r2', version: 1 }));
    answers.push(relation, { ...relation, version: 5 }, { ...relation, identifier: 'r2', version: 2 }, relation);
    await settled();
    expect(sent.map(({ id, version }) => [id, version])).toEqual([
      [localId('r'), undefined],
      ['r1', 4],
      ['r2', 1],
      ['r2', 2],
    ]);
    expect(cache.calls.map(([name]) => name)).toEqual(Array.from({ length: 4 }, () => 'storeRelation'));
    expect(cache.calls[0]).toEqual(['storeRelation', 'd', { ...relation, properties: { sure: true } }]);
    expect(cache.calls[1]).toEqual(['storeRelation', 'd', { ...relation, version: 5 }]);
    expect(named.mock.calls).toEqual([[localId('r'), 'r1']]);
  });

  it('that no longer exist are dropped on a failed change, and stay after other refusals', async () => {
    queue.add(makeEdit('changeLink', { id: 'r1', version: 4 }));
    queue.add(makeEdit('changeLink', { id: 'r2', version: 4 }));
    queue.add(makeEdit('restoreLink', { id: 'r3', version: 4 }));
    answers.push(gone(), new ApiError(403, { message: 'no' }), gone());
    await settled();
    expect(cache.calls).toEqual([['dropRelation', 'd', 'r1']]);
    expect(waiting().map(({ version }) => version)).toEqual([4, 4, 4]);
  });
});

describe('conflicts', () => {
  it('become one edit with a new key, registered as our own', async () => {
    queue.add(makeEdit('change', { version: 1, patch: { status: 'KO' } }));
    answers.push(changed(annotation(3)));
    await settled();
    const [edit] = waiting() as ConflictEdit[];
    expect([edit?.state, edit?.version, ownKeys.has(edit?.idempotencyKey ?? '')]).toEqual(['conflict', 3, true]);
    expect(ownKeys.size).toBe(1);
    cache.calls.length = 0;
    answers.push(annotation(4));
    queue.applyMine(edit as ConflictEdit);
    await settled();
    expect(cache.calls[0]).toEqual(['storeAnnotation', 'd', annotation(3)]);
    expect(sent.at(-1)).toMatchObject({ version: 3, state: 'saving', patch: { status: 'KO' } });
    expect(sent.at(-1)).not.toHaveProperty('current');
    expect([waiting(), ownKeys.size]).toEqual([[], 0]);
  });

  it('of a removal end with the state of the other user', async () => {
    queue.add(makeEdit('remove', { version: 1 }));
    answers.push(changed(annotation(3)));
    await settled();
    queue.takeCurrent(waiting()[0] as ConflictEdit);
    await settled();
    expect(cache.calls.at(-1)).toEqual(['storeAnnotation', 'd', annotation(3)]);
    expect([waiting(), sent.length]).toEqual([[], 1]);
  });

  it('without the state of the other user continue with our own version', async () => {
    const edit = makeEdit('change', { state: 'conflict', version: 9 });
    queue.add(edit);
    answers.push(annotation(10));
    queue.applyMine(edit as ConflictEdit);
    await settled();
    expect(sent[0]?.version).toBe(9);
    expect(cache.calls).toEqual([['storeAnnotation', 'd', annotation(10)]]);
  });
});

describe('undo', () => {
  const undone = { act: 'h', changed: 1, annotations: [annotation(5)] };

  it('writes the changes, and rebases waiting edits on the new version', async () => {
    const done = vi.fn();
    queue.listen({ onDone: done });
    const turn = newUndoEdit('undo', 'd');
    queue.add(turn);
    queue.add(makeEdit('change', { version: 4 }));
    answers.push(undone as never, annotation(6));
    await settled();
    expect(cache.calls[0]).toEqual(['storeAnnotation', 'd', annotation(5)]);
    expect(sent[1]?.version).toBe(5);
    expect(done.mock.calls[0]).toEqual([turn, undone]);
  });

  it('in the project finds its operation first and stores it before undoing it', async () => {
    const target = { act: 'h', documentIdentifier: 'other', count: 1 };
    queue.add(newUndoEdit('undo', undefined));
    answers.push({ target } as never, NO_RESPONSE);
    await settled();
    expect(waiting()[0]).toMatchObject({ act: 'h', documentIdentifier: 'other', found: target });
    expect([...outbox.edits.values()][0]?.edit).toMatchObject({ act: 'h' });
    answers.push(undone as never);
    await vi.advanceTimersByTimeAsync(400);
    expect([waiting(), cache.calls]).toEqual([[], [['storeAnnotation', 'other', annotation(5)]]]);
  });

  it('with nothing to undo changes nothing and is done', async () => {
    const done = vi.fn();
    queue.listen({ onDone: done });
    queue.add(newUndoEdit('undo', undefined));
    queue.add(makeEdit('change', { version: 4 }));
    answers.push({ target: undefined } as never, annotation(5));
    await settled();
    expect(done).toHaveBeenCalledTimes(2);
    expect([waiting(), sent[1]?.version]).toEqual([[], 4]);
  });

  it('is sent again under a new key, registered as our own, after a decision', async () => {
    const turn = newUndoEdit('undo', 'd');
    queue.add(turn);
    queue.add({ ...newUndoEdit('redo', 'e'), state: 'conflict' } as UndoEdit);
    answers.push(new ApiError(409, { message: 'changed', details: [{ entry: { identifier: 'h' } } as never] }));
    await settled();
    const [standing, other] = waiting() as UndoEdit[];
    expect(standing).toMatchObject({ state: 'conflict', conflicts: [{ entry: { identifier: 'h' } }] });
    queue.setPaused(true);
    queue.decideUndo(standing as UndoEdit, 'mine');
    const [again, same] = waiting() as UndoEdit[];
    expect(again?.idempotencyKey).not.toBe(turn.idempotencyKey);
    expect([again?.state, again?.decision, ownKeys.has(again?.idempotencyKey ?? '')]).toEqual(['saving', 'mine', true]);
    expect(same).toEqual(other);
  });
});
