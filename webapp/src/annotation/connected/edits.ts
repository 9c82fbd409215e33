/**
 * Changes on their way to the server, kept apart from what the server said: shown at once, kept when they fail.
 * Pure; ranges count code points of the document, as on the wire.
 */
import type { Annotation, AnnotationPatch } from '@/api/resources/annotations';
import type { NewCategory } from '@/api/resources/categories';
import type { Span } from '../model';
import type { NewApiAnnotation } from '../wire';

/** `conflict`: somebody else changed it first (412). */
export type EditState = 'saving' | 'failed' | 'conflict';

interface Edit {
  readonly id: string;
  readonly documentIdentifier: string;
  readonly state: EditState;
}

export interface CreateEdit extends Edit {
  readonly kind: 'create';
  readonly body: NewApiAnnotation;
  /** Sent again unchanged: a lost answer creates nothing twice. */
  readonly idempotencyKey: string;
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

export interface CategoryEdit extends Edit {
  readonly kind: 'category';
  readonly body: NewCategory;
  readonly idempotencyKey: string;
}

export type LabellingEdit = CreateEdit | ChangeEdit | RemoveEdit | CategoryEdit;

export type SavedState = 'saved' | 'saving' | 'failed';

export function savedState(edits: readonly LabellingEdit[]): SavedState {
  if (edits.some(({ state }) => state !== 'saving')) return 'failed';
  return edits.length > 0 ? 'saving' : 'saved';
}

/** One change per annotation waits at a time: a later one takes over what the earlier one wanted. */
export function withEdit(edits: readonly LabellingEdit[], edit: LabellingEdit): readonly LabellingEdit[] {
  const same = (other: LabellingEdit) => other.id === edit.id && other.kind === edit.kind;
  const earlier = edits.find(same);
  const merged = edit.kind === 'change' && earlier?.kind === 'change' ? { ...edit, patch: { ...earlier.patch, ...edit.patch } } : edit;
  return earlier === undefined ? [...edits, merged] : edits.map((other) => (same(other) ? merged : other));
}

export function withoutEdit(edits: readonly LabellingEdit[], id: string, kind: LabellingEdit['kind']): readonly LabellingEdit[] {
  return edits.filter((edit) => edit.id !== id || edit.kind !== kind);
}

/** The server named the annotation: waiting changes follow it (S-026). */
export function renamed(edits: readonly LabellingEdit[], from: string, to: string): readonly LabellingEdit[] {
  return edits.map((edit) => (edit.id === from && edit.kind !== 'create' ? { ...edit, id: to } : edit));
}

export interface Pending {
  readonly annotations: readonly Annotation[];
  /** Ids of annotations with an unfinished change. */
  readonly states: ReadonlyMap<string, EditState>;
}

function patched(annotation: Annotation, patch: AnnotationPatch): Annotation {
  const { status, ...rest } = patch;
  return { ...annotation, ...rest, ...(status === undefined ? {} : { status }) };
}

/** What the server said, with the edits of the document on top. */
export function applyEdits(annotations: readonly Annotation[], edits: readonly LabellingEdit[]): Pending {
  if (edits.length === 0) return { annotations, states: new Map() };
  const states = new Map<string, EditState>();
  const created = edits.flatMap((edit) => (edit.kind === 'create' ? [{ ...edit.body, identifier: edit.id, version: 0 }] : []));
  let shown: Annotation[] = [...annotations, ...created];
  for (const edit of edits) {
    if (edit.kind === 'category') continue;
    if (edit.kind === 'change')
      shown = shown.map((annotation) => (annotation.identifier === edit.id ? patched(annotation, edit.patch) : annotation));
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
