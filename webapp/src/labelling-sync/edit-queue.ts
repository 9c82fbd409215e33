/**
 * The queue of unsent edits of one project. Each edit is stored first and then sent, one after the other in the order they were made, with
 * its own idempotency key until the server has responded. Edits without a response are retried; a refused edit stays in the queue with the
 * reason.
 */
import { ownKeys } from '@/api/live-labelling';
import type { ConflictDecision } from '@/api/resources/history';
import { withEdit, withoutDiscarded, withoutEdit, type EditListChange } from '@/labelling-sync/edits/edit-list';
import { nextEdit } from '@/labelling-sync/edits/order';
import {
  isUndoTarget,
  type AnswerOfEditKind,
  type ConflictEdit,
  type EditAnswer,
  type LabellingEdit,
  type UndoEdit,
} from '@/labelling-sync/edits/types';
import { withDecision, withTarget } from '@/labelling-sync/edits/undo-edits';
import { EditJournal, type QueueOwner } from './edit-journal';
import { editsOf, useEditsStore } from './edits-store';
import type { Outbox, StoredEdit } from './outbox';
import { handleRejectedEdit, storeServerState } from './handle-rejected-edit';
import { isUnreachable, sendEdit, type SendEdit } from './send-edit';
import { applyEditAnswer, type QueueCache } from './apply-edit-answer';

export interface QueueListener {
  /** The server has assigned an id to a new object; the listener moves the focus to it. */
  readonly onNamed?: (from: string, to: string) => void;
  readonly onDone?: (edit: LabellingEdit, answer: EditAnswer) => void;
  readonly onRejected?: (edit: LabellingEdit, error: unknown) => void;
}

const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 8000;

export class EditQueue {
  private readonly listeners = new Set<QueueListener>();
  private readonly serverIds = new Map<string, string>();
  private readonly journal: EditJournal;
  private running = false;
  private stopped = false;
  private paused = false;
  private attempts = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly project: string,
    readonly cache: QueueCache,
    outbox: Outbox,
    owner: QueueOwner,
    private readonly send: SendEdit = sendEdit,
  ) {
    this.journal = new EditJournal(project, outbox, owner);
  }

  listen(listener: QueueListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  edits(): readonly LabellingEdit[] {
    return editsOf(this.project);
  }

  /** The server's id of an object created here; the same id where none is known. */
  serverIdOf(id: string): string {
    return this.serverIds.get(id) ?? id;
  }

  add(edit: LabellingEdit): void {
    ownKeys.add(edit.idempotencyKey);
    this.update((edits) => withEdit(edits, edit));
    this.sendNow();
  }

  /** Takes over edits of an earlier page, or of a window that was closed. */
  adopt(records: readonly StoredEdit[]): void {
    for (const { key } of records) ownKeys.add(key);
    this.journal.adopt(records);
    this.update((edits) => {
      const known = new Set(edits.map(({ idempotencyKey }) => idempotencyKey));
      return [...records.map(({ edit }) => edit).filter(({ idempotencyKey }) => !known.has(idempotencyKey)), ...edits];
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

  /** Resolves the conflict with the state of the other user. */
  takeCurrent(edit: ConflictEdit): void {
    storeServerState(edit, edit.current, this.cache);
    this.discard(edit);
  }

  /** Resolves the conflict with our change on top of the state of the other user. */
  applyMine(edit: ConflictEdit): void {
    const { current, ...rest } = edit;
    storeServerState(edit, current, this.cache);
    this.retry({ ...rest, version: current?.version ?? edit.version });
  }

  /** Applies the user's decision on an undo that ran into a conflict. */
  decideUndo(edit: UndoEdit, decision: ConflictDecision): void {
    const again = withDecision(edit, decision);
    ownKeys.add(again.idempotencyKey);
    this.update((edits) => edits.map((other) => (other.idempotencyKey === edit.idempotencyKey ? again : other)));
    this.sendNow();
  }

  /** Sends immediately instead of after the waiting time. */
  sendNow(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    void this.run();
  }

  /** Stops sending until the same user has signed in again; edits added meanwhile are queued. */
  setPaused(paused: boolean): void {
    this.paused = paused;
    if (paused) clearTimeout(this.timer);
    else this.sendNow();
  }

  /** Stops sending permanently; stored edits remain stored. */
  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  /** Resolves when all changes so far are stored. */
  flush(): Promise<void> {
    return this.journal.flush();
  }

  private async run(): Promise<void> {
    if (this.running) return;
    this.running = true;
    try {
      for (let edit = nextEdit(this.edits()); edit !== undefined && !this.stopped && !this.paused; edit = nextEdit(this.edits())) {
        // The edit and its key must be stored before it is sent, to survive a crash.
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
    if (edit.kind === 'turn') {
      const found = undoTargetOfAnswer(answer as AnswerOfEditKind<'turn'>);
      // Store the target before the undo is performed.
      if (found !== undefined) return this.update((edits) => withEdit(edits, withTarget(edit, found)));
    }
    const change = applyEditAnswer(edit, answer, this.cache);
    const created = edit.kind === 'create' || edit.kind === 'link';
    if (created) this.serverIds.set(edit.id, (answer as AnswerOfEditKind<'create' | 'link'>).identifier);
    this.update((edits) => change(withoutEdit(edits, edit.idempotencyKey)));
    if (created) for (const { onNamed } of this.listeners) onNamed?.(edit.id, this.serverIdOf(edit.id));
    for (const { onDone } of this.listeners) onDone?.(edit, answer);
  }

  private reject(edit: LabellingEdit, error: unknown): void {
    const rejection = handleRejectedEdit(edit, error, this.cache);
    if (rejection.outcome === 'done') return this.settle(edit, undefined);
    this.update(rejection.change);
    if (rejection.outcome === 'failed') for (const { onRejected } of this.listeners) onRejected?.(edit, error);
  }

  private update(change: EditListChange): void {
    useEditsStore.getState().update(this.project, change);
    this.journal.persist(this.edits());
  }
}

const undoTargetOfAnswer = (answer: AnswerOfEditKind<'turn'>) => (isUndoTarget(answer) ? answer.target : undefined);
