import { idempotencyHeader } from '@/api/idempotency';
import { call, client } from '@/api/client';
import type { Annotation } from './annotations';
import type { BulkSearch } from './bulk-actions';
import type { Category } from './categories';

export interface Propagation {
  readonly scope: 'document' | 'corpus';
  /** Only counts. */
  readonly dryRun: boolean;
  /** Not inside longer words. */
  readonly wholeWords: boolean;
  readonly caseSensitive: boolean;
}

export interface Propagated {
  readonly documents: number;
  readonly occurrences: number;
  /** Number of occurrences that already have the label. */
  readonly existing: number;
  /** Number of created annotations or, in a dry run, of those that would be created. */
  readonly created: number;
  /** There are more than were counted. */
  readonly atLeast?: boolean;
  /** Annotations created in the document. */
  readonly annotations?: readonly Annotation[];
  /** The job that creates the copies in the corpus. */
  readonly job?: { readonly id?: string };
}

/** Copies an annotation to other occurrences of its text: in its document immediately, in the corpus by a job. */
export async function propagateAnnotation(projectName: string, annotationId: string, body: Propagation): Promise<Propagated> {
  const answer = client.POST('/projects/{projectName}/annotations/{annotationId}/_propagate', {
    params: { path: { projectName, annotationId } },
    headers: body.dryRun ? {} : idempotencyHeader(),
    body: body as never,
  });
  return (await call(answer)) as unknown as Propagated;
}

/** A place that would be labelled, with the text around it. */
export interface OccurrenceExample {
  readonly documentIdentifier: string;
  readonly before: string;
  readonly text: string;
  readonly after: string;
}

export interface OccurrenceLabelling {
  /** The words to label. */
  readonly text: string;
  readonly labelName: string;
  readonly scope: 'document' | 'found' | 'corpus';
  readonly documentIdentifier: string;
  /** The search of the scope `found`. */
  readonly search?: BulkSearch | undefined;
  readonly wholeWords: boolean;
  readonly caseSensitive: boolean;
  readonly foldAccents: boolean;
  /** Only counts, with some examples. */
  readonly dryRun: boolean;
}

export type OccurrencesLabelled = Propagated & {
  readonly examples?: readonly OccurrenceExample[];
  /** Places without the label that are inside longer words, also when they are not asked for. */
  readonly insideWords?: number;
  readonly insideWordsAtLeast?: boolean;
};

/** Labels all occurrences of words: in the document immediately, in what a search finds or in the corpus by a job. */
export async function labelOccurrences(projectName: string, body: OccurrenceLabelling): Promise<OccurrencesLabelled> {
  const answer = client.POST('/projects/{projectName}/annotations/_label_occurrences', {
    params: { path: { projectName } },
    headers: body.dryRun ? {} : idempotencyHeader(),
    body: body as never,
  });
  return (await call(answer)) as unknown as OccurrencesLabelled;
}

export interface CategoryPropagation {
  readonly scope: 'document' | 'corpus';
  /** Only counts. */
  readonly dryRun: boolean;
  readonly caseSensitive: boolean;
  /** Not only equal texts, but those that share `minShare` (0..1) of their words. */
  readonly similar: boolean;
  readonly minShare: number;
}

export type CategoryPropagated = Omit<Propagated, 'annotations'> & { readonly categories?: readonly Category[] };

/**
 * Copies a category to sentences with equal or similar text, in its document immediately, in the corpus by a job; or to similar documents.
 */
export async function propagateCategory(projectName: string, categoryId: string, body: CategoryPropagation): Promise<CategoryPropagated> {
  const answer = client.POST('/projects/{projectName}/categories/{categoryId}/_propagate', {
    params: { path: { projectName, categoryId } },
    headers: body.dryRun ? {} : idempotencyHeader(),
    body: body as never,
  });
  return (await call(answer)) as unknown as CategoryPropagated;
}
