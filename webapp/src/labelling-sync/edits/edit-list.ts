/** The list of unsaved edits, and how a response changes the other edits in it. Pure. */
import type { Annotation } from '@/api/resources/annotations';
import type { UndoResult } from '@/api/resources/history';
import type { NewRelation, Relation } from '@/api/resources/relations';
import { isCreation, refersToAnnotation } from './order';
import { isRelationEdit, type ConflictEdit, type LabellingEdit } from './types';

export type EditList = readonly LabellingEdit[];
export type EditListChange = (edits: EditList) => EditList;

const hasIdempotencyKey = (key: string) => (edit: LabellingEdit) => edit.idempotencyKey === key;

/** Appends the edit, or replaces the one with the same key. */
export function withEdit(edits: EditList, edit: LabellingEdit): EditList {
  const index = edits.findIndex(hasIdempotencyKey(edit.idempotencyKey));
  return index < 0 ? [...edits, edit] : edits.with(index, edit);
}

export function withoutEdit(edits: EditList, key: string): EditList {
  return edits.filter((edit) => !hasIdempotencyKey(key)(edit));
}

/** Removes a discarded edit; with a creation, also the edits that depend on it. */
export function withoutDiscarded(edits: EditList, edit: LabellingEdit): EditList {
  const left = withoutEdit(edits, edit.idempotencyKey);
  return isCreation(edit) ? left.filter((other) => other.id !== edit.id && !refersToAnnotation(other, edit.id)) : left;
}

function withRelationEndReplaced<T extends Partial<NewRelation>>(ends: T, from: string, to: string): T {
  return {
    ...ends,
    ...(ends.source === from && { source: to }),
    ...(ends.target === from && { target: to }),
  };
}

/** Replaces a local annotation id by the server's in relations that wait for it. */
function withServerIdOfEnd(edit: LabellingEdit, from: string, to: string): LabellingEdit {
  if (!refersToAnnotation(edit, from)) return edit;
  if (edit.kind === 'link') return { ...edit, body: withRelationEndReplaced(edit.body, from, to) };
  return edit.kind === 'changeLink' ? { ...edit, patch: withRelationEndReplaced(edit.patch, from, to) } : edit;
}

/** Replaces a local annotation id by the server's in waiting edits (S-026). */
export function withServerId(edits: EditList, from: string, to: string, version: number): EditList {
  return edits.map((edit) =>
    edit.id === from && edit.kind !== 'create' ? { ...edit, id: to, version } : withServerIdOfEnd(edit, from, to),
  );
}

/** Our own edit made a new version: edits based on the old version move to the new one. */
export function rebased(edits: EditList, id: string, from: number | undefined, to: number): EditList {
  return edits.map((edit) => (edit.id === id && edit.version === from ? { ...edit, version: to } : edit));
}

/** Edits that wait behind the undo are based on what it has just changed. */
export function rebasedAfterUndo(edits: EditList, result: UndoResult): EditList {
  const made = [...(result.annotations ?? []), ...(result.relations ?? [])];
  return made.reduce((all, { identifier, version }) => rebased(all, identifier, version - 1, version), edits);
}

const CHANGES = { change: 'change', remove: 'remove' } as const;
const LINK_CHANGES = { change: 'changeLink', remove: 'unlink' } as const;

/** After a 412: all our edits of this annotation or relation become one edit that waits for the user's decision. */
export function mergeIntoConflictEdit(edits: EditList, refused: ConflictEdit, current: Annotation | Relation, newKey: string): EditList {
  const kinds = isRelationEdit(refused) ? LINK_CHANGES : CHANGES;
  const ours = edits.filter(({ id, kind }) => id === refused.id && (kind === kinds.change || kind === kinds.remove));
  const { id, documentIdentifier } = refused;
  const base = { id, documentIdentifier, state: 'conflict', idempotencyKey: newKey, version: current.version, current } as const;
  const patch: unknown = Object.assign({}, ...ours.map((edit) => ('patch' in edit ? edit.patch : {})));
  const removed = ours.some(({ kind }) => kind === kinds.remove);
  const whole = (removed ? { ...base, kind: kinds.remove } : { ...base, kind: kinds.change, patch }) as LabellingEdit;
  return edits.flatMap((edit) => (edit.idempotencyKey === refused.idempotencyKey ? [whole] : ours.includes(edit) ? [] : [edit]));
}

/** Whether the annotation or relation already has the requested values, so that there is nothing to decide. */
export function isAlreadyApplied(current: Annotation | Relation, patch: object): boolean {
  const now: Readonly<Record<string, unknown>> = { ...current };
  return Object.entries(patch).every(([name, value]) => JSON.stringify(now[name] ?? null) === JSON.stringify(value));
}
