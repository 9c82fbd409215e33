/** Undo and redo as acts of the queue: they keep their place among the others, and outlive the page like them. */
import type { LabellingCache } from '@/api/labelling-cache';
import type { Decision, ProjectTurn, TurnConflict, Turned, Turning } from '@/api/resources/history';
import { newKey } from '@/api/idempotency';
import { rebased, type Edit, type LabellingEdit } from './edits';
import { withdrawOffer } from './restore-offers';

export interface TurnEdit extends Edit {
  readonly kind: 'turn';
  readonly turning: Turning;
  /** Which act; undefined: what comes next when its turn comes. */
  readonly act?: string | undefined;
  /** Of any document of the project: the server says which, then it is written down here before it is done. */
  readonly whole: boolean;
  readonly found?: ProjectTurn | undefined;
  readonly decision?: Decision | undefined;
  /** What stands against it (409); the person decides. */
  readonly conflicts?: readonly TurnConflict[] | undefined;
}

/** Where the newest act of the project is. */
export interface Aim {
  readonly aim: ProjectTurn | undefined;
}

export const isTurn = (edit: LabellingEdit): edit is TurnEdit => edit.kind === 'turn';

/** It must be known what is turned before it is: asked again after a lost answer, something else would come next. */
export const needsAim = (edit: TurnEdit): boolean => edit.whole && edit.act === undefined;

/** `document` undefined: the newest act of the project. */
export function turnEdit(turning: Turning, document: string | undefined, act?: string): TurnEdit {
  const key = newKey();
  const place = { documentIdentifier: document ?? '', whole: document === undefined };
  return { kind: 'turn', id: `turn-${key}`, turning, act, ...place, idempotencyKey: key, state: 'saving' };
}

const isAnywhere = (edit: LabellingEdit) => isTurn(edit) && edit.whole;

/** What was done before an undo goes before it, what was done after it goes after it. */
export const holdsUp = (earlier: LabellingEdit, later: LabellingEdit): boolean =>
  (isTurn(earlier) || isTurn(later)) &&
  (isAnywhere(earlier) || isAnywhere(later) || earlier.documentIdentifier === later.documentIdentifier);

type Cache = Pick<
  LabellingCache,
  'storeAnnotation' | 'dropAnnotation' | 'storeCategory' | 'dropCategory' | 'storeRelation' | 'dropRelation'
>;

/** Writes what a turn changed into what was read. */
export function applyTurned(cache: Cache, document: string, turned: Turned): void {
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
export function afterTurn(edits: readonly LabellingEdit[], turned: Turned): readonly LabellingEdit[] {
  const made = [...(turned.annotations ?? []), ...(turned.relations ?? [])];
  return made.reduce((all, { identifier, version }) => rebased(all, identifier, version - 1, version), edits);
}

/** The person's word on a conflict: another request, so another key. */
export const decided = (edit: TurnEdit, decision: Decision): TurnEdit => ({
  ...edit,
  decision,
  conflicts: undefined,
  state: 'saving',
  idempotencyKey: newKey(),
});
