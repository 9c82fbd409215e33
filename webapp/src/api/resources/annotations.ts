import { call, client, MERGE_PATCH } from '@/api/client';
import { idempotencyKeyHeader, ifMatch } from '@/api/edit-headers';
import type { Term } from './concepts';
import { ApiError } from '@/api/errors';
import type { AnnotationFragment, NewAnnotation, ServerAnnotation } from '@/text/server-annotation';

/** An annotation as it travels. Offsets are code points of the document, half-open; `version` guards changes (`If-Match`). */
export interface Annotation extends ServerAnnotation {
  readonly identifier: string;
  readonly version: number;
  readonly documentIdentifier?: string;
  /** What the annotation stands for in lexicons and knowledge bases. */
  readonly terms?: readonly Term[] | null | undefined;
  /** Author of this version; absent in lists. */
  readonly modifiedBy?: string;
}

export interface AnnotationPatch {
  readonly status?: 'OK' | 'KO' | null;
  readonly labelName?: string;
  readonly start?: number;
  readonly end?: number;
  /** Fragments of a discontinuous annotation, code points; null: make it continuous again. */
  readonly fragments?: readonly AnnotationFragment[] | null;
  /** All terms it refers to afterwards. */
  readonly terms?: readonly Term[];
}

const annotationPathParams = (projectName: string, annotationId: string) => ({ path: { projectName, annotationId } });

/** Idempotent by `idempotencyKey`. */
export async function createAnnotation(projectName: string, body: NewAnnotation, idempotencyKey: string): Promise<Annotation> {
  const answer = client.POST('/projects/{projectName}/annotations', {
    params: { path: { projectName } },
    body: body as never,
    headers: { 'Idempotency-Key': idempotencyKey },
  });
  return (await call(answer)) as unknown as Annotation;
}

export async function patchAnnotation(
  projectName: string,
  id: string,
  patch: AnnotationPatch,
  version: number | undefined,
  key?: string,
): Promise<Annotation> {
  const answer = client.PATCH('/projects/{projectName}/annotations/{annotationId}', {
    params: annotationPathParams(projectName, id),
    body: patch as never,
    headers: { ...MERGE_PATCH.headers, ...ifMatch(version), ...idempotencyKeyHeader(key) },
  });
  return (await call(answer)) as unknown as Annotation;
}

export const deleteAnnotation = (projectName: string, id: string, version: number | undefined, key?: string) =>
  call(
    client.DELETE('/projects/{projectName}/annotations/{annotationId}', {
      params: annotationPathParams(projectName, id),
      headers: { ...ifMatch(version), ...idempotencyKeyHeader(key) },
    }),
  );

/** Restores a deleted annotation unchanged. */
export async function restoreAnnotation(projectName: string, annotationId: string, key?: string): Promise<Annotation> {
  const answer = client.POST('/projects/{projectName}/annotations/{annotationId}/_restore', {
    params: annotationPathParams(projectName, annotationId),
    headers: idempotencyKeyHeader(key),
  });
  return (await call(answer)) as unknown as Annotation;
}

/** The present state from a refused change (412); undefined for every other error. */
export function currentStateFromConflict<T = Annotation>(error: unknown): T | undefined {
  if (!(error instanceof ApiError) || error.status !== 412 || typeof error.body !== 'object') return undefined;
  return error.body?.details?.find(({ current }) => current !== undefined)?.current as T | undefined;
}
