/** Unfinished changes outlive the screen: what failed is still there, with Retry, when the user comes back to the document. */
import { create } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { LabellingEdit } from './edits';

interface EditsState {
  /** Project -> its edits, oldest first. */
  readonly byProject: Readonly<Record<string, readonly LabellingEdit[]>>;
  /** Projects whose server was not reached the last time. */
  readonly away: ReadonlySet<string>;
  setAway(project: string, away: boolean): void;
  clear(): void;
  update(project: string, change: (edits: readonly LabellingEdit[]) => readonly LabellingEdit[]): void;
}

export const useEditsStore = create<EditsState>((set) => ({
  byProject: {},
  away: new Set(),
  setAway: (project, away) =>
    set((state) => {
      if (state.away.has(project) === away) return state;
      const others = [...state.away].filter((other) => other !== project);
      return { away: new Set(away ? [...others, project] : others) };
    }),
  clear: () => set({ byProject: {}, away: new Set() }),
  update: (project, change) => set(({ byProject }) => ({ byProject: { ...byProject, [project]: change(byProject[project] ?? []) } })),
}));

export const editsOf = (project: string): readonly LabellingEdit[] => useEditsStore.getState().byProject[project] ?? [];

/** Edits of one document, or of all documents of the project. */
export function useEdits(project: string, documentIdentifier?: string): readonly LabellingEdit[] {
  return useEditsStore(
    useShallow((state) => {
      const all = state.byProject[project] ?? [];
      return documentIdentifier === undefined ? all : all.filter((edit) => edit.documentIdentifier === documentIdentifier);
    }),
  );
}

export const useAway = (project: string): boolean => useEditsStore(({ away }) => away.has(project));
