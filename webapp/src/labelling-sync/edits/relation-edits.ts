/** Unfinished acts on relations: pure, like edits.ts, whose queue they travel in. */
import type { NewRelation, Relation, RelationPatch } from '@/api/resources/relations';
import { isLocal, type Edit, type EditState, type LabellingEdit } from './types';

export interface LinkEdit extends Edit {
  readonly kind: 'link';
  readonly body: NewRelation;
}

export interface ChangeLinkEdit extends Edit {
  readonly kind: 'changeLink';
  readonly patch: RelationPatch;
  /** What the other one left. */
  readonly current?: Relation | undefined;
}

/** Taken away, or brought back after that. */
export interface UnlinkOrRestoreEdit extends Edit {
  readonly kind: 'unlink' | 'restoreLink';
  readonly current?: Relation | undefined;
}

export type RelationEdit = LinkEdit | ChangeLinkEdit | UnlinkOrRestoreEdit;

const KINDS: ReadonlySet<string> = new Set<RelationEdit['kind']>(['link', 'changeLink', 'unlink', 'restoreLink']);

export const isRelationEdit = (edit: LabellingEdit): edit is RelationEdit => KINDS.has(edit.kind);

const endsOf = (edit: LabellingEdit): readonly (string | undefined)[] => {
  if (edit.kind === 'link') return [edit.body.source, edit.body.target];
  return edit.kind === 'changeLink' ? [edit.patch.source, edit.patch.target] : [];
};

/** An end that the server has not named yet: the relation goes after it. */
export const waitsForEnd = (edit: LabellingEdit): boolean => endsOf(edit).some((end) => end !== undefined && isLocal(end));

export const refersTo = (edit: LabellingEdit, annotation: string): boolean => endsOf(edit).includes(annotation);

function withEndReplaced<T extends Partial<NewRelation>>(ends: T, from: string, to: string): T {
  return {
    ...ends,
    ...(ends.source === from && { source: to }),
    ...(ends.target === from && { target: to }),
  };
}

/** The server named an annotation: relations that wait for it follow. */
export function withNamedEnd<T extends LabellingEdit>(edit: T, from: string, to: string): T {
  if (!refersTo(edit, from)) return edit;
  if (edit.kind === 'link') return { ...edit, body: withEndReplaced(edit.body, from, to) };
  return edit.kind === 'changeLink' ? { ...edit, patch: withEndReplaced(edit.patch, from, to) } : edit;
}

export interface PendingRelations {
  readonly relations: readonly Relation[];
  /** Ids of relations with an unfinished change. */
  readonly states: ReadonlyMap<string, EditState>;
}

const NONE: ReadonlyMap<string, EditState> = new Map();

/** What the server said, with the acts of the document on top. */
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
