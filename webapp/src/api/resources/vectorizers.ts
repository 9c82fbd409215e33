/** The vectors of a project: what a search by meaning needs, and the components that make them (T-031). */
import { queryOptions } from '@tanstack/react-query';
import { call, client } from '@/api/client';
import type { EngineForm } from './components';
import { segmentKeys } from './segments';

/** How questions of one kind were answered: nDCG@10 in percent. */
export interface ProbeFigures {
  readonly questions: number;
  readonly text: number;
  readonly vectors: number;
  readonly hybrid: number;
}

/** What was measured on the project's own texts; `weight` is what vectors count beside words in a hybrid search. */
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
  /** Documents that have their vectors, of `total`. */
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

/** Live events of segments make it stale too. */
export const vectorizerKeys = {
  of: (project: string) => [...segmentKeys.all, project, 'vectorizers'] as const,
  shown: (project: string, language: string) => [...vectorizerKeys.of(project), language] as const,
  form: (name: string, language: string) => ['components', 'vectorizer', name, language] as const,
};

const BUILDING_MS = 2_000;

/** Asked again and again while vectors are made: the numbers move. */
export const vectorizersQuery = (projectName: string, language: string) =>
  queryOptions({
    queryKey: vectorizerKeys.shown(projectName, language),
    queryFn: async () =>
      (await call(client.GET('/projects/{projectName}/vectorizers', { params: { path: { projectName } } }))) as unknown as Vectorizations,
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

/** All vectors anew; what is absent stays as it is. */
export const vectorize = (projectName: string, body: { readonly vectorizer?: string; readonly parameters?: Record<string, unknown> }) =>
  call(client.POST('/projects/{projectName}/segments/_vectorize', { params: { path: { projectName } }, body: body as never }));

export const forgetVectors = (projectName: string, vectorizer: string) =>
  call(client.DELETE('/projects/{projectName}/vectorizers/{vectorizer}', { params: { path: { projectName, vectorizer } } }));
