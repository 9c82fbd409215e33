/** The displayed state: the state of the server with the unsaved edits on top. Pure; offsets are code points of the document. */
import type { Annotation, AnnotationPatch } from '@/api/resources/annotations';
import type { Relation } from '@/api/resources/relations';
import type { Span } from '@/annotation/model';
import { isRelationEdit, type EditKind, type EditOfKind, type EditState, type LabellingEdit } from './types';

export type SavedState = 'saved' | 'saving' | 'offline' | 'failed';

/** `offline`: the last request did not reach the server. */
export function savedState(edits: readonly LabellingEdit[], offline = false): SavedState {
  if (edits.some(({ state }) => state !== 'saving')) return 'failed';
  if (edits.length === 0) return 'saved';
  return offline ? 'offline' : 'saving';
}

export interface PendingAnnotations {
  readonly annotations: readonly Annotation[];
  /** By annotation id: the states of annotations with an unsaved edit. */
  readonly states: ReadonlyMap<string, EditState>;
}

function withAnnotationPatch(annotation: Annotation, patch: AnnotationPatch): Annotation {
  const { status, ...rest } = patch;
  return { ...annotation, ...rest, ...(status === undefined ? {} : { status }) };
}

type AnnotationKind = 'create' | 'change' | 'remove' | 'restore';
const ANNOTATION_KINDS: ReadonlySet<EditKind> = new Set<AnnotationKind>(['create', 'change', 'remove', 'restore']);
const isAnnotationEdit = (edit: LabellingEdit): edit is EditOfKind<AnnotationKind> => ANNOTATION_KINDS.has(edit.kind);

/** The annotations of the server, with the edits of the document on top. */
export function applyEdits(annotations: readonly Annotation[], edits: readonly LabellingEdit[]): PendingAnnotations {
  if (edits.length === 0) return { annotations, states: new Map() };
  const states = new Map<string, EditState>();
  const created = edits.flatMap((edit) => (edit.kind === 'create' ? [{ ...edit.body, identifier: edit.id, version: 0 }] : []));
  let shown: Annotation[] = [...annotations, ...created];
  const isShown = (id: string) => shown.some(({ identifier }) => identifier === id);
  for (const edit of edits) {
    if (!isAnnotationEdit(edit)) continue;
    if (edit.kind === 'change')
      shown = shown.map((annotation) => (annotation.identifier === edit.id ? withAnnotationPatch(annotation, edit.patch) : annotation));
    if (edit.kind === 'restore' && edit.annotation !== undefined && !isShown(edit.id)) shown = [...shown, edit.annotation];
    if (edit.kind === 'remove' && edit.state === 'saving') shown = shown.filter(({ identifier }) => identifier !== edit.id);
    else if (states.get(edit.id) !== 'failed') states.set(edit.id, edit.state);
  }
  return { annotations: shown, states };
}

/** Marks spans with unsaved edits as being saved or as not saved. */
export function markUnsavedSpans(spans: readonly Span[], states: ReadonlyMap<string, EditState>): readonly Span[] {
  if (states.size === 0) return spans;
  return spans.map((span) => {
    const state = states.get(span.id);
    return state === undefined ? span : { ...span, status: state === 'saving' ? ('saving' as const) : ('failed' as const) };
  });
}

export interface PendingRelations {
  readonly relations: readonly Relation[];
  /** By relation id: the states of relations with an unsaved edit. */
  readonly states: ReadonlyMap<string, EditState>;
}

const NONE: ReadonlyMap<string, EditState> = new Map();

/** The relations of the server, with the edits of the document on top. */
export function applyRelationEdits(relations: readonly Relation[], edits: readonly LabellingEdit[]): PendingRelations {
  const own = edits.filter(isRelationEdit);
  if (own.length === 0) return { relations, states: NONE };
  const states = new Map<string, EditState>();
  let shown: readonly Relation[] = relations;
  for (const edit of own) {
    if (edit.kind === 'link') shown = [...shown, { ...edit.body, identifier: edit.id, version: 0 }];
    if (edit.kind === 'changeLink') shown = shown.map((one) => (one.identifier === edit.id ? { ...one, ...edit.patch } : one));
    if (edit.kind === 'unlink' && edit.state === 'saving') shown = shown.filter(({ identifier }) => identifier !== edit.id);
    else if (states.get(edit.id) !== 'failed') states.set(edit.id, edit.state);
  }
  return { relations: shown, states };
}
