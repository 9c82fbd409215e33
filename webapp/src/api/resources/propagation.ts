import { idempotencyHeader } from '@/api/idempotency';
import { call, client } from '@/api/client';
import type { Annotation } from './annotations';
import type { Category } from './categories';

export interface Propagation {
  readonly scope: 'document' | 'corpus';
  /** Counts only. */
  readonly dryRun: boolean;
  /** Not inside of longer words. */
  readonly wholeWords: boolean;
  readonly caseSensitive: boolean;
}

export interface Propagated {
  readonly documents: number;
  readonly occurrences: number;
  /** Places that carry the label already. */
  readonly existing: number;
  /** What was made, or would be. */
  readonly created: number;
  /** There are more than were counted. */
  readonly atLeast?: boolean;
  /** What was made in the document. */
  readonly annotations?: readonly Annotation[];
  /** What makes the copies in the corpus. */
  readonly job?: { readonly id?: string };
}

/** Copies an annotation to the places that say the same: of its document at once, of the corpus by a job. */
export async function propagateAnnotation(projectName: string, annotationId: string, body: Propagation): Promise<Propagated> {
  const answer = client.POST('/projects/{projectName}/annotations/{annotationId}/_propagate', {
    params: { path: { projectName, annotationId } },
    headers: body.dryRun ? {} : idempotencyHeader(),
    body: body as never,
  });
  return (await call(answer)) as unknown as Propagated;
}

export interface CategoryPropagation {
  readonly scope: 'document' | 'corpus';
  /** Counts only. */
  readonly dryRun: boolean;
  readonly caseSensitive: boolean;
  /** Not only equal ones: those that share `minShare` (0..1) of their words. */
  readonly similar: boolean;
  readonly minShare: number;
}

export type CategoryPropagated = Omit<Propagated, 'annotations'> & { readonly categories?: readonly Category[] };

/** Gives a category to all sentences like its own, of its document at once, of the corpus by a job; or to documents like its own. */
export async function propagateCategory(projectName: string, categoryId: string, body: CategoryPropagation): Promise<CategoryPropagated> {
  const answer = client.POST('/projects/{projectName}/categories/{categoryId}/_propagate', {
    params: { path: { projectName, categoryId } },
    headers: body.dryRun ? {} : idempotencyHeader(),
    body: body as never,
  });
  return (await call(answer)) as unknown as CategoryPropagated;
}
