import { create } from 'zustand';
import type { ReviewSession, Verdict } from './review-model';

/** One press of a key, and what it wrote: it is taken back as a whole. Filled while the server answers. */
export interface ReviewAnswer {
  readonly verdict: Verdict;
  /** Proposals, or suggestions that were skipped. */
  readonly count: number;
  readonly written: Set<string>;
}

interface ReviewSessionState {
  /** By project; survives leaving the screen, not closing the studio. */
  readonly sessions: Readonly<Record<string, ReviewSession>>;
  readonly answers: Readonly<Record<string, readonly ReviewAnswer[]>>;
  addAnswer(project: string, given: ReviewAnswer): void;
  /** The server refused it. */
  removeAnswer(project: string, given: ReviewAnswer): void;
  /** The history took back what was written, or made it again. */
  applyUndo(project: string, kind: 'undo' | 'redo', identifiers: Iterable<string>): void;
}

const newReviewSession = (): ReviewSession => ({ since: Date.now(), accepted: 0, rejected: 0, skipped: 0 });

/** Beyond that, what was given together is taken back one by one. */
const MAX_ANSWERS = 100;

function withCountedAnswer(
  sittings: ReviewSessionState['sessions'],
  project: string,
  { verdict, count }: ReviewAnswer,
  sign: 1 | -1,
): ReviewSessionState['sessions'] {
  const known = sittings[project] ?? newReviewSession();
  return { ...sittings, [project]: { ...known, [verdict]: Math.max(0, known[verdict] + sign * count) } };
}

export const useReviewSessionStore = create<ReviewSessionState>((set, get) => ({
  sessions: {},
  answers: {},
  addAnswer: (project, one) =>
    set(({ sessions, answers }) => ({
      sessions: withCountedAnswer(sessions, project, one, 1),
      answers: { ...answers, [project]: [...(answers[project] ?? []), one].slice(-MAX_ANSWERS) },
    })),
  removeAnswer: (project, one) =>
    set(({ sessions, answers }) => ({
      sessions: withCountedAnswer(sessions, project, one, -1),
      answers: { ...answers, [project]: (answers[project] ?? []).filter((other) => other !== one) },
    })),
  applyUndo: (project, kind, identifiers) => {
    const ids = new Set(identifiers);
    for (const one of get().answers[project] ?? []) {
      if (![...one.written].some((id) => ids.has(id))) continue;
      set(({ sessions }) => ({ sessions: withCountedAnswer(sessions, project, one, kind === 'undo' ? -1 : 1) }));
    }
  },
}));

const NONE: ReviewSession = { since: 0, accepted: 0, rejected: 0, skipped: 0 };

export const useReviewSession = (project: string): ReviewSession => useReviewSessionStore((state) => state.sessions[project] ?? NONE);

const ALONE: ReadonlySet<string> = new Set();

/** What was written by the press that wrote this. */
export const identifiersAnsweredTogether = (project: string, identifier: string): ReadonlySet<string> =>
  useReviewSessionStore.getState().answers[project]?.find(({ written }) => written.has(identifier))?.written ?? ALONE;
