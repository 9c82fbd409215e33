/** Undo and redo as edits of the queue: made, given their target, decided on. */
import { newKey } from '@/api/idempotency';
import type { ConflictDecision, ProjectUndo, UndoDirection } from '@/api/resources/history';
import type { UndoEdit } from './types';

/** It must be known what is undone before it is: asked again after a lost answer, something else would come next. */
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

/** The person's decision on a conflict: another request, so another key. */
export const withDecision = (edit: UndoEdit, decision: ConflictDecision): UndoEdit => ({
  ...edit,
  decision,
  conflicts: undefined,
  state: 'saving',
  idempotencyKey: newKey(),
});
