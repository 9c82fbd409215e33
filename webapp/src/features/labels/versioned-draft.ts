/** A draft of a label or set that others may change at the same time. */
import { useState } from 'react';
import { currentStateFromConflict } from '@/api/resources/annotations';

type Fields = Readonly<Record<string, unknown>>;

/** Fields whose values differ. */
export function changedFields<T extends Fields>(before: T, after: T): Partial<T> {
  const changed = Object.keys(after).filter((name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]));
  return Object.fromEntries(changed.map((name) => [name, after[name]])) as Partial<T>;
}

/** A field that somebody else changed meanwhile; `mine`: it was also changed here. */
export interface ConcurrentChange {
  readonly field: string;
  readonly value: unknown;
  readonly mine: boolean;
}

/** Merges both changes: their value where only they changed a field, ours where we did. */
export function mergedDraft<T extends Fields>(
  base: T,
  mine: T,
  now: T,
): { readonly draft: T; readonly theirs: readonly ConcurrentChange[] } {
  const own = changedFields(base, mine);
  const theirs = Object.entries(changedFields(base, now)).map(([field, value]) => ({ field, value, mine: field in own }));
  return { draft: { ...now, ...own }, theirs };
}

/**
 * A draft of a row, based on the version `row.version`. Only changed fields are sent; after a conflict (412) the other change is merged
 * into the draft and shown, and the input is kept.
 */
export function useVersionedDraft<Row extends { readonly version?: number }, T extends Fields>(
  row: Row | undefined,
  draftOf: (row?: Row) => T,
) {
  const [seen, setSeen] = useState(() => ({ base: draftOf(row), version: row?.version }));
  const [draft, setDraft] = useState(seen.base);
  const [theirs, setTheirs] = useState<readonly ConcurrentChange[]>([]);
  /** Returns true if the error was a conflict. */
  const takeOver = (error: unknown): boolean => {
    const current = currentStateFromConflict<Row>(error);
    if (current === undefined) return false;
    const now = draftOf(current);
    const merged = mergedDraft(seen.base, draft, now);
    setSeen({ base: now, version: current.version });
    setDraft(merged.draft);
    setTheirs(merged.theirs);
    return true;
  };
  return {
    draft,
    change: (part: Partial<T>) => setDraft((known) => ({ ...known, ...part })),
    changed: changedFields(seen.base, draft),
    version: seen.version,
    theirs,
    takeOver,
  };
}
