/** Which edit is sent next: in order of creation, except for edits that wait for a decision, for a server id or for an undo. */
import { isLocal, isUndoEdit, type EditKind, type LabellingEdit } from './types';

/** Kinds that create an object, whose id the server assigns. */
const CREATING: ReadonlySet<EditKind> = new Set(['create', 'category', 'link'] as const);
export const isCreation = (edit: LabellingEdit): boolean => CREATING.has(edit.kind);

const relationEndsOf = (edit: LabellingEdit): readonly (string | undefined)[] => {
  if (edit.kind === 'link') return [edit.body.source, edit.body.target];
  return edit.kind === 'changeLink' ? [edit.patch.source, edit.patch.target] : [];
};

/** Whether the edit is of a relation with the annotation as one of its ends. */
export const refersToAnnotation = (edit: LabellingEdit, annotation: string): boolean => relationEndsOf(edit).includes(annotation);

/** An end has no server id yet: the relation is sent after it. */
const waitsForServerId = (edit: LabellingEdit): boolean => relationEndsOf(edit).some((end) => end !== undefined && isLocal(end));

const isProjectWide = (edit: LabellingEdit) => isUndoEdit(edit) && edit.whole;

/** Edits made before an undo are sent before it, edits made after it are sent after it. */
const blocksEdit = (earlier: LabellingEdit, later: LabellingEdit): boolean =>
  (isUndoEdit(earlier) || isUndoEdit(later)) &&
  (isProjectWide(earlier) || isProjectWide(later) || earlier.documentIdentifier === later.documentIdentifier);

/** The next edit to send: the oldest that waits for no decision and is blocked by no undo. */
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
