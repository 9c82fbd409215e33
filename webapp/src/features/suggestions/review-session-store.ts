import { create } from 'zustand';
import type { ReviewSession, Verdict } from './review-model';

/** One key press, and the identifiers it created: undone as a whole. `written` is filled as responses arrive. */
export interface ReviewAnswer {
  readonly verdict: Verdict;
  /** Number of proposals, or of skipped suggestions. */
  readonly count: number;
  /** Nothing of the suggestion is left to answer. */
  readonly finishes: boolean;
  readonly written: Set<string>;
}

interface ReviewSessionState {
  /** By project; survives leaving the screen, not a reload. */
  readonly sessions: Readonly<Record<string, ReviewSession>>;
  readonly answers: Readonly<Record<string, readonly ReviewAnswer[]>>;
  addAnswer(project: string, given: ReviewAnswer): void;
  /** Called when the server refused it. */
  removeAnswer(project: string, given: ReviewAnswer): void;
  /** Called after an undo or redo of created annotations or categories. */
  applyUndo(project: string, kind: 'undo' | 'redo', identifiers: Iterable<string>): void;
}

const newReviewSession = (): ReviewSession => ({ since: Date.now(), accepted: 0, rejected: 0, skipped: 0, finished: 0 });

/** Older answers are undone one by one. */
const MAX_ANSWERS = 100;

function withCountedAnswer(
  sittings: ReviewSessionState['sessions'],
  project: string,
  { verdict, count, finishes }: ReviewAnswer,
  sign: 1 | -1,
): ReviewSessionState['sessions'] {
  const known = sittings[project] ?? newReviewSession();
  const finished = Math.max(0, known.finished + (finishes ? sign : 0));
  return { ...sittings, [project]: { ...known, [verdict]: Math.max(0, known[verdict] + sign * count), finished } };
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

const NONE: ReviewSession = { since: 0, accepted: 0, rejected: 0, skipped: 0, finished: 0 };

export const useReviewSession = (project: string): ReviewSession => useReviewSessionStore((state) => state.sessions[project] ?? NONE);

const ALONE: ReadonlySet<string> = new Set();

/** Identifiers created by the same key press. */
export const identifiersAnsweredTogether = (project: string, identifier: string): ReadonlySet<string> =>
  useReviewSessionStore.getState().answers[project]?.find(({ written }) => written.has(identifier))?.written ?? ALONE;
