/** The list of unfinished edits, and what an answer makes of the others in it. Pure. */
import type { Annotation } from '@/api/resources/annotations';
import type { UndoResult } from '@/api/resources/history';
import type { NewRelation, Relation } from '@/api/resources/relations';
import { isCreation, refersToAnnotation } from './order';
import { isRelationEdit, type ConflictEdit, type LabellingEdit } from './types';

export type EditList = readonly LabellingEdit[];
export type EditListChange = (edits: EditList) => EditList;

const hasIdempotencyKey = (key: string) => (edit: LabellingEdit) => edit.idempotencyKey === key;

/** In the order they were made; one that is known takes its new state. */
export function withEdit(edits: EditList, edit: LabellingEdit): EditList {
  const index = edits.findIndex(hasIdempotencyKey(edit.idempotencyKey));
  return index < 0 ? [...edits, edit] : edits.with(index, edit);
}

export function withoutEdit(edits: EditList, key: string): EditList {
  return edits.filter((edit) => !hasIdempotencyKey(key)(edit));
}

/** An edit given up; with a creation goes what was to follow it. */
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

/** The server named an annotation: relations that wait for it follow. */
function withServerIdOfEnd(edit: LabellingEdit, from: string, to: string): LabellingEdit {
  if (!refersToAnnotation(edit, from)) return edit;
  if (edit.kind === 'link') return { ...edit, body: withRelationEndReplaced(edit.body, from, to) };
  return edit.kind === 'changeLink' ? { ...edit, patch: withRelationEndReplaced(edit.patch, from, to) } : edit;
}

/** The server named the annotation: waiting changes follow it (S-026). */
export function withServerId(edits: EditList, from: string, to: string, version: number): EditList {
  return edits.map((edit) =>
    edit.id === from && edit.kind !== 'create' ? { ...edit, id: to, version } : withServerIdOfEnd(edit, from, to),
  );
}

/** Our own edit made a new version: what was made on the old one stands on the new one. */
export function rebased(edits: EditList, id: string, from: number | undefined, to: number): EditList {
  return edits.map((edit) => (edit.id === id && edit.version === from ? { ...edit, version: to } : edit));
}

/** Edits that wait behind the undo were made on what it has just changed. */
export function rebasedAfterUndo(edits: EditList, result: UndoResult): EditList {
  const made = [...(result.annotations ?? []), ...(result.relations ?? [])];
  return made.reduce((all, { identifier, version }) => rebased(all, identifier, version - 1, version), edits);
}

const CHANGES = { change: 'change', remove: 'remove' } as const;
const LINK_CHANGES = { change: 'changeLink', remove: 'unlink' } as const;

/** 412: what we wanted of this annotation or relation, all of it, becomes one edit that waits for a decision. */
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

/** Whether the annotation or relation is already what the change asks for: nothing to decide. */
export function isAlreadyApplied(current: Annotation | Relation, patch: object): boolean {
  const now: Readonly<Record<string, unknown>> = { ...current };
  return Object.entries(patch).every(([name, value]) => JSON.stringify(now[name] ?? null) === JSON.stringify(value));
}
