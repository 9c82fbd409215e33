/** Undo and redo as acts of the queue: they keep their place among the others, and outlive the page like them. */
import type { LabellingCache } from '@/api/labelling-cache';
import type { ConflictDecision, ProjectUndo, UndoConflict, UndoResult, UndoDirection } from '@/api/resources/history';
import { newKey } from '@/api/idempotency';
import { rebased, type Edit, type LabellingEdit } from './types';
import { withdrawOffer } from '@/labelling-sync/restore-offers';

export interface UndoEdit extends Edit {
  readonly kind: 'turn';
  readonly turning: UndoDirection;
  /** Which act; undefined: what comes next when its turn comes. */
  readonly act?: string | undefined;
  /** Of any document of the project: the server says which, then it is written down here before it is done. */
  readonly whole: boolean;
  readonly found?: ProjectUndo | undefined;
  readonly decision?: ConflictDecision | undefined;
  /** What stands against it (409); the person decides. */
  readonly conflicts?: readonly UndoConflict[] | undefined;
}

/** Where the newest act of the project is. */
export interface UndoTarget {
  readonly aim: ProjectUndo | undefined;
}

export const isUndoEdit = (edit: LabellingEdit): edit is UndoEdit => edit.kind === 'turn';

/** It must be known what is turned before it is: asked again after a lost answer, something else would come next. */
export const needsTarget = (edit: UndoEdit): boolean => edit.whole && edit.act === undefined;

/** `document` undefined: the newest act of the project. */
export function newUndoEdit(turning: UndoDirection, document: string | undefined, act?: string): UndoEdit {
  const key = newKey();
  const place = { documentIdentifier: document ?? '', whole: document === undefined };
  return { kind: 'turn', id: `turn-${key}`, turning, act, ...place, idempotencyKey: key, state: 'saving' };
}

const isProjectWide = (edit: LabellingEdit) => isUndoEdit(edit) && edit.whole;

/** What was done before an undo goes before it, what was done after it goes after it. */
export const blocksEdit = (earlier: LabellingEdit, later: LabellingEdit): boolean =>
  (isUndoEdit(earlier) || isUndoEdit(later)) &&
  (isProjectWide(earlier) || isProjectWide(later) || earlier.documentIdentifier === later.documentIdentifier);

type Cache = Pick<
  LabellingCache,
  'storeAnnotation' | 'dropAnnotation' | 'storeCategory' | 'dropCategory' | 'storeRelation' | 'dropRelation'
>;

/** Writes what a turn changed into what was read. */
export function applyUndoResult(cache: Cache, document: string, turned: UndoResult): void {
  for (const id of turned.removed ?? []) {
    withdrawOffer(id);
    cache.dropAnnotation(document, id);
    cache.dropCategory(document, id);
    cache.dropRelation(document, id);
  }
  for (const annotation of turned.annotations ?? []) cache.storeAnnotation(document, annotation);
  for (const relation of turned.relations ?? []) cache.storeRelation(document, relation);
  for (const { identifier } of [...(turned.annotations ?? []), ...(turned.relations ?? [])]) withdrawOffer(identifier);
  for (const category of turned.categories ?? []) cache.storeCategory(document, category);
}

/** Acts that wait behind the turn were made on what it has just changed. */
export function rebasedAfterUndo(edits: readonly LabellingEdit[], turned: UndoResult): readonly LabellingEdit[] {
  const made = [...(turned.annotations ?? []), ...(turned.relations ?? [])];
  return made.reduce((all, { identifier, version }) => rebased(all, identifier, version - 1, version), edits);
}

/** The person's word on a conflict: another request, so another key. */
export const withDecision = (edit: UndoEdit, decision: ConflictDecision): UndoEdit => ({
  ...edit,
  decision,
  conflicts: undefined,
  state: 'saving',
  idempotencyKey: newKey(),
});
