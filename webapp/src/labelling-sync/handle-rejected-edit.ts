/** What a refusal by the server means for an edit: already done, a conflict to decide, or failed with a reason. */
import { newKey } from '@/api/idempotency';
import { ownKeys } from '@/api/live-labelling';
import { currentStateFromConflict, type Annotation } from '@/api/resources/annotations';
import type { Category } from '@/api/resources/categories';
import { undoConflictsFromError } from '@/api/resources/history';
import type { Relation } from '@/api/resources/relations';
import {
  mergeIntoConflictEdit,
  isAlreadyApplied,
  rebased,
  withEdit,
  withoutEdit,
  type EditListChange,
} from '@/labelling-sync/edits/edit-list';
import {
  isConflictable,
  isRelationEdit,
  type ConflictEdit,
  type EditKind,
  type LabellingEdit,
  type UndoEdit,
} from '@/labelling-sync/edits/types';
import { problemOf } from './send-edit';
import type { QueueCache } from './apply-edit-answer';

/** `done`: nothing is left to remove; `conflict`: the user decides, unless both changes are the same; `failed`: listeners are notified. */
export type Rejection =
  | { readonly outcome: 'done' }
  | { readonly outcome: 'conflict'; readonly change: EditListChange }
  | { readonly outcome: 'failed'; readonly change: EditListChange };

/** Removals of a missing object count as done. */
const DONE_WHEN_MISSING: ReadonlySet<EditKind> = new Set(['remove', 'dropCategory', 'unlink'] as const);

/** A failed undo is reported and dropped, as there is nothing to retry. A conflict waits for the user's decision. */
function handleRejectedUndo(edit: UndoEdit, error: unknown): Rejection {
  const conflicts = undoConflictsFromError(error);
  if (conflicts === undefined) return { outcome: 'failed', change: (edits) => withoutEdit(edits, edit.idempotencyKey) };
  return { outcome: 'conflict', change: (edits) => withEdit(edits, { ...edit, state: 'conflict', conflicts }) };
}

export function storeServerState(edit: ConflictEdit, current: Annotation | Relation | undefined, cache: QueueCache): void {
  if (current === undefined) return;
  if (isRelationEdit(edit)) cache.storeRelation(edit.documentIdentifier, current as Relation);
  else cache.storeAnnotation(edit.documentIdentifier, current as Annotation);
}

function conflictListChange(edit: ConflictEdit, current: Annotation | Relation, cache: QueueCache): EditListChange {
  storeServerState(edit, current, cache);
  if ('patch' in edit && isAlreadyApplied(current, edit.patch))
    return (edits) => rebased(withoutEdit(edits, edit.idempotencyKey), edit.id, edit.version, current.version);
  const key = newKey();
  ownKeys.add(key);
  return (edits) => mergeIntoConflictEdit(edits, edit, current, key);
}

/** Shows the server's state of a category, or that an annotation or relation was deleted. Returns the version where it is known. */
function showServerState(edit: LabellingEdit, error: unknown, status: number, cache: QueueCache): number | undefined {
  const { id, documentIdentifier: document } = edit;
  if (status === 404 && edit.kind === 'change') cache.dropAnnotation(document, id);
  if (status === 404 && edit.kind === 'changeLink') cache.dropRelation(document, id);
  if (edit.kind !== 'decideCategory' && edit.kind !== 'dropCategory') return undefined;
  const current = currentStateFromConflict<Category>(error);
  cache.storeCategory(document, current ?? edit.category);
  return current?.version;
}

export function handleRejectedEdit(edit: LabellingEdit, error: unknown, cache: QueueCache): Rejection {
  if (edit.kind === 'turn') return handleRejectedUndo(edit, error);
  if (isConflictable(edit)) {
    const current = currentStateFromConflict<Annotation | Relation>(error);
    if (current !== undefined) return { outcome: 'conflict', change: conflictListChange(edit, current, cache) };
  }
  const problem = problemOf(error);
  if (problem.status === 404 && DONE_WHEN_MISSING.has(edit.kind)) return { outcome: 'done' };
  const version = showServerState(edit, error, problem.status, cache) ?? edit.version;
  const change: EditListChange = (edits) =>
    edits.map((other) => (other.idempotencyKey === edit.idempotencyKey ? { ...other, version, state: 'failed', problem } : other));
  return { outcome: 'failed', change };
}
