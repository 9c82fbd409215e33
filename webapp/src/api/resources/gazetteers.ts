/** Gazetteers: annotators that find the terms of lexicons in texts. */
import { queryOptions } from '@tanstack/react-query';
import { call, client, MERGE_PATCH, type Schemas } from '@/api/client';
import { downloadByPost } from '@/api/download';
import { emailNotificationParams } from '@/api/email-notification';
import { idempotencyHeader } from '@/api/idempotency';
import { projectPathParams } from '@/api/path-params';
import type { UploadedFile } from '@/api/upload';
import type { EngineSettings, EngineSettingsChange, TrainedEngine } from './experiments';
import type { Job } from './jobs';
import type { ModelsSummary } from './models';

/** `models`: 1 once it is synchronised; `uptodate`: no term changed since. */
export type Gazetteer = Schemas['Gazetteer'] & TrainedEngine;

export interface GazetteerOptions {
  readonly emailNotification?: boolean;
  readonly favorite?: boolean;
}

export const gazetteerKeys = {
  all: ['gazetteers'] as const,
  list: (project: string) => [...gazetteerKeys.all, project, 'list'] as const,
  named: (project: string) => [...gazetteerKeys.all, project, 'named'] as const,
};

const gazetteerPathParams = (projectName: string, name: string) => ({ path: { projectName, name } });
const RUNNING_INTERVAL_MS = 2000;

const readGazetteers = async (projectName: string) =>
  (await call(client.GET('/projects/{projectName}/gazetteers', { params: projectPathParams(projectName) }))) as Gazetteer[];

/** S-049 */
export const gazetteersQuery = (projectName: string) =>
  queryOptions({
    queryKey: gazetteerKeys.list(projectName),
    queryFn: () => readGazetteers(projectName),
    enabled: projectName !== '',
    refetchInterval: (query) => (query.state.data?.some((item) => item.running) === true ? RUNNING_INTERVAL_MS : false),
    meta: { errorTitle: 'getGazetteers' },
  });

/** Names and labels of the gazetteers of a project, for choices in forms. */
export const gazetteerNamesQuery = (projectName: string) =>
  queryOptions({
    queryKey: gazetteerKeys.named(projectName),
    queryFn: () => readGazetteers(projectName),
    enabled: projectName !== '',
    meta: { silent: true },
  });

export const createGazetteer = (projectName: string, body: EngineSettings & GazetteerOptions) =>
  call(
    client.POST('/projects/{projectName}/gazetteers', {
      params: projectPathParams(projectName),
      body,
      headers: idempotencyHeader(),
    }),
  );

/** V-030: sends only what changed. */
export const updateGazetteer = (projectName: string, name: string, body: EngineSettingsChange & GazetteerOptions) =>
  call(
    client.PATCH('/projects/{projectName}/gazetteers/{name}', {
      params: gazetteerPathParams(projectName, name),
      body,
      ...MERGE_PATCH,
    }),
  );

export const deleteGazetteer = (projectName: string, name: string) =>
  call(client.DELETE('/projects/{projectName}/gazetteers/{name}', { params: gazetteerPathParams(projectName, name) }));

/** Reads the terms of its lexicons anew, and optionally annotates the corpus with them. */
export const synchronizeGazetteer = async (projectName: string, name: string, annotateCorpus: boolean) =>
  (await call(
    client.POST('/projects/{projectName}/gazetteers/{name}/_synchronize', {
      params: { ...gazetteerPathParams(projectName, name), query: { annotateCorpus } },
      headers: emailNotificationParams(false).headers,
    }),
  )) as Job;

export const cancelSynchronization = (projectName: string, name: string) =>
  call(client.POST('/projects/{projectName}/gazetteers/{name}/_cancel_synchronize', { params: gazetteerPathParams(projectName, name) }));

export async function proposeGazetteerLabel(projectName: string, label: string): Promise<string> {
  const answer = await call(
    client.POST('/projects/{projectName}/gazetteers/_label_hint', { params: projectPathParams(projectName), body: { label } }),
  );
  return answer.labelHint;
}

/** One gazetteer, or those named. */
export function exportGazetteers(projectName: string, names: readonly string[]): Promise<Blob> {
  const root = `/projects/${encodeURIComponent(projectName)}/gazetteers`;
  const [only = ''] = names;
  if (names.length === 1) return downloadByPost(`${root}/${encodeURIComponent(only)}/_export`);
  return downloadByPost(`${root}/_export?${new URLSearchParams({ gazetteers: names.join(',') }).toString()}`);
}

export const loadGazetteers = async (projectName: string, uploaded: readonly UploadedFile[]) =>
  (await call(
    client.POST('/projects/{projectName}/gazetteers/_load', {
      params: projectPathParams(projectName),
      body: [...uploaded],
    }),
  )) as ModelsSummary;
