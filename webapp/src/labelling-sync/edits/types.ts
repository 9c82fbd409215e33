/**
 * Edits on their way to the server, kept apart from what the server said: one type for each kind, told apart by `kind`.
 * The browser stores them as they are here (outbox.ts): names of fields and kinds stay, `testing/stored-edits.json` holds them.
 */
import type { Annotation, AnnotationPatch } from '@/api/resources/annotations';
import type { NewAnnotation } from '@/text/server-annotation';
import type { Category, CreatedCategory, NewCategory } from '@/api/resources/categories';
import type { ConflictDecision, ProjectUndo, UndoConflict, UndoDirection, UndoResult } from '@/api/resources/history';
import type { NewRelation, Relation, RelationPatch } from '@/api/resources/relations';

/** `failed`: the server refused it; `conflict`: somebody else changed it first (412). */
export type EditState = 'saving' | 'failed' | 'conflict';

/** Why the server refused. */
export interface Problem {
  readonly status: number;
  readonly message: string;
  readonly fix?: string | undefined;
}

interface EditBase {
  /** Of the annotation, category or relation; a local one until the server has named it. */
  readonly id: string;
  readonly documentIdentifier: string;
  readonly state: EditState;
  /** One per edit: however often it is sent, it is done once. */
  readonly idempotencyKey: string;
  /** Version the edit was made on, kept in step with our own earlier edits only: it becomes `If-Match`. */
  readonly version?: number | undefined;
  readonly problem?: Problem | undefined;
}

interface CreateEdit<Kind, Body> extends EditBase {
  readonly kind: Kind;
  readonly body: Body;
}

interface ChangeEdit<Kind, Patch, Changed> extends EditBase {
  readonly kind: Kind;
  readonly patch: Patch;
  /** In a conflict: what the other person left. */
  readonly current?: Changed | undefined;
}

interface RemoveEdit<Kind, Removed> extends EditBase {
  readonly kind: Kind;
  readonly current?: Removed | undefined;
}

export type CreateAnnotationEdit = CreateEdit<'create', NewAnnotation>;
export type ChangeAnnotationEdit = ChangeEdit<'change', AnnotationPatch, Annotation>;
export type RemoveAnnotationEdit = RemoveEdit<'remove', Annotation>;

export interface RestoreAnnotationEdit extends EditBase {
  readonly kind: 'restore';
  /** As it was, to be shown meanwhile. */
  readonly annotation?: Annotation | undefined;
}

export type CreateCategoryEdit = CreateEdit<'category', NewCategory>;

export interface DecideCategoryEdit extends EditBase {
  readonly kind: 'decideCategory';
  /** Put back when that is refused. */
  readonly category: Category;
  readonly status: 'OK' | 'KO';
}

export interface DropCategoryEdit extends EditBase {
  readonly kind: 'dropCategory';
  /** Put back when that is refused. */
  readonly category: Category;
}

export type CreateRelationEdit = CreateEdit<'link', NewRelation>;
export type ChangeRelationEdit = ChangeEdit<'changeLink', RelationPatch, Relation>;
export type RemoveRelationEdit = RemoveEdit<'unlink', Relation>;

export interface RestoreRelationEdit extends EditBase {
  readonly kind: 'restoreLink';
}

/** Undo and redo are edits too: they keep their place among the others, and outlive the page like them. */
export interface UndoEdit extends EditBase {
  readonly kind: 'turn';
  readonly turning: UndoDirection;
  /** Which operation; undefined: what comes next when its turn comes. */
  readonly act?: string | undefined;
  /** Of any document of the project: the server says which, then it is written down here before it is done. */
  readonly whole: boolean;
  readonly found?: ProjectUndo | undefined;
  readonly decision?: ConflictDecision | undefined;
  /** What stands against it (409); the person decides. */
  readonly conflicts?: readonly UndoConflict[] | undefined;
}

export type RelationEdit = CreateRelationEdit | ChangeRelationEdit | RemoveRelationEdit | RestoreRelationEdit;
export type LabellingEdit =
  | CreateAnnotationEdit
  | ChangeAnnotationEdit
  | RemoveAnnotationEdit
  | RestoreAnnotationEdit
  | CreateCategoryEdit
  | DecideCategoryEdit
  | DropCategoryEdit
  | RelationEdit
  | UndoEdit;

export type EditKind = LabellingEdit['kind'];
export type EditOfKind<Kind extends EditKind> = Extract<LabellingEdit, { readonly kind: Kind }>;

/** Edits that somebody else's change may come before. */
export type ConflictEdit = ChangeAnnotationEdit | RemoveAnnotationEdit | ChangeRelationEdit | RemoveRelationEdit;

/** Where the newest operation of the project is; undefined: there is none. */
export interface UndoTarget {
  readonly target: ProjectUndo | undefined;
}

/** What the server answers to each kind; undefined where something was removed. */
interface Answers {
  readonly create: Annotation;
  readonly change: Annotation;
  readonly remove: undefined;
  readonly restore: Annotation;
  readonly category: CreatedCategory;
  readonly decideCategory: CreatedCategory;
  readonly dropCategory: undefined;
  readonly link: Relation;
  readonly changeLink: Relation;
  readonly unlink: undefined;
  readonly restoreLink: Relation;
  readonly turn: UndoResult | UndoTarget;
}

export type AnswerOfEditKind<Kind extends EditKind> = Answers[Kind];
export type EditAnswer = AnswerOfEditKind<EditKind>;

const RELATION_KINDS: ReadonlySet<EditKind> = new Set<RelationEdit['kind']>(['link', 'changeLink', 'unlink', 'restoreLink']);
const CONFLICT_KINDS: ReadonlySet<EditKind> = new Set<ConflictEdit['kind']>(['change', 'remove', 'changeLink', 'unlink']);

export const isRelationEdit = (edit: LabellingEdit): edit is RelationEdit => RELATION_KINDS.has(edit.kind);
export const isConflictable = (edit: LabellingEdit): edit is ConflictEdit => CONFLICT_KINDS.has(edit.kind);
export const isUndoEdit = (edit: LabellingEdit): edit is UndoEdit => edit.kind === 'turn';
export const isUndoTarget = (answer: UndoResult | UndoTarget): answer is UndoTarget => 'target' in answer;

const LOCAL = 'local-';
export const localId = (key: string) => `${LOCAL}${key}`;
/** Not named by the server yet. */
export const isLocal = (id: string) => id.startsWith(LOCAL);
