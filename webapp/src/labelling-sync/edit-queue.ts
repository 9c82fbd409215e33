/**
 * The acts of one project on their way: written down first, sent one after the other in the order they were made, each with
 * its own key until the server has answered. Without an answer they wait; a refusal is kept with its reason.
 */
import { newKey } from '@/api/idempotency';
import type { LabellingCache } from '@/api/labelling-cache';
import { ownKeys } from '@/api/live-labelling';
import { currentVersionOf, type Annotation } from '@/api/resources/annotations';
import type { Category, CreatedCategory } from '@/api/resources/categories';
import { conflictsOf, type ConflictDecision, type UndoResult } from '@/api/resources/history';
import type { Relation } from '@/api/resources/relations';
import {
  withoutDiscarded,
  asConflict,
  isAlreadyApplied,
  isConflictable,
  nextEdit,
  rebased,
  withServerId,
  withEdit,
  withoutEdit,
  type CategoryChangeEdit,
  type ConflictEdit,
  type LabellingEdit,
} from '@/labelling-sync/edits/types';
import { editsOf, useEditsStore } from './edits-store';
import { isRelationEdit, type RelationEdit } from '@/labelling-sync/edits/relation-edits';
import type { Outbox, StoredEdit } from './outbox';
import {
  rebasedAfterUndo,
  applyUndoResult,
  withDecision,
  isUndoEdit,
  type UndoTarget,
  type UndoEdit,
} from '@/labelling-sync/edits/undo-edits';
import { isUnreachable, problemOf, sendEdit, type EditAnswer, type SendEdit } from './send-edit';

export interface QueueListener {
  /** The server has named what was created: focus follows. */
  readonly onNamed?: (from: string, to: string) => void;
  readonly onDone?: (edit: LabellingEdit, answer: EditAnswer) => void;
  readonly onRejected?: (edit: LabellingEdit, error: unknown) => void;
}

type Cache = Pick<
  LabellingCache,
  | 'storeAnnotation'
  | 'dropAnnotation'
  | 'findAnnotation'
  | 'storeCategory'
  | 'dropCategory'
  | 'storeRelation'
  | 'dropRelation'
  | 'findRelation'
>;

export interface QueueOwner {
  readonly user: string;
  readonly tab: string;
}

const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 8000;
/** What is not there any more needs no taking away. */
const DONE_WHEN_MISSING: ReadonlySet<LabellingEdit['kind']> = new Set(['remove', 'dropCategory', 'unlink'] as const);
const isCategoryChange = (edit: LabellingEdit): edit is CategoryChangeEdit =>
  edit.kind === 'decideCategory' || edit.kind === 'dropCategory';

let lastOrder = 0;
const nextOrder = () => (lastOrder = Math.max(lastOrder + 1, Date.now()));

