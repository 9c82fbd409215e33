/** Which edit goes next: in the order they were made, but for what waits for a person, for a name or for an undo. */
import { isLocal, isUndoEdit, type EditKind, type LabellingEdit } from './types';

/** They make something new: the server names it. */
const CREATING: ReadonlySet<EditKind> = new Set(['create', 'category', 'link'] as const);
export const isCreation = (edit: LabellingEdit): boolean => CREATING.has(edit.kind);

const relationEndsOf = (edit: LabellingEdit): readonly (string | undefined)[] => {
  if (edit.kind === 'link') return [edit.body.source, edit.body.target];
  return edit.kind === 'changeLink' ? [edit.patch.source, edit.patch.target] : [];
};

/** A relation with the annotation as one of its ends. */
export const refersToAnnotation = (edit: LabellingEdit, annotation: string): boolean => relationEndsOf(edit).includes(annotation);

/** An end that the server has not named yet: the relation goes after it. */
const waitsForServerId = (edit: LabellingEdit): boolean => relationEndsOf(edit).some((end) => end !== undefined && isLocal(end));

const isProjectWide = (edit: LabellingEdit) => isUndoEdit(edit) && edit.whole;

/** What was done before an undo goes before it, what was done after it goes after it. */
const blocksEdit = (earlier: LabellingEdit, later: LabellingEdit): boolean =>
  (isUndoEdit(earlier) || isUndoEdit(later)) &&
  (isProjectWide(earlier) || isProjectWide(later) || earlier.documentIdentifier === later.documentIdentifier);

/** The next edit to send: the oldest whose annotation waits for nobody's decision, and that no undo stands before. */
export function nextEdit(edits: readonly LabellingEdit[]): LabellingEdit | undefined {
  const blocked = new Set<string>();
  const left: LabellingEdit[] = [];
  for (const edit of edits) {
    const mayGo = edit.state === 'saving' && !blocked.has(edit.id) && (!isLocal(edit.id) || isCreation(edit)) && !waitsForServerId(edit);
    if (mayGo && !left.some((earlier) => blocksEdit(earlier, edit))) return edit;
    if (edit.state === 'saving') left.push(edit);
    if (edit.state === 'conflict' || (isCreation(edit) && edit.state === 'failed')) blocked.add(edit.id);
  }
  return undefined;
}
