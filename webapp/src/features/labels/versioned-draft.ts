/** What is typed over a label or a set that others may change meanwhile. */
import { useState } from 'react';
import { currentStateFromConflict } from '@/api/resources/annotations';

type Fields = Readonly<Record<string, unknown>>;

/** Fields whose values are not the same in both. */
export function changedFields<T extends Fields>(before: T, after: T): Partial<T> {
  const changed = Object.keys(after).filter((name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]));
  return Object.fromEntries(changed.map((name) => [name, after[name]])) as Partial<T>;
}

/** What somebody else saved meanwhile, field by field; `mine`: it was changed here too. */
export interface ConcurrentChange {
  readonly field: string;
  readonly value: unknown;
  readonly mine: boolean;
}

/** Both changes together: theirs where only they changed something, ours where we did. */
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
 * A draft of a row that is shown in the version `row.version`. Only what was changed here is sent; when somebody else was first (412) their
 * change is taken over and told, and what was typed stays.
 */
export function useVersionedDraft<Row extends { readonly version?: number }, T extends Fields>(
  row: Row | undefined,
  draftOf: (row?: Row) => T,
) {
  const [seen, setSeen] = useState(() => ({ base: draftOf(row), version: row?.version }));
  const [draft, setDraft] = useState(seen.base);
  const [theirs, setTheirs] = useState<readonly ConcurrentChange[]>([]);
  /** True when that was the failure. */
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
