import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '@/api/errors';
import type { Annotation } from '@/api/resources/annotations';
import type { ProjectUndo } from '@/api/resources/history';
import type { Relation } from '@/api/resources/relations';
import { EditQueue } from './edit-queue';
import type {
  ChangeAnnotationEdit,
  ChangeRelationEdit,
  CreateAnnotationEdit,
  EditAnswer,
  LabellingEdit,
  RelationEdit,
  UndoEdit,
  RemoveRelationEdit,
} from '@/labelling-sync/edits/types';
import { isUndoEdit, localId } from '@/labelling-sync/edits/types';
import { editsOf, useEditsStore } from './edits-store';
import { MemoryOutbox } from './outbox';
import { needsTarget, newUndoEdit } from '@/labelling-sync/edits/undo-edits';

const OWNER = { user: 'marie', tab: 'one' };
const GONE = new ApiError(0, null, 'no answer');

/** A server that remembers what it created under each idempotency key, as the real one does. */
class Server {
  readonly made: string[] = [];
  readonly heard: string[] = [];
  private readonly answers = new Map<string, EditAnswer>();
  readonly annotations = new Map<string, Annotation>();
  readonly relations = new Map<string, Relation>();
  /** What happens to the next calls: lost before the server, lost after it, or an error response. */
  readonly faults: ('before' | 'after' | ApiError)[] = [];
  private next = 1;

  send = (_project: string, edit: LabellingEdit): Promise<EditAnswer> => {
    const fault = this.faults.shift();
    if (fault === 'before') return Promise.reject(GONE);
    if (fault instanceof ApiError) return Promise.reject(fault);
    this.heard.push(edit.idempotencyKey);
    try {
      const answer = this.once(edit);
      return fault === 'after' ? Promise.reject(GONE) : Promise.resolve(answer);
    } catch (error) {
      return Promise.reject(error as Error);
    }
  };

  /** Names of what exists, oldest first; the newest is undone next. */
  private readonly newest: { readonly id: string; readonly document: string }[] = [];
  /** Conflict that the next undo runs into. */
  against: ApiError | undefined;

  private undoOrRedo(edit: UndoEdit): EditAnswer {
    const { act, documentIdentifier } = edit;
    const place = this.newest.findLastIndex(({ id, document }) => (act === undefined ? document === documentIdentifier : id === act));
    if (this.against !== undefined && edit.decision === undefined) throw this.against;
    if (place < 0) throw new ApiError(409, { message: 'nothing' });
    const id = this.newest.splice(place, 1)[0]?.id ?? '';
    this.made.push(`undo ${this.annotations.get(id)?.text ?? ''}`);
    this.annotations.delete(id);
    return { act: id, changed: 1, removed: [id] };
  }

  private once(edit: LabellingEdit): EditAnswer {
    if (isUndoEdit(edit) && needsTarget(edit)) {
      const { id, document } = this.newest.at(-1) ?? {};
      return { target: id === undefined ? undefined : ({ act: id, documentIdentifier: document, count: 1 } as ProjectUndo) };
    }
    if (!this.answers.has(edit.idempotencyKey)) this.answers.set(edit.idempotencyKey, this.make(edit));
    return this.answers.get(edit.idempotencyKey);
  }

  private make(edit: LabellingEdit): EditAnswer {
    if (isUndoEdit(edit)) return this.undoOrRedo(edit);
    if (edit.kind === 'create') {
      const annotation = { ...edit.body, identifier: String(this.next++), version: 1 };
      this.annotations.set(annotation.identifier, annotation);
      this.made.push(`create ${edit.body.text}`);
      this.newest.push({ id: annotation.identifier, document: edit.documentIdentifier });
      return annotation;
    }
    if (edit.kind === 'link') {
      const relation = { ...edit.body, identifier: `r${String(this.next++)}`, version: 1 };
      this.relations.set(relation.identifier, relation);
      this.made.push(`link ${edit.body.source} ${edit.body.target}`);
      return relation;
    }
    if (edit.kind === 'changeLink' || edit.kind === 'unlink') return this.relink(edit);
    const known = this.annotations.get(edit.id);
    if (known === undefined) throw new ApiError(404, { message: 'There is no annotation' });
    if (edit.version !== undefined && edit.version !== known.version)
      throw new ApiError(412, { message: 'changed', details: [{ current: known }] });
    this.made.push(`${edit.kind} ${edit.id}`);
    if (edit.kind === 'remove') {
      this.annotations.delete(edit.id);
      return undefined;
    }
    const changed = { ...known, ...(edit as ChangeAnnotationEdit).patch, version: known.version + 1 };
    this.annotations.set(edit.id, changed);
    return changed;
  }

