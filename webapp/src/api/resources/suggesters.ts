import { queryOptions } from '@tanstack/react-query';
import { call, client, MERGE_PATCH } from '@/api/client';
import { idempotent } from '@/api/idempotency';
import type { EngineChange, EngineValues } from './experiments';

/** `running`: it trains again as answers come in; `training`: a job of it runs now. */
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

const at = (projectName: string) => ({ path: { projectName } });
const one = (projectName: string, name: string) => ({ path: { projectName, name } });

export const suggestersQuery = (projectName: string) =>
  queryOptions({
    queryKey: suggesterKeys.list(projectName),
    queryFn: async () =>
      (await call(client.GET('/projects/{projectName}/suggesters', { params: at(projectName) }))) as unknown as Suggester[],
    enabled: projectName !== '',
    refetchInterval: (query) => (query.state.data?.some((item) => item.training) === true ? 2000 : false),
    meta: { errorTitle: 'getSuggesters' },
  });

export const createSuggester = (projectName: string, body: EngineValues & { tags?: readonly string[] }) =>
  call(
    client.POST('/projects/{projectName}/suggesters', { params: at(projectName), body: body as never, headers: idempotent() }),
  ) as Promise<{ name: string }>;

export const updateSuggester = (projectName: string, name: string, body: EngineChange) =>
  call(client.PATCH('/projects/{projectName}/suggesters/{name}', { params: one(projectName, name), body: body as never, ...MERGE_PATCH }));

export const deleteSuggester = (projectName: string, name: string) =>
  call(client.DELETE('/projects/{projectName}/suggesters/{name}', { params: one(projectName, name) }));

export const startSuggester = (projectName: string, name: string) =>
  call(client.POST('/projects/{projectName}/suggesters/{name}/_start', { params: one(projectName, name) }));

export const stopSuggester = (projectName: string, name: string) =>
  call(client.POST('/projects/{projectName}/suggesters/{name}/_stop', { params: one(projectName, name) }));

export async function suggesterLabelHint(projectName: string, label: string): Promise<string> {
  const answer = await call(
    client.POST('/projects/{projectName}/suggesters/_label_hint', { params: at(projectName), body: { label } as never }),
  );
  return (answer as { labelHint: string }).labelHint;
}
