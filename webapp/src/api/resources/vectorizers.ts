/** The vectors of a project: state of the semantic search, and the components that compute them (T-031). */
import { queryOptions } from '@tanstack/react-query';
import { call, client } from '@/api/client';
import type { EngineForm } from './components';
import { segmentKeys } from './segments';

/** Quality for one kind of query: nDCG@10 in percent. */
export interface ProbeFigures {
  readonly questions: number;
  readonly text: number;
  readonly vectors: number;
  readonly hybrid: number;
}

/** Measured on the project's own texts; `weight` is the weight of vectors relative to words in a hybrid search. */
export interface VectorProbe {
  readonly documents: number;
  readonly weight: number;
  readonly titles?: ProbeFigures | null;
  readonly sentences?: ProbeFigures | null;
}

export interface Vectorization {
  readonly name: string;
  readonly vectorizer: string;
  readonly title: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly state: 'empty' | 'building' | 'ready' | 'failed';
  /** Number of documents that have vectors, of `total`. */
  readonly documents: number;
  readonly total: number;
  readonly dimension: number;
  readonly timestamp: number;
  readonly probe?: VectorProbe | null;
  readonly jobId?: string | null;
}

export interface Vectorizer {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly languages: readonly string[];
  readonly available: boolean;
  /** Why it is not available. */
  readonly reason?: string;
}

export interface Vectorizations {
  readonly vectorizations: readonly Vectorization[];
  readonly vectorizers: readonly Vectorizer[];
}

/** Starts with `segments`, so that live events of segments invalidate it. */
export const vectorizerKeys = {
  of: (project: string) => [...segmentKeys.all, project, 'vectorizers'] as const,
  shown: (project: string, language: string) => [...vectorizerKeys.of(project), language] as const,
  form: (name: string, language: string) => ['components', 'vectorizer', name, language] as const,
};

const BUILDING_MS = 2_000;

/** Polled while vectors are computed, as the counts change. */
export const vectorizersQuery = (projectName: string, language: string) =>
  queryOptions({
    queryKey: vectorizerKeys.shown(projectName, language),
    queryFn: async () => {
      const options = { params: { path: { projectName } }, headers: { 'Accept-Language': language } };
      return (await call(client.GET('/projects/{projectName}/vectorizers', options))) as unknown as Vectorizations;
    },
    refetchInterval: ({ state }) =>
      state.data?.vectorizations.some(({ jobId }) => typeof jobId === 'string') === true ? BUILDING_MS : false,
    enabled: projectName !== '',
    meta: { errorTitle: 'getVectorizers' },
  });

export const vectorizerFormQuery = (service: string, language: string) =>
  queryOptions({
    queryKey: vectorizerKeys.form(service, language),
    queryFn: async () => {
      const query = { function: 'vectorize', uiSchema: true };
      const options = { params: { path: { service }, query }, headers: { 'Accept-Language': language } };
      return (await call(client.GET('/services/{service}/parameters', options))) as unknown as EngineForm;
    },
    enabled: service !== '',
    staleTime: 300_000,
    meta: { errorTitle: 'getEngineParams' },
  });

/** Computes all vectors again; absent parameters stay unchanged. */
export const vectorize = (projectName: string, body: { readonly vectorizer?: string; readonly parameters?: Record<string, unknown> }) =>
  call(client.POST('/projects/{projectName}/segments/_vectorize', { params: { path: { projectName } }, body: body as never }));

export const forgetVectors = (projectName: string, vectorizer: string) =>
  call(client.DELETE('/projects/{projectName}/vectorizers/{vectorizer}', { params: { path: { projectName, vectorizer } } }));