  private relink(edit: RelationEdit): EditAnswer {
    const known = this.relations.get(edit.id);
    if (known === undefined) throw new ApiError(404, { message: 'There is no relation' });
    if (edit.version !== undefined && edit.version !== known.version)
      throw new ApiError(412, { message: 'changed', details: [{ current: known }] });
    this.made.push(`${edit.kind} ${edit.id}`);
    if (edit.kind !== 'changeLink') {
      this.relations.delete(edit.id);
      return undefined;
    }
    const changed = { ...known, ...edit.patch, version: known.version + 1 };
    this.relations.set(edit.id, changed);
    return changed;
  }
}

class Cache {
  readonly annotations = new Map<string, Annotation>();
  storeAnnotation = (_document: string, annotation: Annotation) => void this.annotations.set(annotation.identifier, annotation);
  dropAnnotation = (_document: string, id: string) => void this.annotations.delete(id);
  findAnnotation = (_document: string, id: string) => this.annotations.get(id);
  readonly relations = new Map<string, Relation>();
  storeRelation = (_document: string, relation: Relation) => void this.relations.set(relation.identifier, relation);
  dropRelation = (_document: string, id: string) => void this.relations.delete(id);
  findRelation = (_document: string, id: string) => this.relations.get(id);
  storeCategory = () => undefined;
  dropCategory = () => undefined;
}

const create = (text: string): CreateAnnotationEdit => ({
  kind: 'create',
  id: localId(text),
  documentIdentifier: 'd',
  idempotencyKey: text,
  state: 'saving',
  body: { documentIdentifier: 'd', start: 0, end: 3, text, labelName: 'person', creationMode: 'manual', status: 'OK' },
});

const change = (id: string, key: string, patch: ChangeAnnotationEdit['patch'], version?: number): ChangeAnnotationEdit => ({
  kind: 'change',
  id,
  documentIdentifier: 'd',
  idempotencyKey: key,
  state: 'saving',
  patch,
  version,
});

let server: Server;
let outbox: MemoryOutbox;
let cache: Cache;
let queue: EditQueue;
const open = () => new EditQueue('p', cache, outbox, OWNER, server.send);
const settled = () => vi.advanceTimersByTimeAsync(60_000);
const waiting = () => editsOf('p');

/** Simulates a page that was closed at any time: only stored edits are left. */
async function reload(): Promise<void> {
  queue.stop();
  await queue.flush();
  useEditsStore.getState().clear();
  queue = open();
  queue.adopt(await outbox.load('marie'));
}

beforeEach(() => {
  vi.useFakeTimers();
  useEditsStore.getState().clear();
  [server, outbox, cache] = [new Server(), new MemoryOutbox(), new Cache()];
  queue = open();
});
afterEach(() => {
  queue.stop();
  vi.useRealTimers();
});

