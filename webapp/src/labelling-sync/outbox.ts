/** Unsaved edits in the browser's database: they survive the page, the browser and a server restart. */
import type { LabellingEdit } from '@/labelling-sync/edits/types';

export interface StoredEdit {
  readonly key: string;
  readonly user: string;
  readonly project: string;
  /** The window that sends the edit. */
  readonly tab: string;
  /** Edits are sent in this order. */
  readonly order: number;
  readonly edit: LabellingEdit;
}

export interface Outbox {
  /** The user's edits, oldest first. */
  load(user: string): Promise<StoredEdit[]>;
  /** Both in one transaction. */
  write(put: readonly StoredEdit[], remove: readonly string[]): Promise<void>;
}

const byOrder = (a: StoredEdit, b: StoredEdit) => a.order - b.order;

/** Used where the browser has no database (some private windows): edits live as long as the page. */
export class MemoryOutbox implements Outbox {
  readonly edits = new Map<string, StoredEdit>();

  load(user: string): Promise<StoredEdit[]> {
    return Promise.resolve([...this.edits.values()].filter((record) => record.user === user).sort(byOrder));
  }

  write(put: readonly StoredEdit[], remove: readonly string[]): Promise<void> {
    for (const key of remove) this.edits.delete(key);
    for (const record of put) this.edits.set(record.key, record);
    return Promise.resolve();
  }
}

// Names used by existing browsers: another name would lose unsent edits.
const DATABASE = 'annotarium-acts';
const STORE = 'acts';

const requestResult = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The browser database failed'));
  });

async function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'key' }).createIndex('user', 'user');
  return requestResult(request);
}

class IndexedDbOutbox implements Outbox {
  private database: Promise<IDBDatabase> | undefined;

  private open(): Promise<IDBDatabase> {
    this.database ??= openDatabase().then((database) => {
      // Closed by the browser (storage cleared): the next edit opens it again.
      database.onclose = () => (this.database = undefined);
      return database;
    });
    return this.database;
  }

  async load(user: string): Promise<StoredEdit[]> {
    const store = (await this.open()).transaction(STORE).objectStore(STORE);
    return (await requestResult<StoredEdit[]>(store.index('user').getAll(user))).sort(byOrder);
  }

  async write(put: readonly StoredEdit[], remove: readonly string[]): Promise<void> {
    const transaction = (await this.open()).transaction(STORE, 'readwrite');
    const store = transaction.objectStore(STORE);
    for (const key of remove) store.delete(key);
    for (const record of put) store.put(record);
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new Error('The browser database failed'));
    });
  }
}

export const openOutbox = (): Outbox => (typeof indexedDB === 'undefined' ? new MemoryOutbox() : new IndexedDbOutbox());
