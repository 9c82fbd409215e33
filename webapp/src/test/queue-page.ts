/** For tests of the edit queue over several edits: a server that remembers what it made, and pages that are closed at any time. */
import { afterEach, beforeEach, vi } from 'vitest';
import { ApiError } from '@/api/errors';
import type { Annotation } from '@/api/resources/annotations';
import type { ProjectUndo } from '@/api/resources/history';
import type { Relation } from '@/api/resources/relations';
import { EditQueue } from '@/labelling-sync/edit-queue';
import { useEditsStore } from '@/labelling-sync/edits-store';
import type {
  ChangeAnnotationEdit,
  CreateAnnotationEdit,
  EditAnswer,
  LabellingEdit,
  RelationEdit,
  UndoEdit,
} from '@/labelling-sync/edits/types';
import { isUndoEdit, localId } from '@/labelling-sync/edits/types';
import { needsTarget } from '@/labelling-sync/edits/undo-edits';
import { MemoryOutbox } from '@/labelling-sync/outbox';
import { NO_RESPONSE, OWNER } from './edit-queue';

/** A server that remembers what it created under each idempotency key, as the real one does. */
export class RememberingServer {
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
    if (fault === 'before') return Promise.reject(NO_RESPONSE);
    if (fault instanceof ApiError) return Promise.reject(fault);
    this.heard.push(edit.idempotencyKey);
    try {
      const answer = this.once(edit);
      return fault === 'after' ? Promise.reject(NO_RESPONSE) : Promise.resolve(answer);
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

export class MemoryCache {
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

export const create = (text: string): CreateAnnotationEdit => ({
  kind: 'create',
  id: localId(text),
  documentIdentifier: 'd',
  idempotencyKey: text,
  state: 'saving',
  body: { documentIdentifier: 'd', start: 0, end: 3, text, labelName: 'person', creationMode: 'manual', status: 'OK' },
});

export const change = (id: string, key: string, patch: ChangeAnnotationEdit['patch'], version?: number): ChangeAnnotationEdit => ({
  kind: 'change',
  id,
  documentIdentifier: 'd',
  idempotencyKey: key,
  state: 'saving',
  patch,
  version,
});

/** A page with a queue of project `p`; `server`, `outbox`, `cache` and `queue` are those of the running test. */
export class QueuePage {
  server = new RememberingServer();
  outbox = new MemoryOutbox();
  cache = new MemoryCache();
  queue = this.open();

  private open(): EditQueue {
    return new EditQueue('p', this.cache, this.outbox, OWNER, this.server.send);
  }

  start(): void {
    useEditsStore.getState().clear();
    [this.server, this.outbox, this.cache] = [new RememberingServer(), new MemoryOutbox(), new MemoryCache()];
    this.queue = this.open();
  }

  /** Simulates a page that was closed at any time: only stored edits are left. */
  async reload(): Promise<void> {
    this.queue.stop();
    await this.queue.flush();
    useEditsStore.getState().clear();
    this.queue = this.open();
    this.queue.adopt(await this.outbox.load('marie'));
  }
}

/** Registers the hooks: a new page for each test, on fake timers. */
export function openQueuePage(): QueuePage {
  const page = new QueuePage();
  beforeEach(() => {
    vi.useFakeTimers();
    page.start();
  });
  afterEach(() => {
    page.queue.stop();
    vi.useRealTimers();
  });
  return page;
}

/** Until every retry has been made. */
export const retried = () => vi.advanceTimersByTimeAsync(60_000);
