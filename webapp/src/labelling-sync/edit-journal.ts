/** Mirrors the queue of one project into the browser's database. */
import { ownKeys } from '@/api/live-labelling';
import type { LabellingEdit } from '@/labelling-sync/edits/types';
import type { Outbox, StoredEdit } from './outbox';

export interface QueueOwner {
  readonly user: string;
  readonly tab: string;
}

let lastOrder = 0;
const nextEditOrder = () => (lastOrder = Math.max(lastOrder + 1, Date.now()));

export class EditJournal {
  private readonly persisted = new Map<string, StoredEdit>();
  private lastWrite: Promise<void> = Promise.resolve();

  constructor(
    private readonly project: string,
    private readonly outbox: Outbox,
    private readonly owner: QueueOwner,
  ) {}

  /** Takes over stored edits of an earlier page, or of a window that was closed. */
  adopt(records: readonly StoredEdit[]): void {
    for (const record of records) {
      this.persisted.set(record.key, record);
      lastOrder = Math.max(lastOrder, record.order);
    }
  }

  /** Writes the difference to the stored edits in one transaction. */
  persist(edits: readonly LabellingEdit[]): void {
    const keys = new Set(edits.map(({ idempotencyKey }) => idempotencyKey));
    const removed = [...this.persisted.keys()].filter((key) => !keys.has(key));
    const changed = edits.flatMap((edit) => this.recordOf(edit) ?? []);
    if (removed.length === 0 && changed.length === 0) return;
    for (const key of removed) {
      this.persisted.delete(key);
      ownKeys.delete(key);
    }
    for (const record of changed) this.persisted.set(record.key, record);
    this.lastWrite = this.lastWrite
      .then(() => this.outbox.write(changed, removed))
      .catch((error: unknown) => console.warn('Edits are kept in this page only: the browser database failed', error));
  }

  /** Resolves when all changes so far are written. */
  flush(): Promise<void> {
    return this.lastWrite;
  }

  /** Undefined when the edit is already stored unchanged. */
  private recordOf(edit: LabellingEdit): StoredEdit | undefined {
    const { user, tab } = this.owner;
    const key = edit.idempotencyKey;
    const before = this.persisted.get(key);
    if (before?.edit === edit && before.tab === tab) return undefined;
    return { key, user, tab, project: this.project, order: before?.order ?? nextEditOrder(), edit };
  }
}