describe('the edit queue', () => {
  it('sends edits in order and leaves nothing behind', async () => {
    for (const text of ['a', 'b', 'c']) queue.add(create(text));
    await settled();
    expect(server.made).toEqual(['create a', 'create b', 'create c']);
    expect(waiting()).toEqual([]);
    expect(outbox.edits.size).toBe(0);
  });

  it('keeps the order and creates no duplicates when the server is unreachable and responses get lost', async () => {
    server.faults.push('before', 'before', 'after', 'before', 'after');
    for (const text of ['a', 'b', 'c']) queue.add(create(text));
    await vi.advanceTimersByTimeAsync(10);
    expect(useEditsStore.getState().offline.has('p')).toBe(true);
    expect([...outbox.edits.keys()]).toEqual(['a', 'b', 'c']);
    await settled();
    expect(server.made).toEqual(['create a', 'create b', 'create c']);
    expect(server.heard.filter((key) => key === 'a').length).toBeGreaterThan(1);
    expect(useEditsStore.getState().offline.has('p')).toBe(false);
    expect(waiting()).toEqual([]);
  });

  it('continues after a crash between sending and the response, without creating anything twice', async () => {
    server.faults.push('after');
    for (const text of ['a', 'b']) queue.add(create(text));
    await vi.advanceTimersByTimeAsync(10);
    expect(server.made).toEqual(['create a']);
    await reload();
    expect(waiting().map(({ idempotencyKey }) => idempotencyKey)).toEqual(['a', 'b']);
    await settled();
    expect(server.made).toEqual(['create a', 'create b']);
    expect([...cache.annotations.keys()]).toEqual(['1', '2']);
    expect(outbox.edits.size).toBe(0);
  });

  it.each([1, 2, 3, 4, 5])('survives a crash after %i lost calls: changes follow the annotation they belong to', async (lost) => {
    server.faults.push(...Array.from({ length: lost }, (_, at) => (at % 2 === 0 ? ('after' as const) : ('before' as const))));
    queue.add(create('a'));
    queue.add(change(localId('a'), 'k1', { labelName: 'place' }));
    queue.add(change(localId('a'), 'k2', { status: 'KO' }));
    await vi.advanceTimersByTimeAsync(300 * lost);
    await reload();
    await settled();
    expect(server.made).toEqual(['create a', 'change 1', 'change 1']);
    expect(server.annotations.get('1')).toMatchObject({ labelName: 'place', status: 'KO', version: 3 });
    expect(waiting()).toEqual([]);
  });

  it('stores an edit before it is sent', async () => {
    let written = false;
    outbox.write = (put) => {
      if (put.length > 0) written = true;
      return Promise.resolve();
    };
    const first = vi.fn(() => {
      expect(written).toBe(true);
      return Promise.resolve(undefined);
    });
    const own = new EditQueue('q', cache, outbox, OWNER, first);
    own.add(change('7', 'k', { status: 'OK' }));
    await settled();
    expect(first).toHaveBeenCalledTimes(1);
    own.stop();
  });

  it('stores what the server refuses, with the reason, and sends the rest', async () => {
    server.faults.push(new ApiError(400, { message: 'The text differs', fix: 'Reload' }));
    queue.add(create('a'));
    queue.add(change(localId('a'), 'k1', { status: 'KO' }));
    queue.add(create('b'));
    await settled();
    expect(server.made).toEqual(['create b']);
    const refused = waiting();
    expect(refused.map(({ state, problem }) => [state, problem?.message])).toEqual([
      ['failed', 'The text differs'],
      ['saving', undefined],
    ]);
    queue.retry(refused[0] as LabellingEdit);
    await settled();
    expect(server.made).toEqual(['create b', 'create a', 'change 2']);
    expect(waiting()).toEqual([]);
  });

  it('discards a refused creation together with the edits that depend on it', async () => {
    server.faults.push(new ApiError(404, { message: 'There is no label' }));
    queue.add(create('a'));
    queue.add(change(localId('a'), 'k1', { status: 'KO' }));
    await settled();
    queue.discard(waiting()[0] as LabellingEdit);
    await settled();
    expect([waiting(), outbox.edits.size, server.made]).toEqual([[], 0, []]);
  });

  it('refused edits are still there after a reload', async () => {
    server.faults.push(new ApiError(403, { message: 'read-only' }));
    queue.add(create('a'));
    await settled();
    await reload();
    await settled();
    expect(waiting().map(({ state, problem }) => [state, problem?.status])).toEqual([['failed', 403]]);
  });
});

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
    server.faults.push('after', 'before', 'after', 'after');
    queue.add(create('a'));
    queue.add(create('b'));
    queue.add(link(localId('a'), localId('b')));
    queue.add(changeLinkEdit(localId('link')));
    await vi.advanceTimersByTimeAsync(500);
    await reload();
    await settled();
    expect(server.made).toEqual(['create a', 'create b', 'link 1 2', 'changeLink r3']);
    expect([...cache.relations.values()]).toEqual([expect.objectContaining({ source: '1', target: '2', name: 'cures', version: 2 })]);
    expect([waiting(), outbox.edits.size]).toEqual([[], 0]);
  });

  const theirs = { identifier: 'r1', version: 4, name: 'treats', source: '1', target: '2' };

  it('changed by somebody else: asks, with all our changes next to the other state', async () => {
    server.relations.set('r1', theirs);
    queue.add({ ...changeLinkEdit('r1', 3), idempotencyKey: 'ends', patch: { source: '2', target: '1' } } as LabellingEdit);
    queue.add(changeLinkEdit('r1', 3));
    await settled();
    const [edit] = waiting() as ChangeRelationEdit[];
    expect(waiting()).toHaveLength(1);
    expect([edit?.kind, edit?.state, edit?.current]).toEqual(['changeLink', 'conflict', theirs]);
    expect(edit?.patch).toEqual({ source: '2', target: '1', name: 'cures' });
    expect(cache.relations.get('r1')).toEqual(theirs);
    await reload();
    queue.applyMine(waiting()[0] as ChangeRelationEdit);
    await settled();
    expect(server.relations.get('r1')).toMatchObject({ name: 'cures', source: '2', version: 5 });
    expect(waiting()).toEqual([]);
  });

  it('removed here, changed there: it is deleted only when the user still wants that', async () => {
    const unlink = { kind: 'unlink', id: 'r1', documentIdentifier: 'd', state: 'saving', version: 3 } as const;
    server.relations.set('r1', theirs);
    queue.add({ ...unlink, idempotencyKey: 'u1' });
    await settled();
    queue.takeCurrent(waiting()[0] as RemoveRelationEdit);
    await settled();
    expect([waiting(), server.made, cache.relations.get('r1')]).toEqual([[], [], theirs]);
    queue.add({ ...unlink, idempotencyKey: 'u2' });
    await settled();
    queue.applyMine(waiting()[0] as RemoveRelationEdit);
    await settled();
    expect([waiting(), server.made, cache.relations.size]).toEqual([[], ['unlink r1'], 0]);
  });

  it('asks nothing when both changes are the same', async () => {
    server.relations.set('r1', { ...theirs, name: 'cures' });
    queue.add(changeLinkEdit('r1', 3));
    await settled();
    expect([waiting(), server.made]).toEqual([[], []]);
  });

  it('removed by somebody else: nothing is left to do', async () => {
    cache.relations.set('r1', { identifier: 'r1', version: 1, name: 'treats', source: '1', target: '2' });
    queue.add({ kind: 'unlink', id: 'r1', documentIdentifier: 'd', idempotencyKey: 'u', state: 'saving', version: 1 });
    await settled();
    expect([waiting(), cache.relations.size]).toEqual([[], 0]);
  });
});

