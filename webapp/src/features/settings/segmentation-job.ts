/** Rules of the segmentation card. Pure. */
import { isActive, type Job } from '@/api/resources/jobs';
import type { DetachedCounts, SegmenterChoice, ResegmentationResult } from '@/api/resources/segmentation';

/** In display order. */
export const TIED = ['categories', 'suggestions', 'metadata', 'annotations'] as const satisfies readonly (keyof DetachedCounts)[];

/** Counts by kind of what would lose its segment, without zeros. */
export const nonzeroDetachedCounts = (
  counts: Partial<DetachedCounts>,
): readonly { readonly kind: keyof DetachedCounts; readonly count: number }[] =>
  TIED.flatMap((kind) => ((counts[kind] ?? 0) > 0 ? [{ kind, count: counts[kind] ?? 0 }] : []));

/** @param segmenter of projects that were not set to one. */
export function segmenterChoiceWithDefaults(given: Partial<SegmenterChoice> | null | undefined, segmenter: string): SegmenterChoice {
  return { name: segmenter, parameters: {}, annotationsWhole: true, ...given };
}

/** The running segmentation job, else the newest finished one. */
export function latestSegmentationJob(jobs: readonly Job[]): Job | undefined {
  const own = jobs.filter((job) => job.type === 'PROJECT_SEGMENTATION');
  return own.find(isActive) ?? [...own].sort((one, other) => other.createdAt - one.createdAt)[0];
}

/** The result of a successful job; undefined otherwise. */
export function resegmentationResult(job: Job | undefined): ResegmentationResult | undefined {
  const result = (job as { readonly result?: unknown } | undefined)?.result;
  if (job?.status !== 'COMPLETED' || typeof result !== 'object' || result === null || !('segmentsAfter' in result)) return undefined;
  return result as ResegmentationResult;
}