export class EditQueue {
  private readonly listeners = new Set<QueueListener>();
  private readonly serverIds = new Map<string, string>();
  private readonly persisted = new Map<string, StoredEdit>();
  private lastWrite: Promise<void> = Promise.resolve();
  private running = false;
  private stopped = false;
  private paused = false;
  private attempts = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly project: string,
    readonly cache: Cache,
    private readonly outbox: Outbox,
    private readonly owner: QueueOwner,
    private readonly send: SendEdit = sendEdit,
  ) {}

  listen(listener: QueueListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  edits(): readonly LabellingEdit[] {
    return editsOf(this.project);
  }

  /** The server's name of what was created here. */
  serverIdOf(id: string): string {
    return this.serverIds.get(id) ?? id;
  }

  add(edit: LabellingEdit): void {
    ownKeys.add(edit.idempotencyKey);
    this.update((edits) => withEdit(edits, edit));
    this.sendNow();
  }

  /** Acts of an earlier page, or of a window that is gone. */
  adopt(acts: readonly StoredEdit[]): void {
    for (const act of acts) {
      ownKeys.add(act.key);
      this.persisted.set(act.key, act);
      lastOrder = Math.max(lastOrder, act.order);
    }
    this.update((edits) => {
      const known = new Set(edits.map(({ idempotencyKey }) => idempotencyKey));
      return [...acts.map(({ edit }) => edit).filter(({ idempotencyKey }) => !known.has(idempotencyKey)), ...edits];
    });
    this.sendNow();
  }

  retry(edit: LabellingEdit): void {
    this.update((edits) => withEdit(edits, { ...edit, state: 'saving', problem: undefined }));
    this.sendNow();
  }

  discard(edit: LabellingEdit): void {
    this.update((edits) => withoutDiscarded(edits, edit));
    this.sendNow();
  }

  /** The conflict ends with what the other one left. */
  takeCurrent(edit: ConflictEdit): void {
    this.storeCurrent(edit, edit.current);
    this.discard(edit);
  }

  /** The conflict ends with our change on top of what the other one left. */
  applyMine(edit: ConflictEdit): void {
    const { current, ...rest } = edit;
    this.storeCurrent(edit, current);
    this.retry({ ...rest, version: current?.version ?? edit.version });
  }

  /** What stood against an undo is decided on. */
  decideUndo(edit: UndoEdit, decision: ConflictDecision): void {
    const again = withDecision(edit, decision);
    ownKeys.add(again.idempotencyKey);
    this.update((edits) => edits.map((other) => (other.idempotencyKey === edit.idempotencyKey ? again : other)));
    this.sendNow();
  }

  /** At once, instead of when the wait is over. */
  sendNow(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    void this.run();
  }

  /** Nothing is sent until the same person is signed in again: what is added meanwhile joins. */
  setPaused(held: boolean): void {
    this.paused = held;
    if (held) clearTimeout(this.timer);
    else this.sendNow();
  }

  /** Nothing is sent any more; what is written down stays. */
  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  /** Resolves when what was done so far is written down. */
  flush(): Promise<void> {
    return this.lastWrite;
  }

  private async run(): Promise<void> {
    if (this.running) return;
    this.running = true;
    try {
      for (let edit = nextEdit(this.edits()); edit !== undefined && !this.stopped && !this.paused; edit = nextEdit(this.edits())) {
        // What is sent must be known after a crash, with its key.
        await this.flush();
        if (!(await this.deliver(edit))) return;
      }
    } finally {
      this.running = false;
    }
  }

  private async deliver(edit: LabellingEdit): Promise<boolean> {
    try {
      const answer = await this.send(this.project, edit);
      if (this.stopped) return false;
      this.markReachable();
      this.settle(edit, answer);
      return true;
    } catch (error) {
      if (this.stopped) return false;
      if (isUnreachable(error)) {
        this.scheduleRetry();
        return false;
      }
      this.markReachable();
      this.reject(edit, error);
      return true;
    }
  }

  private markReachable(): void {
    this.attempts = 0;
    useEditsStore.getState().setOffline(this.project, false);
  }

  private scheduleRetry(): void {
    useEditsStore.getState().setOffline(this.project, true);
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.attempts);
    this.attempts += 1;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.sendNow(), wait);
  }

  private settle(edit: LabellingEdit, answer: EditAnswer): void {
    if (isUndoEdit(edit)) return this.settleUndo(edit, answer as UndoResult | UndoTarget);
    const { id, documentIdentifier: document, idempotencyKey: key } = edit;
    let follow = (edits: readonly LabellingEdit[]) => edits;
    if (edit.kind === 'create') {
      const made = { ...edit.body, ...(answer as Annotation) };
      this.serverIds.set(id, made.identifier);
      this.cache.storeAnnotation(document, made);
      follow = (edits) => withServerId(edits, id, made.identifier, made.version);
    } else if (edit.kind === 'change' || edit.kind === 'restore') {
      const made = answer as Annotation;
      this.cache.storeAnnotation(document, made);
      follow = (edits) => rebased(edits, id, edit.version, made.version);
    } else if (edit.kind === 'remove') {
      this.cache.dropAnnotation(document, id, edit.version === undefined ? undefined : edit.version + 1);
      follow = (edits) => edits.map((other) => (other.id === id && other.kind === 'restore' ? { ...other, version: undefined } : other));
    } else if (isRelationEdit(edit)) follow = this.settleRelation(edit, answer as Relation | undefined);
    else this.settleCategory(edit, answer as CreatedCategory | undefined);
    this.update((edits) => follow(withoutEdit(edits, key)));
    if (edit.kind === 'create' || edit.kind === 'link') for (const { onNamed } of this.listeners) onNamed?.(id, this.serverIdOf(id));
    for (const { onDone } of this.listeners) onDone?.(edit, answer);
  }

  private settleUndo(edit: UndoEdit, answer: UndoResult | UndoTarget): void {
    const { idempotencyKey: key } = edit;
    if ('aim' in answer && answer.aim !== undefined) {
      const { aim: found } = answer;
      return this.update((edits) => withEdit(edits, { ...edit, found, act: found.act, documentIdentifier: found.documentIdentifier }));
    }
    if (!('aim' in answer)) applyUndoResult(this.cache, edit.documentIdentifier, answer);
    this.update((edits) => ('aim' in answer ? withoutEdit(edits, key) : rebasedAfterUndo(withoutEdit(edits, key), answer)));
    for (const { onDone } of this.listeners) onDone?.(edit, answer);
  }

  /** Told, and given up: there is nothing to send again. What somebody else did since is decided on. */
  private rejectUndo(edit: UndoEdit, error: unknown): void {
    const { idempotencyKey: key } = edit;
    const conflicts = conflictsOf(error);
    if (conflicts !== undefined) return this.update((edits) => withEdit(edits, { ...edit, state: 'conflict', conflicts }));
    this.update((edits) => withoutEdit(edits, key));
    for (const { onRejected } of this.listeners) onRejected?.(edit, error);
  }

  private settleRelation(edit: RelationEdit, answer: Relation | undefined): (edits: readonly LabellingEdit[]) => readonly LabellingEdit[] {
    const { id, documentIdentifier: document, version } = edit;
    if (answer === undefined) {
      this.cache.dropRelation(document, id, version === undefined ? undefined : version + 1);
      return (edits) => edits;
    }
    const made = edit.kind === 'link' ? { ...edit.body, ...answer } : answer;
    this.cache.storeRelation(document, made);
    if (edit.kind !== 'link') return (edits) => rebased(edits, id, version, made.version);
    this.serverIds.set(id, made.identifier);
    return (edits) => withServerId(edits, id, made.identifier, made.version);
  }

  private settleCategory(edit: LabellingEdit, answer: CreatedCategory | undefined): void {
    if (answer === undefined) return this.cache.dropCategory(edit.documentIdentifier, edit.id);
    const { replaced, ...category } = answer;
    this.cache.storeCategory(edit.documentIdentifier, edit.kind === 'category' ? { ...edit.body, ...category } : category, replaced);
  }

  private reject(edit: LabellingEdit, error: unknown): void {
    if (isUndoEdit(edit)) return this.rejectUndo(edit, error);
    const problem = problemOf(error);
    const { id, documentIdentifier: document, idempotencyKey: key } = edit;
    if (isConflictable(edit)) {
      const current = currentVersionOf<Annotation | Relation>(error);
      if (current !== undefined) return this.conflict(edit, current);
    }
    if (problem.status === 404 && DONE_WHEN_MISSING.has(edit.kind)) return this.settle(edit, undefined);
    if (problem.status === 404 && edit.kind === 'change') this.cache.dropAnnotation(document, id);
    const version = this.applyServerState(edit, error, problem.status) ?? edit.version;
    this.update((edits) =>
      edits.map((other) => (other.idempotencyKey === key ? { ...other, version, state: 'failed' as const, problem } : other)),
    );
    for (const { onRejected } of this.listeners) onRejected?.(edit, error);
  }

  /** Shows what somebody else left of a category, or that a relation is gone; its version, where it is known. */
  private applyServerState(edit: LabellingEdit, error: unknown, status: number): number | undefined {
    const { id, documentIdentifier: document } = edit;
    if (isRelationEdit(edit)) {
      if (status === 404 && edit.kind === 'changeLink') this.cache.dropRelation(document, id);
      return undefined;
    }
    if (!isCategoryChange(edit)) return undefined;
    const current = currentVersionOf<Category>(error);
    this.cache.storeCategory(document, current ?? edit.category);
    return current?.version;
  }

  private storeCurrent(edit: ConflictEdit, current: Annotation | Relation | undefined): void {
    if (current === undefined) return;
    if (isRelationEdit(edit)) this.cache.storeRelation(edit.documentIdentifier, current as Relation);
    else this.cache.storeAnnotation(edit.documentIdentifier, current as Annotation);
  }

  private conflict(edit: ConflictEdit, current: Annotation | Relation): void {
    this.storeCurrent(edit, current);
    if ('patch' in edit && isAlreadyApplied(current, edit.patch)) {
      this.update((edits) => rebased(withoutEdit(edits, edit.idempotencyKey), edit.id, edit.version, current.version));
      return;
    }
    const key = newKey();
    ownKeys.add(key);
    this.update((edits) => asConflict(edits, edit, current, key));
  }

  private update(change: (edits: readonly LabellingEdit[]) => readonly LabellingEdit[]): void {
    useEditsStore.getState().update(this.project, change);
    this.persist();
  }

  /** Brings the browser's database to what the store holds: one transaction for each step. */
  private persist(): void {
    const edits = this.edits();
    const keys = new Set(edits.map(({ idempotencyKey }) => idempotencyKey));
    const gone = [...this.persisted.keys()].filter((key) => !keys.has(key));
    const { user, tab } = this.owner;
    const changed = edits.flatMap((edit): StoredEdit[] => {
      const key = edit.idempotencyKey;
      const before = this.persisted.get(key);
      if (before?.edit === edit && before.tab === tab) return [];
      return [{ key, user, tab, project: this.project, order: before?.order ?? nextOrder(), edit }];
    });
    if (gone.length === 0 && changed.length === 0) return;
    for (const key of gone) {
      this.persisted.delete(key);
      ownKeys.delete(key);
    }
    for (const act of changed) this.persisted.set(act.key, act);
    this.lastWrite = this.lastWrite
      .then(() => this.outbox.write(changed, gone))
      .catch((error: unknown) => console.warn('Acts are kept in this page only: the browser database failed', error));
  }
}
