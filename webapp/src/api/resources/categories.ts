import { call, client, MERGE_PATCH } from '@/api/client';
import { idempotencyKeyHeader, ifMatch } from '@/api/edit-headers';

/** A label on a document, or on its sentence [start, end) in code points. */
export interface Category {
  readonly identifier: string;
  readonly labelName: string;
  readonly score?: number | null | undefined;
  readonly status?: string | null | undefined;
  readonly suggestion?: boolean | undefined;
  readonly version?: number;
  readonly creationMode?: string | null;
  readonly createdBy?: string | null;
  readonly start?: number | null;
  readonly end?: number | null;
}

export interface NewCategory {
  readonly documentIdentifier: string;
  readonly labelName: string;
  readonly status: 'OK' | 'KO';
  readonly creationMode: 'manual';
  readonly start?: number;
  readonly end?: number;
}

/** `replaced`: the categories of an exclusive set that were replaced (T-017). */
export type CreatedCategory = Category & { readonly replaced?: readonly string[] };

const categoryPathParams = (projectName: string, categoryId: string) => ({ path: { projectName, categoryId } });

export async function createCategory(projectName: string, body: NewCategory, idempotencyKey: string): Promise<CreatedCategory> {
  const answer = client.POST('/projects/{projectName}/categories', {
    params: { path: { projectName } },
    body: body as never,
    headers: { 'Idempotency-Key': idempotencyKey },
  });
  return (await call(answer)) as unknown as CreatedCategory;
}

export async function patchCategory(
  projectName: string,
  id: string,
  status: 'OK' | 'KO' | null,
  version: number | undefined,
  key?: string,
): Promise<Category> {
  const answer = client.PATCH('/projects/{projectName}/categories/{categoryId}', {
    params: categoryPathParams(projectName, id),
    body: { status } as never,
    headers: { ...MERGE_PATCH.headers, ...ifMatch(version), ...idempotencyKeyHeader(key) },
  });
  return (await call(answer)) as unknown as Category;
}

export const deleteCategory = (projectName: string, id: string, version: number | undefined, key?: string) =>
  call(
    client.DELETE('/projects/{projectName}/categories/{categoryId}', {
      params: categoryPathParams(projectName, id),
      headers: { ...ifMatch(version), ...idempotencyKeyHeader(key) },
    }),
  );

/** Suggested by a component and not yet decided (T-018). */
export const isSuggestedCategory = ({ creationMode, status }: Pick<Category, 'creationMode' | 'status'>) =>
  creationMode === 'automatic' && status !== 'OK' && status !== 'KO';
