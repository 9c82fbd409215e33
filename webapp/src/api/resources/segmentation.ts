/** Segmentation of a project's documents, and its repetition (S-024). */
import { queryOptions } from '@tanstack/react-query';
import { call, client, type Schemas } from '@/api/client';
import { componentKeys, fetchEngineForm } from './components';
import { segmentKeys } from './segments';

export type SegmenterChoice = Required<Schemas['SegmenterChoice']>;

export interface Segmenter {
  readonly name: string;
  readonly title: string;
  readonly description: string;
}

/** Counts by kind of what refers to segments and would no longer match one. */
export interface DetachedCounts {
  readonly categories: number;
  readonly suggestions: number;
  readonly metadata: number;
  readonly annotations: number;
}

export interface ResegmentationResult extends DetachedCounts {
  readonly documents: number;
  readonly changed: number;
  readonly refused: number;
  readonly segmentsBefore: number;
  readonly segmentsAfter: number;
  readonly kept: number;
}

/** What a new segmentation would change, tried on randomly chosen documents. */
export interface ResegmentationPreview {
  readonly total: { readonly documents: number; readonly segments: number };
  readonly sample: ResegmentationResult;
  /** The first new segments of a changed document. */
  readonly examples: readonly string[];
}

export const segmentationKeys = {
  segmenters: (project: string, language: string) => [...componentKeys.all, project, 'segmenters', language] as const,
  form: (project: string, name: string, language: string) => [...componentKeys.all, project, 'segmenter', name, language] as const,
  preview: (project: string, choice: SegmenterChoice) => [...segmentKeys.all, project, 'preview', choice] as const,
};

interface ServiceRecord {
  readonly name: string;
  readonly metadata?: { readonly title?: string; readonly description?: string };
}

export const segmentersQuery = (projectName: string, language: string) =>
  queryOptions({
    queryKey: segmentationKeys.segmenters(projectName, language),
    queryFn: async (): Promise<Segmenter[]> => {
      const options = { params: { path: { projectName }, query: { type: 'segmenter' } }, headers: { 'Accept-Language': language } };
      const records = (await call(client.GET('/projects/{projectName}/services', options))) as ServiceRecord[];
      return records.map(({ name, metadata }) => ({ name, title: metadata?.title ?? name, description: metadata?.description ?? '' }));
    },
    staleTime: 300_000,
    meta: { silent: true },
  });

/** The texts of the form are in `language`. */
export const segmenterFormQuery = (projectName: string, engine: string, language: string) =>
  queryOptions({
    queryKey: segmentationKeys.form(projectName, engine, language),
    queryFn: () => fetchEngineForm(projectName, 'segmenter', engine, language),
    enabled: engine !== '',
    staleTime: 300_000,
    meta: { silent: true },
  });

export const resegmentationPreviewQuery = (projectName: string, choice: SegmenterChoice) =>
  queryOptions({
    queryKey: segmentationKeys.preview(projectName, choice),
    queryFn: async () => {
      const options = { params: { path: { projectName } }, body: { segmenter: choice } };
      return (await call(client.POST('/projects/{projectName}/segments/_preview_recompute', options))) as unknown as ResegmentationPreview;
    },
    staleTime: 0,
    gcTime: 0,
    retry: false,
    meta: { silent: true },
  });

/** By default with the settings of the project; returns the job. */
export const recomputeSegments = (projectName: string, segmenter?: SegmenterChoice) =>
  call(
    client.POST('/projects/{projectName}/segments/_recompute', {
      params: { path: { projectName } },
      ...(segmenter !== undefined && { body: { segmenter } }),
    }),
  );
