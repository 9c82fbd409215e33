import { create } from 'zustand';
import type { Sitting, Verdict } from './review-model';

interface SittingState {
  /** By project; survives leaving the screen, not closing the studio. */
  readonly sittings: Readonly<Record<string, Sitting>>;
  count(project: string, verdict: Verdict, by: number): void;
}

const fresh = (): Sitting => ({ since: Date.now(), accepted: 0, rejected: 0, skipped: 0 });

export const useSittingStore = create<SittingState>((set) => ({
  sittings: {},
  count: (project, verdict, by) =>
    set(({ sittings }) => {
      const known = sittings[project] ?? fresh();
      return { sittings: { ...sittings, [project]: { ...known, [verdict]: Math.max(0, known[verdict] + by) } } };
    }),
}));

const NONE: Sitting = { since: 0, accepted: 0, rejected: 0, skipped: 0 };

export const useSitting = (project: string): Sitting => useSittingStore((state) => state.sittings[project] ?? NONE);
