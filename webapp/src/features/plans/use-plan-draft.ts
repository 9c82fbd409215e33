/** The plan being edited: unsaved changes are kept over reloads and can be undone. */
import { useEffect, useState } from 'react';
import type { Plan } from '@/api/resources/plans';
import { readStored, writeStored } from '@/state/storage';
import { countChanges, withKeysOf, type EditedPlan } from './plan-draft-rules';

const MOST_STORED = 20;
const MOST_UNDONE = 100;

interface StoredDraft {
  readonly base: EditedPlan;
  readonly now: EditedPlan;
  readonly version: number;
}
type StoredDrafts = Readonly<Record<string, StoredDraft>>;

interface Held extends StoredDraft {
  /** Earlier states, the last one first. */
  readonly past: readonly EditedPlan[];
  /** What the last change was made to; further ones to the same thing are undone together. */
  readonly touched: string;
}

const isDirty = ({ base, now }: StoredDraft): boolean => countChanges(base, now) > 0;

function readDraft(key: string): StoredDraft | undefined {
  const found = readStored<StoredDrafts>('planDrafts')?.[key];
  const steps: unknown = found?.now.plan.steps;
  return Array.isArray(steps) && Array.isArray(found?.base.plan.steps) ? found : undefined;
}

/** Where the unsaved changes of a plan are stored; `name`: of the plan, or the type of a new one. */
export const planDraftKey = (username: string, project: string, mode: string, name: string): string =>
  [username, project, mode, name].join('/');

/** Names of the plans of a project with unsaved changes of the user. */
export function plansWithUnsavedChanges(username: string, project: string): ReadonlySet<string> {
  const prefix = planDraftKey(username, project, 'edit', '');
  const keys = Object.keys(readStored<StoredDrafts>('planDrafts') ?? {});
  return new Set(keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length)));
}

/** Stores a draft as the newest one, or removes it. */
function writeDraft(key: string, draft: StoredDraft | null): void {
  const { [key]: _old, ...others } = readStored<StoredDrafts>('planDrafts') ?? {};
  const entries = Object.entries(others).slice(1 - MOST_STORED);
  const next = draft === null ? others : Object.fromEntries([...entries, [key, draft]]);
  writeStored('planDrafts', Object.keys(next).length === 0 ? null : next);
}

const freshDraft = (state: EditedPlan, version: number): Held => ({ base: state, now: state, version, past: [], touched: '' });

/** After somebody saved the plan: its new state, or the unsaved changes with a conflict. */
function adoptVersion(held: Held, plan: Plan, fresh: (plan: Plan) => EditedPlan): Held {
  if (plan.version <= held.version || isDirty(held)) return held; // older: the list is not fetched again yet
  const state = fresh(plan);
  return freshDraft({ ...state, plan: withKeysOf(state.plan, held.now.plan) }, plan.version);
}

/**
 * @param key where unsaved changes are stored: user, project, plan.
 * @param plan the stored plan; undefined for a new one.
 * @param fresh the state without changes.
 */
export function usePlanDraft(key: string, plan: Plan | undefined, fresh: (plan: Plan | undefined) => EditedPlan) {
  const [held, setHeld] = useState<Held>(() => {
    const stored = readDraft(key);
    return stored === undefined ? freshDraft(fresh(plan), plan?.version ?? 0) : { ...stored, past: [], touched: '' };
  });
  if (plan !== undefined) {
    const adopted = adoptVersion(held, plan, fresh);
    if (adopted !== held) setHeld(adopted);
  }
  const { base, now, version } = held;
  const changes = countChanges(base, now);
  useEffect(() => {
    writeDraft(key, changes === 0 ? null : { base, now, version });
  }, [key, base, now, version, changes]);
  const change = (part: Partial<EditedPlan>, touched = '') =>
    setHeld((last) => {
      const together = touched !== '' && touched === last.touched;
      const past = together ? last.past : [last.now, ...last.past].slice(0, MOST_UNDONE);
      return { ...last, now: { ...last.now, ...part }, past, touched };
    });
  return {
    now,
    changes,
    version,
    /** Somebody else saved the plan since these changes began. */
    conflict: plan !== undefined && plan.version > version && changes > 0,
    change,
    canUndo: held.past.length > 0,
    undo: () =>
      setHeld((last) => {
        const [previous, ...past] = last.past;
        return previous === undefined ? last : { ...last, now: previous, past, touched: '' };
      }),
    discard: () => setHeld(freshDraft(fresh(plan), plan?.version ?? 0)),
    /** Keeps the changes, on top of what somebody else saved. */
    keepMine: () => setHeld((last) => ({ ...last, base: fresh(plan), version: plan?.version ?? last.version })),
    /** The state was saved, as the next version. */
    markSaved: (saved: EditedPlan) => setHeld((last) => ({ ...last, base: saved, version: last.version + 1, past: [], touched: '' })),
    /** Removes the stored changes of a new plan that was created and lives on under its name. */
    forget: () => writeDraft(key, null),
  };
}

export type PlanDraftState = ReturnType<typeof usePlanDraft>;
