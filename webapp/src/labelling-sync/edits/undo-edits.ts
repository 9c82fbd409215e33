/** Creates undo and redo edits and adds their target or the user's decision. */
import { newKey } from '@/api/idempotency';
import type { ConflictDecision, ProjectUndo, UndoDirection } from '@/api/resources/history';
import type { UndoEdit } from './types';

/** The target must be stored before the undo: after a lost response, a second request would undo another operation. */
export const needsTarget = (edit: UndoEdit): boolean => edit.whole && edit.act === undefined;

/** `document` undefined: the newest operation of the project. */
export function newUndoEdit(direction: UndoDirection, document: string | undefined, operation?: string): UndoEdit {
  const key = newKey();
  const range = { documentIdentifier: document ?? '', whole: document === undefined };
  return { kind: 'turn', id: `turn-${key}`, turning: direction, act: operation, ...range, idempotencyKey: key, state: 'saving' };
}

export const withTarget = (edit: UndoEdit, found: ProjectUndo): UndoEdit => ({
  ...edit,
  found,
  act: found.act,
  documentIdentifier: found.documentIdentifier,
});

/** A decision makes another request, so it needs a new key. */
export const withDecision = (edit: UndoEdit, decision: ConflictDecision): UndoEdit => ({
  ...edit,
  decision,
  conflicts: undefined,
  state: 'saving',
  idempotencyKey: newKey(),
});
