/**
 * Unsaved edits, separate from the state of the server: one type per kind, discriminated by `kind`. The browser stores them in this form
 * (outbox.ts), so names of fields and kinds must not change; `testing/stored-edits.json` has an example of each.
 */
import type { Annotation, AnnotationPatch } from '@/api/resources/annotations';
import type { NewAnnotation } from '@/text/server-annotation';
import type { Category, CreatedCategory, NewCategory } from '@/api/resources/categories';
import type { ConflictDecision, ProjectUndo, UndoConflict, UndoDirection, UndoResult } from '@/api/resources/history';
import type { NewRelation, Relation, RelationPatch } from '@/api/resources/relations';

/** `failed`: the server refused it; `conflict`: somebody else changed the object first (412). */
export type EditState = 'saving' | 'failed' | 'conflict';

/** Why the server refused the edit. */
export interface Problem {
  readonly status: number;
  readonly message: string;
  readonly fix?: string | undefined;
}

interface EditBase {
  /** Id of the annotation, category or relation; a local one until the server has assigned its own. */
  readonly id: string;
  readonly documentIdentifier: string;
  readonly state: EditState;
  /** One per edit, so that the server applies it once however often it is sent. */
  readonly idempotencyKey: string;
  /** Version the edit is based on, sent as `If-Match`. Updated by our own earlier edits only. */
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
  /** The annotation before its removal, shown until the server has responded. */
  readonly annotation?: Annotation | undefined;
}

export type CreateCategoryEdit = CreateEdit<'category', NewCategory>;

export interface DecideCategoryEdit extends EditBase {
  readonly kind: 'decideCategory';
  /** Shown again when the edit is refused. */
  readonly category: Category;
  readonly status: 'OK' | 'KO';
}

export interface DropCategoryEdit extends EditBase {
  readonly kind: 'dropCategory';
  /** Shown again when the edit is refused. */
  readonly category: Category;
}

export type CreateRelationEdit = CreateEdit<'link', NewRelation>;
export type ChangeRelationEdit = ChangeEdit<'changeLink', RelationPatch, Relation>;
export type RemoveRelationEdit = RemoveEdit<'unlink', Relation>;

export interface RestoreRelationEdit extends EditBase {
  readonly kind: 'restoreLink';
}

/** Undo and redo are queued as edits too: they keep their position among the others and survive the page. */
export interface UndoEdit extends EditBase {
  readonly kind: 'turn';
  readonly turning: UndoDirection;
  /** The operation to undo; undefined: the newest one when the edit is sent. */
  readonly act?: string | undefined;
  /** Any document of the project: the server names the operation, and it is stored here before it is undone. */
  readonly whole: boolean;
  readonly found?: ProjectUndo | undefined;
  readonly decision?: ConflictDecision | undefined;
  /** Conflicts the server reported (409); the user decides. */
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

/** Edits that can run into a conflict with a change by somebody else. */
export type ConflictEdit = ChangeAnnotationEdit | RemoveAnnotationEdit | ChangeRelationEdit | RemoveRelationEdit;

/** The newest operation of the project; undefined: there is none. */
export interface UndoTarget {
  readonly target: ProjectUndo | undefined;
}

/** The server's response to each kind; undefined where something was removed. */
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
/** Whether the server has not assigned an id yet. */
export const isLocal = (id: string) => id.startsWith(LOCAL);
