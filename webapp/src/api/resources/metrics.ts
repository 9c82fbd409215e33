import { queryOptions } from '@tanstack/react-query';
import { call, client } from '@/api/client';
import { projectPathParams } from '@/api/path-params';
import type { QualityFigures, TrainingReport } from './experiments';

export interface ValueCount {
  readonly _id: string;
  readonly count: number;
}

export interface MetadataCount {
  readonly _id: string;
  readonly documentCount: number;
  readonly segmentCount: number;
}

/** Code points; without `to` the interval is open. */
export interface LengthCount {
  readonly from: number;
  readonly to?: number;
  readonly count: number;
}

export interface LabellingCount {
  readonly _id: string;
  readonly confirmed: number;
  readonly rejected: number;
  readonly unreviewed: number;
}

export interface Overlaps {
  readonly labels: readonly string[];
  readonly counts: readonly (readonly number[])[];
}

export interface DocumentFacets {
  readonly metadata: string;
  readonly facets: readonly MetadataCount[];
}

export interface CorpusDetails {
  readonly documentLengths: readonly LengthCount[];
  readonly segmentLengths?: readonly LengthCount[];
  readonly growth: readonly { readonly date: number; readonly count: number }[];
  readonly metadata: readonly { readonly _id: string; readonly documentCount: number }[];
}

export interface LabellingDetails {
  readonly labels: readonly LabellingCount[];
  readonly creators: readonly LabellingCount[];
  readonly statuses: readonly ValueCount[];
  readonly modes: readonly ValueCount[];
  readonly splits: readonly ValueCount[];
  readonly overlaps: Overlaps;
  readonly documentCount: number;
  readonly segmentCount: number;
}

export interface CorpusMetrics {
  readonly corpusSize: number;
  readonly documentCount: number;
  readonly segmentCount: number;
  readonly documentFacets: DocumentFacets;
  readonly details?: CorpusDetails;
}

export interface AnnotationMetrics {
  readonly annotationCount: number;
  readonly suggestionCount: number;
  readonly documentsInDataset: number;
  readonly segmentsInDataset: number;
  readonly annotationFacets: { readonly labels: readonly ValueCount[]; readonly texts: readonly ValueCount[] };
  readonly suggestionFacets: { readonly labels: readonly ValueCount[]; readonly texts: readonly ValueCount[] };
  readonly documentFacets: DocumentFacets;
  readonly details?: LabellingDetails;
}

export interface CategoryMetrics {
  readonly categoriesCount: number;
  readonly documentsInDataset: number;
  readonly categoriesFacets: { readonly labels: readonly ValueCount[] };
  readonly documentFacets: DocumentFacets;
  readonly details?: LabellingDetails;
}

/** `quality` in percent, `timestamp` and `timestamp_end` in ms. */
export interface ModelMetrics {
  readonly name: string;
  readonly label: string;
  readonly engine: string;
  readonly classes: readonly string[];
  readonly quality: number;
  readonly report?: TrainingReport & { readonly microAvg?: QualityFigures };
  readonly timestamp: number;
  readonly timestamp_end: number;
}

/** Oldest first, ten at most (C-034). */
export interface ModelsMetrics {
  readonly best?: ModelMetrics;
  readonly last?: ModelMetrics;
  readonly history: readonly ModelMetrics[];
}

export const metricKeys = {
  all: ['metrics'] as const,
  of: (project: string) => [...metricKeys.all, project] as const,
};

/** The figures change with every annotation of a team: old ones stay in sight while new ones come. */
const common = { staleTime: 5_000, meta: { silent: true } } as const;

/** Asks for figures by the values of `facet`, with details. */
const detailsByFacet = (projectName: string, facet: string) => ({
  params: { ...projectPathParams(projectName), query: { facet, details: true } },
});

export const corpusMetricsQuery = (projectName: string, facet: string) =>
  queryOptions({
    ...common,
    queryKey: [...metricKeys.of(projectName), 'corpus', facet],
    queryFn: async () =>
      (await call(client.GET('/projects/{projectName}/corpusMetrics', detailsByFacet(projectName, facet)))) as unknown as CorpusMetrics,
  });

/** Reads every segment, so it is only requested when the chart is shown. */
export const segmentLengthsQuery = (projectName: string) =>
  queryOptions({
    ...common,
    staleTime: 60_000,
    queryKey: [...metricKeys.of(projectName), 'segmentLengths'],
    queryFn: async () => {
      const query = { computeFacets: false, computeCorpusSize: false, details: true, segmentLengths: true };
      const found = await call(
        client.GET('/projects/{projectName}/corpusMetrics', { params: { ...projectPathParams(projectName), query } }),
      );
      return (found as unknown as CorpusMetrics).details?.segmentLengths ?? [];
    },
  });

export const annotationMetricsQuery = (projectName: string, facet = '') =>
  queryOptions({
    ...common,
    queryKey: [...metricKeys.of(projectName), 'annotations', facet],
    queryFn: async () =>
      (await call(
        client.GET('/projects/{projectName}/annotationMetrics', {
          params: { ...projectPathParams(projectName), query: { facet, details: true, computeTexts: false } },
        }),
      )) as unknown as AnnotationMetrics,
  });

/** Reads every annotation, so it is only requested when the chart is shown. */
export const annotatedTextsQuery = (projectName: string) =>
  queryOptions({
    ...common,
    staleTime: 60_000,
    queryKey: [...metricKeys.of(projectName), 'texts'],
    queryFn: async () => {
      const found = await call(client.GET('/projects/{projectName}/annotationMetrics', { params: projectPathParams(projectName) }));
      return (found as unknown as AnnotationMetrics).annotationFacets.texts;
    },
  });

export const categoryMetricsQuery = (projectName: string, facet = '') =>
  queryOptions({
    ...common,
    queryKey: [...metricKeys.of(projectName), 'categories', facet],
    queryFn: async () =>
      (await call(
        client.GET('/projects/{projectName}/categoriesMetrics', detailsByFacet(projectName, facet)),
      )) as unknown as CategoryMetrics,
  });

/** A term, and in how many documents and segments an annotation is linked to it. */
export interface TermCount {
  readonly lexicon: string;
  readonly identifier: string;
  readonly preferredForm: string;
  readonly documentCount: number;
  readonly segmentCount: number;
}

export interface TermMetrics {
  /** Documents and segments with any term. */
  readonly documents: number;
  readonly segments: number;
  /** Those of most documents first. */
  readonly terms: readonly TermCount[];
}

const SHOWN_TERMS = 20;

export const termMetricsQuery = (projectName: string) =>
  queryOptions({
    ...common,
    queryKey: [...metricKeys.of(projectName), 'terms'],
    queryFn: async () =>
      (await call(
        client.GET('/projects/{projectName}/termMetrics', {
          params: { ...projectPathParams(projectName), query: { size: SHOWN_TERMS } },
        }),
      )) as TermMetrics,
  });

export const modelMetricsQuery = (projectName: string) =>
  queryOptions({
    ...common,
    queryKey: [...metricKeys.of(projectName), 'models'],
    queryFn: async () =>
      (await call(
        client.GET('/projects/{projectName}/modelMetrics', { params: projectPathParams(projectName) }),
      )) as unknown as ModelsMetrics,
  });
