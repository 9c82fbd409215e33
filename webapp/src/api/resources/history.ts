/** History of a document: changes with their authors, undo, redo, restore. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, client, type Schemas } from '@/api/client';
import { ApiError } from '@/api/errors';
import type { Annotation } from './annotations';
import type { Category } from './categories';
import type { Relation } from './relations';

/** Changed fields of an annotation or a category; other fields for documents. Offsets are code points. */
export interface HistoryFields {
  readonly labelName?: string;
  readonly start?: number;
  readonly end?: number;
  readonly text?: string;
  readonly status?: string;
  readonly [name: string]: unknown;
}

export interface HistoryEntry extends Omit<Schemas['HistoryEntry'], 'before' | 'after'> {
  readonly before?: HistoryFields;
  readonly after?: HistoryFields;
}

export interface NextHistoryOperation {
  readonly act: string;
  readonly count: number;
  readonly entry: HistoryEntry;
}

export interface HistoryState {
  readonly undo?: NextHistoryOperation;
  readonly redo?: NextHistoryOperation;
}

export interface HistoryPage extends HistoryState {
  readonly entries: readonly HistoryEntry[];
  readonly next?: string;
  readonly people?: readonly { readonly createdBy: string; readonly count: number }[];
}

export interface UndoResult extends HistoryState {
  readonly act: string;
  readonly changed: number;
  readonly kept?: number;
  readonly annotations?: readonly Annotation[];
  readonly categories?: readonly Category[];
  readonly relations?: readonly Relation[];
  readonly removed?: readonly string[];
  /** Suggestions that were added to the list again, or removed from it. */
  readonly suggestions?: readonly string[];
}

/** A conflict of an undo or redo (409): the entry to undo, the later change, the present state. */
export interface UndoConflict {
  readonly message: string;
  /** Overwriting is not possible, for example because the label was deleted. */
  readonly firm: boolean;
  readonly entry: HistoryEntry;
  readonly later?: HistoryEntry;
  readonly other?: HistoryFields;
  readonly current?: HistoryFields;
}

export type UndoDirection = 'undo' | 'redo';
export type ConflictDecision = 'mine' | 'theirs';

export const historyKeys = {
  all: ['history'] as const,
  of: (project: string, identifier: string) => [...historyKeys.all, project, identifier] as const,
};

const FIRST_PAGE = 50;
const documentPathParams = (projectName: string, docId: string) => ({ path: { projectName, docId } });

export const historyStateQuery = (project: string, identifier: string, enabled: boolean) =>
  queryOptions({
    queryKey: [...historyKeys.of(project, identifier), 'state'],
    queryFn: async () =>
      (await call(
        client.GET('/projects/{projectName}/documents/{docId}/_history/_state', { params: documentPathParams(project, identifier) }),
      )) as unknown as HistoryState,
    enabled,
    meta: { silent: true },
  });

/** The newest operation of the project, with its document. */
export interface ProjectUndo extends NextHistoryOperation {
  readonly documentIdentifier: string;
}

export type ProjectHistoryState = Readonly<Partial<Record<UndoDirection, ProjectUndo>>>;

export async function projectHistoryState(projectName: string): Promise<ProjectHistoryState> {
  const answer = await call(client.GET('/projects/{projectName}/_history/_state', { params: { path: { projectName } } }));
  return answer as unknown as ProjectHistoryState;
}

export const projectHistoryStateQuery = (projectName: string, enabled: boolean) =>
  queryOptions({
    queryKey: [...historyKeys.all, projectName, '', 'state'],
    queryFn: () => projectHistoryState(projectName),
    enabled,
    meta: { silent: true },
  });

/** `by`: only the changes of one user. */
export const historyQuery = (project: string, identifier: string, by: string) =>
  infiniteQueryOptions({
    queryKey: [...historyKeys.of(project, identifier), 'list', by],
    queryFn: async ({ pageParam }) => {
      const query = { size: FIRST_PAGE, ...(by !== '' && { by: [by] }), ...(pageParam !== '' && { before: pageParam }) };
      const params = { ...documentPathParams(project, identifier), query };
      return (await call(client.GET('/projects/{projectName}/documents/{docId}/_history', { params }))) as unknown as HistoryPage;
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    meta: { silent: true },
  });

interface UndoRequest {
  readonly act?: string;
  readonly decision?: ConflictDecision;
}

/** Idempotent by key. */
export async function undoOrRedo(
  project: string,
  identifier: string,
  kind: UndoDirection,
  body: UndoRequest,
  key: string,
): Promise<UndoResult> {
  const options = { params: documentPathParams(project, identifier), body: body as never, headers: { 'Idempotency-Key': key } };
  const answer =
    kind === 'undo'
      ? client.POST('/projects/{projectName}/documents/{docId}/_history/_undo', options)
      : client.POST('/projects/{projectName}/documents/{docId}/_history/_redo', options);
  return (await call(answer)) as unknown as UndoResult;
}

/** `whole`: together with everything that was changed by the same operation. */
export async function restoreEntry(
  projectName: string,
  docId: string,
  entry: string,
  { whole, decision, key }: { readonly whole: boolean; readonly decision: ConflictDecision | undefined; readonly key: string },
): Promise<UndoResult> {
  const answer = client.POST('/projects/{projectName}/documents/{docId}/_history/{entry}/_restore', {
    params: { path: { projectName, docId, entry }, query: { act: whole } },
    body: (decision === undefined ? {} : { decision }) as never,
    headers: { 'Idempotency-Key': key },
  });
  return (await call(answer)) as unknown as UndoResult;
}

/** The conflicts of a refused undo, redo or restore; undefined for every other error. */
export function undoConflictsFromError(error: unknown): readonly UndoConflict[] | undefined {
  if (!(error instanceof ApiError) || error.status !== 409 || typeof error.body !== 'object') return undefined;
  const found = (error.body?.details ?? []) as unknown as readonly Partial<UndoConflict>[];
  const conflicts = found.filter((one): one is UndoConflict => one.entry !== undefined);
  return conflicts.length > 0 ? conflicts : undefined;
}
