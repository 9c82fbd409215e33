import { idempotent } from '../idempotency';
import { call, client } from '../client';
import type { Annotation } from './annotations';

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
    headers: body.dryRun ? {} : idempotent(),
    body: body as never,
  });
  return (await call(answer)) as unknown as Propagated;
}