describe('changed by somebody else', () => {
  const theirs: Annotation = { identifier: '7', labelName: 'place', start: 0, end: 3, version: 2 };

  it('asks, and takes theirs', async () => {
    server.annotations.set('7', theirs);
    queue.add(change('7', 'k1', { status: 'KO' }, 1));
    queue.add(change('7', 'k2', { labelName: 'date' }, 1));
    await settled();
    const [edit] = waiting() as ChangeAnnotationEdit[];
    expect(waiting()).toHaveLength(1);
    expect([edit?.state, edit?.patch, edit?.current]).toEqual(['conflict', { status: 'KO', labelName: 'date' }, theirs]);
    queue.takeCurrent(edit as ChangeAnnotationEdit);
    await settled();
    expect([waiting(), server.made, cache.annotations.get('7')]).toEqual([[], [], theirs]);
  });

  it('asks, and applies ours on top, also after a reload', async () => {
    server.annotations.set('7', theirs);
    queue.add(change('7', 'k1', { status: 'KO' }, 1));
    await settled();
    await reload();
    queue.applyMine(waiting()[0] as ChangeAnnotationEdit);
    await settled();
    expect(server.annotations.get('7')).toMatchObject({ labelName: 'place', status: 'KO', version: 3 });
    expect(waiting()).toEqual([]);
  });

  it('asks nothing when both changes are the same', async () => {
    server.annotations.set('7', theirs);
    queue.add(change('7', 'k1', { labelName: 'place' }, 1));
    await settled();
    expect([waiting(), server.made, cache.annotations.get('7')]).toEqual([[], [], theirs]);
  });

  it('our own earlier change is no conflict', async () => {
    server.annotations.set('7', { ...theirs, version: 1 });
    queue.add(change('7', 'k1', { status: 'KO' }, 1));
    queue.add(change('7', 'k2', { status: 'OK' }, 1));
    await settled();
    expect(server.annotations.get('7')).toMatchObject({ status: 'OK', version: 3 });
    expect(waiting()).toEqual([]);
  });
});

