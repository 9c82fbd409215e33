import { queryOptions } from '@tanstack/react-query';
import { call, client, MERGE_PATCH } from '@/api/client';
import { idempotencyHeader } from '@/api/idempotency';
import type { EngineSettingsChange, EngineSettings } from './experiments';

/** `running`: it is trained again as answers arrive; `training`: a job of it runs now. */
export interface Suggester {
  readonly name: string;
  readonly label: string;
  readonly engine: string;
  readonly parameters: Record<string, unknown>;
  readonly models: number;
  readonly timestamp: number;
  readonly duration: number;
  readonly uptodate: boolean;
  readonly running: boolean;
  readonly training?: boolean;
  readonly jobId?: string;
  readonly quality?: number;
  readonly answers?: number;
  readonly tags?: readonly string[];
}

export const suggesterKeys = {
  all: ['suggesters'] as const,
  list: (project: string) => [...suggesterKeys.all, project] as const,
};

const projectPathParams = (projectName: string) => ({ path: { projectName } });
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
