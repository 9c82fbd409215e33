/** Unfinished changes outlive the screen: what failed is still there, with Retry, when the user comes back to the document. */
import { create } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { LabellingEdit } from './edits';

interface EditsState {
  /** Project -> its edits, oldest first. */
  readonly byProject: Readonly<Record<string, readonly LabellingEdit[]>>;
  update(project: string, change: (edits: readonly LabellingEdit[]) => readonly LabellingEdit[]): void;
}

export const useEditsStore = create<EditsState>((set) => ({
  byProject: {},
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
