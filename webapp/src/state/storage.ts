/**
 * Browser storage (C-093). Local storage: the current project name, the last theme configuration, the layout arranged by the user (open
 * drawers and facet panels, choices of screens), the language, and unsaved changes of plans. Session storage: the user name, the token
 * of an invitation that was opened, and the threads of questions and answers. Besides, `labelling-sync` stores unsaved edits in IndexedDB and the name of the tab in the session
 * storage.
 */
export const STORAGE_KEYS = {
  project: 'annotarium.project',
  theme: 'annotarium.theme',
  layout: 'annotarium.layout',
  language: 'annotarium.language',
  planDrafts: 'annotarium.planDrafts',
  username: 'annotarium.username',
  invitation: 'annotarium.invitation',
  threads: 'annotarium.threads',
} as const;

type StorageKey = keyof typeof STORAGE_KEYS;
const OF_THE_WINDOW: ReadonlySet<StorageKey> = new Set(['username', 'invitation', 'threads']);

const browserStorageOf = (key: StorageKey): Storage => (OF_THE_WINDOW.has(key) ? sessionStorage : localStorage);

/** The stored value, or null when absent, unreadable or when storage is blocked. */
export function readStored<T>(key: StorageKey): T | null {
  try {
    const text = browserStorageOf(key).getItem(STORAGE_KEYS[key]);
    return text === null ? null : (JSON.parse(text) as T);
  } catch {
    return null;
  }
}

/** Null removes the value. A full or blocked storage is ignored, as everything stored here is optional. */
export function writeStored(key: StorageKey, value: unknown): void {
  try {
    if (value === null || value === undefined) browserStorageOf(key).removeItem(STORAGE_KEYS[key]);
    else browserStorageOf(key).setItem(STORAGE_KEYS[key], JSON.stringify(value));
  } catch {
    // Private windows may refuse; the session continues without storage.
  }
}

const STALE = /question/i;

/** C-093: saved-question entries of earlier versions are removed at start. */
export function cleanStorage(): void {
  try {
    for (const key of Object.keys(localStorage)) if (STALE.test(key)) localStorage.removeItem(key);
  } catch {
    // Same as above.
  }
}
