/**
 * Changes on their way to the server, kept apart from what the server said: shown at once, kept when they fail.
 * Pure; ranges count code points of the document, as on the wire.
 */
import type { Annotation, AnnotationPatch } from '@/api/resources/annotations';
import type { Category, NewCategory } from '@/api/resources/categories';
import type { Relation, RelationPatch } from '@/api/resources/relations';
import type { Span } from '@/annotation/model';
import type { NewApiAnnotation } from '@/annotation/document-serializer';
import {
  refersTo,
  isRelationEdit,
  waitsForEnd,
  withNamedEnd,
  type ChangeLinkEdit,
  type UnlinkOrRestoreEdit,
  type RelationEdit,
} from './relation-edits';
import { blocksEdit, type UndoEdit } from './undo-edits';

/** `failed`: the server refused it; `conflict`: somebody else changed it first (412). */
export type EditState = 'saving' | 'failed' | 'conflict';

/** Why the server refused. */
export interface Problem {
  readonly status: number;
  readonly message: string;
  readonly fix?: string | undefined;
}

export interface Edit {
  readonly id: string;
  readonly documentIdentifier: string;
  readonly state: EditState;
  /** One per act: however often it is sent, it is done once. */
  readonly idempotencyKey: string;
  /** Version the act was made on, kept in step with our own earlier acts only: it becomes `If-Match`. */
  readonly version?: number | undefined;
  readonly problem?: Problem | undefined;
}

export interface CreateEdit extends Edit {
  readonly kind: 'create';
  readonly body: NewApiAnnotation;
}

export interface ChangeEdit extends Edit {
  readonly kind: 'change';
  readonly patch: AnnotationPatch;
  /** What the other one left. */
  readonly current?: Annotation | undefined;
}

export interface RemoveEdit extends Edit {
  readonly kind: 'remove';
  readonly current?: Annotation | undefined;
}

export interface RestoreEdit extends Edit {
  readonly kind: 'restore';
  /** As it was, to be shown meanwhile. */
  readonly annotation?: Annotation | undefined;
}

export interface CreateCategoryEdit extends Edit {
  readonly kind: 'category';
  readonly body: NewCategory;
}

/** A category that is there is decided on or removed; `category` is put back when that is refused. */
export interface CategoryChangeEdit extends Edit {
  readonly kind: 'decideCategory' | 'dropCategory';
  readonly category: Category;
  readonly status?: 'OK' | 'KO';
}

export type LabellingEdit =
  CreateEdit | ChangeEdit | RemoveEdit | RestoreEdit | CreateCategoryEdit | CategoryChangeEdit | RelationEdit | UndoEdit;

export type SavedState = 'saved' | 'saving' | 'offline' | 'failed';

/** `away`: the server was not reached the last time. */
export function savedState(edits: readonly LabellingEdit[], away = false): SavedState {
  if (edits.some(({ state }) => state !== 'saving')) return 'failed';
  if (edits.length === 0) return 'saved';
  return away ? 'offline' : 'saving';
}

const LOCAL = 'local-';
export const localId = (key: string) => `${LOCAL}${key}`;
/** Not named by the server yet. */
export const isLocal = (id: string) => id.startsWith(LOCAL);

const isKey = (key: string) => (edit: LabellingEdit) => edit.idempotencyKey === key;

/** In the order of the acts; one that is known takes its new state. */
export function withEdit(edits: readonly LabellingEdit[], edit: LabellingEdit): readonly LabellingEdit[] {
  const at = edits.findIndex(isKey(edit.idempotencyKey));
  return at < 0 ? [...edits, edit] : edits.with(at, edit);
}

export function withoutEdit(edits: readonly LabellingEdit[], key: string): readonly LabellingEdit[] {
  return edits.filter((edit) => !isKey(key)(edit));
}

/** The server named the annotation: waiting changes follow it (S-026). */
export function withServerId(edits: readonly LabellingEdit[], from: string, to: string, version: number): readonly LabellingEdit[] {
  return edits.map((edit) => (edit.id === from && edit.kind !== 'create' ? { ...edit, id: to, version } : withNamedEnd(edit, from, to)));
}

/** Our own act made a new version: what was made on the old one stands on the new one. */
export function rebased(edits: readonly LabellingEdit[], id: string, from: number | undefined, to: number): readonly LabellingEdit[] {
  return edits.map((edit) => (edit.id === id && edit.version === from ? { ...edit, version: to } : edit));
}

/** Changes that somebody else's change may come before. */
export type ConflictEdit = ChangeEdit | RemoveEdit | ChangeLinkEdit | UnlinkOrRestoreEdit;

