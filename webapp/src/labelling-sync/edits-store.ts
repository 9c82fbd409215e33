/** Unsaved edits, independent of screens: a failed edit is still there, with Retry, when the user comes back to the document. */
import { create } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { LabellingEdit } from '@/labelling-sync/edits/types';

interface EditsState {
  /** Project -> its edits, oldest first. */
  readonly byProject: Readonly<Record<string, readonly LabellingEdit[]>>;
  /** Projects whose last request did not reach the server. */
  readonly offline: ReadonlySet<string>;
  setOffline(project: string, offline: boolean): void;
  clear(): void;
  update(project: string, change: (edits: readonly LabellingEdit[]) => readonly LabellingEdit[]): void;
}

export const useEditsStore = create<EditsState>((set) => ({
  byProject: {},
  offline: new Set(),
  setOffline: (project, offline) =>
    set((state) => {
      if (state.offline.has(project) === offline) return state;
      const others = [...state.offline].filter((other) => other !== project);
      return { offline: new Set(offline ? [...others, project] : others) };
    }),
  clear: () => set({ byProject: {}, offline: new Set() }),
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

export const useOffline = (project: string): boolean => useEditsStore(({ offline }) => offline.has(project));
