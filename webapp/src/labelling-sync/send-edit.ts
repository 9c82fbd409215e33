/** Sends one edit with one API call. */
import { ApiError, serverMessage } from '@/api/errors';
import { createAnnotation, deleteAnnotation, patchAnnotation, restoreAnnotation } from '@/api/resources/annotations';
import { createCategory, deleteCategory, patchCategory } from '@/api/resources/categories';
import { projectHistoryState, undoOrRedo } from '@/api/resources/history';
import { createRelation, deleteRelation, patchRelation, restoreRelation } from '@/api/resources/relations';
import { QueueFullError } from '@/api/request-limiter';
import type { AnswerOfEditKind, EditAnswer, LabellingEdit, Problem, UndoEdit } from '@/labelling-sync/edits/types';
import { needsTarget } from '@/labelling-sync/edits/undo-edits';

export type SendEdit = (project: string, edit: LabellingEdit) => Promise<EditAnswer>;

async function sendUndo(project: string, edit: UndoEdit): Promise<AnswerOfEditKind<'turn'>> {
  const { turning, act, decision, documentIdentifier: document, idempotencyKey: key } = edit;
  if (needsTarget(edit)) return { target: (await projectHistoryState(project))[turning] };
  return undoOrRedo(project, document, turning, { ...(act !== undefined && { act }), ...(decision !== undefined && { decision }) }, key);
}

export const sendEdit: SendEdit = async (project, edit) => {
  const { id, version, idempotencyKey: key } = edit;
  switch (edit.kind) {
    case 'create':
      return createAnnotation(project, edit.body, key);
    case 'change':
      return patchAnnotation(project, id, edit.patch, version, key);
    case 'remove':
      await deleteAnnotation(project, id, version, key);
      return undefined;
    case 'restore':
      return restoreAnnotation(project, id, key);
    case 'category':
      return createCategory(project, edit.body, key);
    case 'decideCategory':
      return patchCategory(project, id, edit.status, version, key);
    case 'dropCategory':
      await deleteCategory(project, id, version, key);
      return undefined;
    case 'link':
      return createRelation(project, edit.body, key);
    case 'changeLink':
      return patchRelation(project, id, edit.patch, version, key);
    case 'unlink':
      await deleteRelation(project, id, version, key);
      return undefined;
    case 'restoreLink':
      return restoreRelation(project, id, key);
    case 'turn':
      return sendUndo(project, edit);
  }
};

/** No response, a server that starts or is busy, an expired session: the same edit may succeed later. */
const RETRYABLE_STATUSES = new Set([0, 401, 408, 425, 429, 502, 503, 504]);

export const isUnreachable = (error: unknown) =>
  error instanceof QueueFullError || (error instanceof ApiError && RETRYABLE_STATUSES.has(error.status));

export function problemOf(error: unknown): Problem {
  if (!(error instanceof ApiError)) return { status: 0, message: error instanceof Error ? error.message : String(error) };
  const fix = typeof error.body === 'object' ? error.body?.fix : undefined;
  return { status: error.status, message: serverMessage(error.body) || error.message, fix };
}
