/** Applies a server response: updates the cached document, and returns how the edits still queued behind this one change. */
import type { LabellingCache } from '@/api/labelling-cache';
import type { Annotation } from '@/api/resources/annotations';
import type { Relation } from '@/api/resources/relations';
import { rebased, rebasedAfterUndo, withServerId, type EditListChange } from '@/labelling-sync/edits/edit-list';
import {
  isUndoTarget,
  type AnswerOfEditKind,
  type EditAnswer,
  type EditKind,
  type EditOfKind,
  type LabellingEdit,
} from '@/labelling-sync/edits/types';
import { applyUndoResult } from './undo-result';

/** The part of the labelling cache that the queue reads and writes. */
export type QueueCache = Pick<
  LabellingCache,
  | 'storeAnnotation'
  | 'dropAnnotation'
  | 'findAnnotation'
  | 'storeCategory'
  | 'dropCategory'
  | 'storeRelation'
  | 'dropRelation'
  | 'findRelation'
>;

type ApplyAnswer<Kind extends EditKind> = (edit: EditOfKind<Kind>, answer: AnswerOfEditKind<Kind>, cache: QueueCache) => EditListChange;

const unchanged: EditListChange = (edits) => edits;

/** A removal counts as a new version, so a later version by somebody else is not dropped from the cache. */
const versionAfterRemoval = ({ version }: LabellingEdit) => (version === undefined ? undefined : version + 1);

function applyAnnotationAnswer(edit: EditOfKind<'change' | 'restore'>, answer: Annotation, cache: QueueCache): EditListChange {
  cache.storeAnnotation(edit.documentIdentifier, answer);
  return (edits) => rebased(edits, edit.id, edit.version, answer.version);
}

function applyRelationAnswer(edit: EditOfKind<'changeLink' | 'restoreLink'>, answer: Relation, cache: QueueCache): EditListChange {
  cache.storeRelation(edit.documentIdentifier, answer);
  return (edits) => rebased(edits, edit.id, edit.version, answer.version);
}

const APPLY_ANSWER_BY_KIND: { readonly [Kind in EditKind]: ApplyAnswer<Kind> } = {
  create: ({ id, documentIdentifier, body }, answer, cache) => {
    cache.storeAnnotation(documentIdentifier, { ...body, ...answer });
    return (edits) => withServerId(edits, id, answer.identifier, answer.version);
  },
  change: applyAnnotationAnswer,
  restore: applyAnnotationAnswer,
  remove: (edit, _, cache) => {
    cache.dropAnnotation(edit.documentIdentifier, edit.id, versionAfterRemoval(edit));
    return (edits) => edits.map((other) => (other.id === edit.id && other.kind === 'restore' ? { ...other, version: undefined } : other));
  },
  category: ({ documentIdentifier, body }, { replaced, ...category }, cache) => {
    cache.storeCategory(documentIdentifier, { ...body, ...category }, replaced);
    return unchanged;
  },
  decideCategory: ({ documentIdentifier }, { replaced, ...category }, cache) => {
    cache.storeCategory(documentIdentifier, category, replaced);
    return unchanged;
  },
  dropCategory: ({ documentIdentifier, id }, _, cache) => {
    cache.dropCategory(documentIdentifier, id);
    return unchanged;
  },
  link: ({ id, documentIdentifier, body }, answer, cache) => {
    cache.storeRelation(documentIdentifier, { ...body, ...answer });
    return (edits) => withServerId(edits, id, answer.identifier, answer.version);
  },
  changeLink: applyRelationAnswer,
  restoreLink: applyRelationAnswer,
  unlink: (edit, _, cache) => {
    cache.dropRelation(edit.documentIdentifier, edit.id, versionAfterRemoval(edit));
    return unchanged;
  },
  turn: ({ documentIdentifier }, answer, cache) => {
    if (isUndoTarget(answer)) return unchanged;
    applyUndoResult(cache, documentIdentifier, answer);
    return (edits) => rebasedAfterUndo(edits, answer);
  },
};

/** `answer` must be the response type of the edit's kind. */
export function applyEditAnswer(edit: LabellingEdit, answer: EditAnswer, cache: QueueCache): EditListChange {
  const settle = APPLY_ANSWER_BY_KIND[edit.kind] as (edit: LabellingEdit, answer: EditAnswer, cache: QueueCache) => EditListChange;
  return settle(edit, answer, cache);
}
