import { queryOptions } from '@tanstack/react-query';
import { call, client, MERGE_PATCH, type Schemas } from '@/api/client';
import { projectPathParams } from '@/api/path-params';
import { idempotencyHeader } from '@/api/idempotency';
import type { EngineSettingsChange, EngineSettings, TrainedEngine } from './experiments';

/** `running`: it trains again as answers come in; `training`: a job of it runs now. */
export interface Suggester extends TrainedEngine {
  readonly training?: boolean;
  readonly answers?: number;
}

export const suggesterKeys = {
  all: ['suggesters'] as const,
  list: (project: string) => [...suggesterKeys.all, project] as const,
};

const suggesterPathParams = (projectName: string, name: string) => ({ path: { projectName, name } });

export const suggestersQuery = (projectName: string) =>
  queryOptions({
    queryKey: suggesterKeys.list(projectName),
    queryFn: async () =>
      (await call(client.GET('/projects/{projectName}/suggesters', { params: projectPathParams(projectName) }))) as unknown as Suggester[],
    enabled: projectName !== '',
    refetchInterval: (query) => (query.state.data?.some((item) => item.training) === true ? 2000 : false),
    meta: { errorTitle: 'getSuggesters' },
  });

/** What people decided about the proposals of a suggester; `acceptanceRate` is absent before the first decision. */
export type SuggesterDecisions = Schemas['SuggesterDecisions'];

/** Under `suggestions`: live events of answers refresh it. */
export const suggesterDecisionsQuery = (projectName: string) =>
  queryOptions({
    queryKey: ['suggestions', projectName, 'decisions'] as const,
    queryFn: () => call(client.GET('/projects/{projectName}/suggesters/_decisions', { params: projectPathParams(projectName) })),
    enabled: projectName !== '',
    meta: { silent: true },
  });

export const createSuggester = (projectName: string, body: EngineSettings & { tags?: readonly string[] }) =>
  call(
    client.POST('/projects/{projectName}/suggesters', {
      params: projectPathParams(projectName),
      body: body as never,
      headers: idempotencyHeader(),
    }),
  ) as Promise<{ name: string }>;

export const updateSuggester = (projectName: string, name: string, body: EngineSettingsChange) =>
  call(
    client.PATCH('/projects/{projectName}/suggesters/{name}', {
      params: suggesterPathParams(projectName, name),
      body: body as never,
      ...MERGE_PATCH,
    }),
  );

export const deleteSuggester = (projectName: string, name: string) =>
  call(client.DELETE('/projects/{projectName}/suggesters/{name}', { params: suggesterPathParams(projectName, name) }));

/** For an hour after it was deleted. */
export const restoreSuggester = (projectName: string, name: string) =>
  call(
    client.POST('/projects/{projectName}/suggesters/{name}/_restore', {
      params: suggesterPathParams(projectName, name),
      headers: idempotencyHeader(),
    }),
  );

export const startSuggester = (projectName: string, name: string) =>
  call(client.POST('/projects/{projectName}/suggesters/{name}/_start', { params: suggesterPathParams(projectName, name) }));

export const stopSuggester = (projectName: string, name: string) =>
  call(client.POST('/projects/{projectName}/suggesters/{name}/_stop', { params: suggesterPathParams(projectName, name) }));

export async function proposeSuggesterLabel(projectName: string, label: string): Promise<string> {
  const answer = await call(
    client.POST('/projects/{projectName}/suggesters/_label_hint', { params: projectPathParams(projectName), body: { label } as never }),
  );
  return (answer as { labelHint: string }).labelHint;
}
