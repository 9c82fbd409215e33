/** What an answer of the server changes: the cached document now, the edits that wait behind this one by the function returned. */
import type { LabellingCache } from '@/api/labelling-cache';
import type { Annotation } from '@/api/resources/annotations';
import type { Relation } from '@/api/resources/relations';
import { rebased, rebasedAfterUndo, withServerId, type EditListChange } from './edits/edit-list';
import { isUndoTarget, type AnswerOf, type EditAnswer, type EditKind, type EditOf, type LabellingEdit } from './edits/types';
import { applyUndoResult } from './undo-result';

/** What the queue reads and writes of what is shown. */
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

type Settle<Kind extends EditKind> = (edit: EditOf<Kind>, answer: AnswerOf<Kind>, cache: QueueCache) => EditListChange;

const unchanged: EditListChange = (edits) => edits;

/** A removal makes a version: a later one of somebody else stays. */
const removedVersion = ({ version }: LabellingEdit) => (version === undefined ? undefined : version + 1);

function settleChange(edit: EditOf<'change' | 'restore'>, answer: Annotation, cache: QueueCache): EditListChange {
  cache.storeAnnotation(edit.documentIdentifier, answer);
  return (edits) => rebased(edits, edit.id, edit.version, answer.version);
}

function settleChangedRelation(edit: EditOf<'changeLink' | 'restoreLink'>, answer: Relation, cache: QueueCache): EditListChange {
  cache.storeRelation(edit.documentIdentifier, answer);
  return (edits) => rebased(edits, edit.id, edit.version, answer.version);
}

const SETTLE: { readonly [Kind in EditKind]: Settle<Kind> } = {
  create: ({ id, documentIdentifier, body }, answer, cache) => {
    cache.storeAnnotation(documentIdentifier, { ...body, ...answer });
    return (edits) => withServerId(edits, id, answer.identifier, answer.version);
  },
  change: settleChange,
  restore: settleChange,
  remove: (edit, _, cache) => {
    cache.dropAnnotation(edit.documentIdentifier, edit.id, removedVersion(edit));
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
  changeLink: settleChangedRelation,
  restoreLink: settleChangedRelation,
  unlink: (edit, _, cache) => {
    cache.dropRelation(edit.documentIdentifier, edit.id, removedVersion(edit));
    return unchanged;
  },
  turn: ({ documentIdentifier }, answer, cache) => {
    if (isUndoTarget(answer)) return unchanged;
    applyUndoResult(cache, documentIdentifier, answer);
    return (edits) => rebasedAfterUndo(edits, answer);
  },
};

/** `answer` is the one of the edit's kind. */
export function settleEdit(edit: LabellingEdit, answer: EditAnswer, cache: QueueCache): EditListChange {
  const settle = SETTLE[edit.kind] as (edit: LabellingEdit, answer: EditAnswer, cache: QueueCache) => EditListChange;
  return settle(edit, answer, cache);
}