const CHANGES = { change: 'change', remove: 'remove' } as const;
const LINK_CHANGES = { change: 'changeLink', remove: 'unlink' } as const;

export const isConflictable = (edit: LabellingEdit): edit is ConflictEdit =>
  edit.kind === 'change' || edit.kind === 'remove' || edit.kind === 'changeLink' || edit.kind === 'unlink';

/** 412: what we wanted of this annotation or relation, all of it, becomes one act that waits for a decision. */
export function asConflict(
  edits: readonly LabellingEdit[],
  refused: ConflictEdit,
  current: Annotation | Relation,
  newKey: string,
): readonly LabellingEdit[] {
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
export function isAlreadyApplied(current: Annotation | Relation, patch: AnnotationPatch | RelationPatch): boolean {
  const now: Readonly<Record<string, unknown>> = { ...current };
  return Object.entries(patch).every(([name, wanted]) => JSON.stringify(now[name] ?? null) === JSON.stringify(wanted));
}

/** They make something new: the server names it. */
const CREATING: ReadonlySet<LabellingEdit['kind']> = new Set(['create', 'category', 'link'] as const);

/** The next act to send: the oldest whose annotation waits for nobody's decision, and that no undo stands before. */
export function nextEdit(edits: readonly LabellingEdit[]): LabellingEdit | undefined {
  const blocked = new Set<string>();
  const left: LabellingEdit[] = [];
  for (const edit of edits) {
    const mayGo = edit.state === 'saving' && !blocked.has(edit.id) && (!isLocal(edit.id) || CREATING.has(edit.kind)) && !waitsForEnd(edit);
    if (mayGo && !left.some((earlier) => blocksEdit(earlier, edit))) return edit;
    if (edit.state === 'saving') left.push(edit);
    if (edit.state === 'conflict' || (CREATING.has(edit.kind) && edit.state === 'failed')) blocked.add(edit.id);
  }
  return undefined;
}

/** An act given up; with a creation goes what was to follow it. */
export function withoutDiscarded(edits: readonly LabellingEdit[], edit: LabellingEdit): readonly LabellingEdit[] {
  const left = withoutEdit(edits, edit.idempotencyKey);
  return CREATING.has(edit.kind) ? left.filter((other) => other.id !== edit.id && !refersTo(other, edit.id)) : left;
}

export interface PendingAnnotations {
  readonly annotations: readonly Annotation[];
  /** Ids of annotations with an unfinished change. */
  readonly states: ReadonlyMap<string, EditState>;
}

function patched(annotation: Annotation, patch: AnnotationPatch): Annotation {
  const { status, ...rest } = patch;
  return { ...annotation, ...rest, ...(status === undefined ? {} : { status }) };
}

const ON_ANNOTATIONS: ReadonlySet<LabellingEdit['kind']> = new Set(['create', 'change', 'remove', 'restore'] as const);
const isOnAnnotation = (edit: LabellingEdit): edit is CreateEdit | ChangeEdit | RemoveEdit | RestoreEdit => ON_ANNOTATIONS.has(edit.kind);

/** What the server said, with the edits of the document on top. */
export function applyEdits(annotations: readonly Annotation[], edits: readonly LabellingEdit[]): PendingAnnotations {
  if (edits.length === 0) return { annotations, states: new Map() };
  const states = new Map<string, EditState>();
  const created = edits.flatMap((edit) => (edit.kind === 'create' ? [{ ...edit.body, identifier: edit.id, version: 0 }] : []));
  let shown: Annotation[] = [...annotations, ...created];
  const isShown = (id: string) => shown.some(({ identifier }) => identifier === id);
  for (const edit of edits) {
    if (!isOnAnnotation(edit)) continue;
    if (edit.kind === 'change')
      shown = shown.map((annotation) => (annotation.identifier === edit.id ? patched(annotation, edit.patch) : annotation));
    if (edit.kind === 'restore' && edit.annotation !== undefined && !isShown(edit.id)) shown = [...shown, edit.annotation];
    if (edit.kind === 'remove' && edit.state === 'saving') shown = shown.filter(({ identifier }) => identifier !== edit.id);
    else if (states.get(edit.id) !== 'failed') states.set(edit.id, edit.state);
  }
  return { annotations: shown, states };
}

/** Spans of unfinished changes are drawn as being saved or as not saved. */
export function markSpans(spans: readonly Span[], states: ReadonlyMap<string, EditState>): readonly Span[] {
  if (states.size === 0) return spans;
  return spans.map((span) => {
    const state = states.get(span.id);
    return state === undefined ? span : { ...span, status: state === 'saving' ? ('saving' as const) : ('failed' as const) };
  });
}