describe('undo in the queue', () => {
  it('keeps its position while the server is unreachable, survives a reload, and undoes what was done before it', async () => {
    server.faults.push('before', 'before', 'before');
    queue.add(create('a'));
    queue.add(newUndoEdit('undo', 'd'));
    queue.add(create('b'));
    await vi.advanceTimersByTimeAsync(500);
    expect(waiting()).toHaveLength(3);
    await reload();
    await settled();
    expect(server.made).toEqual(['create a', 'undo a', 'create b']);
    expect([...cache.annotations.values()].map(({ text }) => text)).toEqual(['b']);
    expect([waiting(), outbox.edits.size]).toEqual([[], 0]);
  });

  it('is done once, whatever response is lost', async () => {
    queue.add(create('a'));
    queue.add(create('b'));
    await settled();
    server.faults.push('after', 'before', 'after');
    queue.add(newUndoEdit('undo', 'd'));
    await vi.advanceTimersByTimeAsync(500);
    await reload();
    await settled();
    expect(server.made).toEqual(['create a', 'create b', 'undo b']);
  });

  it('of the newest operation of the project stores its target first: after a lost response no other one is undone', async () => {
    queue.add(create('a'));
    queue.add({ ...create('b'), documentIdentifier: 'other' });
    await settled();
    // The undo target is read twice; then the response of the undo is lost, and the page is closed.
    queue.add(newUndoEdit('undo', undefined));
    server.faults.push('after', 'after');
    await vi.advanceTimersByTimeAsync(500);
    await reload();
    await settled();
    expect(server.made).toEqual(['create a', 'create b', 'undo b']);
  });

  it('blocks only later edits of its own document', async () => {
    server.faults.push(new ApiError(400, { message: 'refused' }));
    queue.add(create('a'));
    queue.add(change(localId('a'), 'follows', { status: 'KO' }));
    queue.add(newUndoEdit('undo', 'd'));
    queue.add({ ...create('b'), documentIdentifier: 'other' });
    queue.add(create('c'));
    await settled();
    // The refused edit may still be sent again, so the undo covers it too.
    expect(server.made).toEqual(['create b']);
    queue.discard(waiting()[0] as LabellingEdit);
    await settled();
    expect(server.made).toEqual(['create b', 'create c']);
  });

  it('asks where somebody changed the same since, also after a reload', async () => {
    const entry = { identifier: 'h1' };
    queue.add(create('a'));
    await settled();
    server.against = new ApiError(409, { message: 'changed', details: [{ entry } as never] });
    queue.add(newUndoEdit('undo', 'd'));
    await settled();
    await reload();
    const [standing] = waiting() as UndoEdit[];
    expect([standing?.state, standing?.conflicts]).toEqual(['conflict', [{ entry }]]);
    expect(server.made).toEqual(['create a']);
    queue.decideUndo(standing as UndoEdit, 'mine');
    await settled();
    expect([server.made, waiting()]).toEqual([['create a', 'undo a'], []]);
  });

  it('that cannot be done is reported and leaves nothing behind', async () => {
    const refused = vi.fn();
    queue.listen({ onRejected: refused });
    queue.add(newUndoEdit('undo', 'd'));
    await settled();
    expect(refused).toHaveBeenCalledOnce();
    expect([waiting(), outbox.edits.size]).toEqual([[], 0]);
  });
});

describe('an ended session', () => {
  it('pauses the edits, and sends them in order when the user is back', async () => {
    queue.setPaused(true);
    for (const text of ['a', 'b']) queue.add(create(text));
    await settled();
    expect([server.heard, waiting().length, outbox.edits.size]).toEqual([[], 2, 2]);
    queue.setPaused(false);
    await settled();
    expect(server.made).toEqual(['create a', 'create b']);
  });
});
