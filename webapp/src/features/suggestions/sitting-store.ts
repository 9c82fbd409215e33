import { create } from 'zustand';
import type { Sitting, Verdict } from './review-model';

/** One press of a key, and what it wrote: it is taken back as a whole. Filled while the server answers. */
export interface Given {
  readonly verdict: Verdict;
  /** Proposals, or suggestions that were skipped. */
  readonly count: number;
  readonly written: Set<string>;
}

interface SittingState {
  /** By project; survives leaving the screen, not closing the studio. */
  readonly sittings: Readonly<Record<string, Sitting>>;
  readonly given: Readonly<Record<string, readonly Given[]>>;
  give(project: string, given: Given): void;
  /** The server refused it. */
  revoke(project: string, given: Given): void;
  /** The history took back what was written, or made it again. */
  turned(project: string, kind: 'undo' | 'redo', identifiers: Iterable<string>): void;
}

const fresh = (): Sitting => ({ since: Date.now(), accepted: 0, rejected: 0, skipped: 0 });

/** Beyond that, what was given together is taken back one by one. */
const KEPT = 100;

function counted(sittings: SittingState['sittings'], project: string, { verdict, count }: Given, sign: 1 | -1): SittingState['sittings'] {
  const known = sittings[project] ?? fresh();
  return { ...sittings, [project]: { ...known, [verdict]: Math.max(0, known[verdict] + sign * count) } };
}

export const useSittingStore = create<SittingState>((set, get) => ({
  sittings: {},
  given: {},
  give: (project, one) =>
    set(({ sittings, given }) => ({
      sittings: counted(sittings, project, one, 1),
      given: { ...given, [project]: [...(given[project] ?? []), one].slice(-KEPT) },
    })),
  revoke: (project, one) =>
    set(({ sittings, given }) => ({
      sittings: counted(sittings, project, one, -1),
      given: { ...given, [project]: (given[project] ?? []).filter((other) => other !== one) },
    })),
  turned: (project, kind, identifiers) => {
    const ids = new Set(identifiers);
    for (const one of get().given[project] ?? []) {
      if (![...one.written].some((id) => ids.has(id))) continue;
      set(({ sittings }) => ({ sittings: counted(sittings, project, one, kind === 'undo' ? -1 : 1) }));
    }
  },
}));

const NONE: Sitting = { since: 0, accepted: 0, rejected: 0, skipped: 0 };

export const useSitting = (project: string): Sitting => useSittingStore((state) => state.sittings[project] ?? NONE);

const ALONE: ReadonlySet<string> = new Set();

/** What was written by the press that wrote this. */
export const givenWith = (project: string, identifier: string): ReadonlySet<string> =>
  useSittingStore.getState().given[project]?.find(({ written }) => written.has(identifier))?.written ?? ALONE;
