/** Project archives and sharing: exports, imports and their jobs, shares, owner. */
import { queryOptions } from '@tanstack/react-query';
import { BASE, call, client, handleResponseStatus, requestHeaders, type Schemas } from '@/api/client';
import { ApiError } from '@/api/errors';
import { jobMessage, type Job } from './jobs';
import { projectKeys } from './projects';

const projectAddress = (name: string) => `${BASE}/projects/${encodeURIComponent(name)}`;

/** C-054: the response is a file. */
export const exportAddress = (name: string, models: boolean) => `${projectAddress(name)}/_export?includeModels=${String(models)}`;
export const datasetAddress = (name: string) => `${projectAddress(name)}/dataset`;
export const imageAddress = (id: string) => `${BASE}/images/projects/${encodeURIComponent(id)}`;

/** Resolves when the address responds with a file, without downloading it; rejects with the error otherwise. */
export async function checkDownload(address: string): Promise<void> {
  const response = await fetch(address, { headers: requestHeaders(), credentials: 'same-origin' });
  handleResponseStatus(response.status);
  if (!response.ok) throw new ApiError(response.status, (await response.json().catch(() => null)) as never, response.statusText);
  void response.body?.cancel().catch(() => undefined);
}

const POLL_MS = 700;

/** Follows an import, whose job has no project until the project exists. Resolves then, rejects with the reason for a failure. */
export async function waitForProjectImport(jobId: string, onProgress: (job: Job) => void): Promise<void> {
  for (;;) {
    const job = (await call(client.GET('/jobs/{job_id}', { params: { path: { job_id: jobId } } }))) as Job;
    if (job.status === 'COMPLETED') return;
    if (job.status === 'FAILED' || job.status === 'CANCELLED') throw new ApiError(400, { message: jobMessage(job), ...job.error }, '');
    onProgress(job);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

export type UserShare = Schemas['UserShare'] & { readonly canRevoke?: boolean };
export type GroupShare = Schemas['GroupShare'] & { readonly canRevoke?: boolean };
export type ShareMode = Schemas['ShareMode'];

const projectPathParams = (projectName: string) => ({ params: { path: { projectName } } });

export const sharesQuery = (project: string) =>
  queryOptions({
    queryKey: [...projectKeys.all, 'shares', project],
    queryFn: async () => {
      const [users, groups] = await Promise.all([
        call(client.GET('/projects/{projectName}/shares/users', projectPathParams(project))),
        call(client.GET('/projects/{projectName}/shares/groups', projectPathParams(project))),
      ]);
      return { users: users as UserShare[], groups: groups as GroupShare[] };
    },
    meta: { silent: true },
  });

export interface Person {
  readonly username: string;
  /** The username where there is no other name. */
  readonly profilename: string;
}

const MINUTE_MS = 60_000;

/** Users the caller may see; fails where listing users is not allowed, then names are typed. */
export const peopleQuery = () =>
  queryOptions({
    queryKey: ['users', 'pick'],
    queryFn: async () =>
      (await call(client.GET('/users', { params: { query: {} } }))).users.map(({ username, profilename }): Person => ({
        username,
        profilename: profilename || username,
      })),
    staleTime: 5 * MINUTE_MS,
    retry: false,
    meta: { silent: true },
  });
export const groupNamesQuery = () =>
  queryOptions({
    queryKey: ['groups', 'pick'],
    queryFn: async () => (await call(client.GET('/groups', { params: { query: {} } }))).map(({ name, label }) => ({ name, label })),
    retry: false,
    meta: { silent: true },
  });

export const shareWithUser = (projectName: string, username: string, mode: ShareMode) =>
  call(client.POST('/projects/{projectName}/shares/users', { params: { path: { projectName }, query: { username } }, body: mode }));
export const shareWithGroup = (projectName: string, groupName: string, mode: ShareMode) =>
  call(client.POST('/projects/{projectName}/shares/groups', { params: { path: { projectName }, query: { groupName } }, body: mode }));
export const unshareUser = (projectName: string, username: string) =>
  call(client.DELETE('/projects/{projectName}/shares/users/{username}', { params: { path: { projectName, username } } }));
/** Leaves a project that was shared with the caller or with one of the caller's groups. */
export const leaveProject = (projectName: string) =>
  call(client.POST('/projects/{projectName}/shares/_leave', { params: { path: { projectName } } }));
export const unshareGroup = (projectName: string, groupName: string) =>
  call(client.DELETE('/projects/{projectName}/shares/groups/{groupName}', { params: { path: { projectName, groupName } } }));
export const changeOwner = (projectName: string, username: string) =>
  call(client.POST('/projects/{projectName}/_chown', { params: { path: { projectName }, query: { username } } }));

export interface OwnerGroupChange {
  readonly groupName: string;
  readonly deleteExistingUserShares: boolean;
  readonly deleteExistingGroupShares: boolean;
  readonly shareWithNewGroup: boolean;
  readonly readOnlyShare: boolean;
}
export const changeOwnerGroup = (projectName: string, change: OwnerGroupChange) =>
  call(client.POST('/projects/{projectName}/_chgrp', { params: { path: { projectName }, query: { ...change } } }));

export const altTextsQuery = (project: string) =>
  queryOptions({
    queryKey: ['documents', 'altTexts', project],
    queryFn: () => call(client.GET('/projects/{projectName}/alt_texts', projectPathParams(project))),
    meta: { errorTitle: 'altTexts' },
  });
export const deleteAltTexts = (projectName: string, names: readonly string[]) =>
  call(
    client.POST('/projects/{projectName}/alt_texts/_delete', {
      params: { path: { projectName } },
      body: names.map((name) => ({ name })),
    }),
  );
export const metadataQuery = (project: string) =>
  queryOptions({
    queryKey: ['documents', 'metadata', project],
    queryFn: async () =>
      (await call(client.GET('/projects/{projectName}/metadata', projectPathParams(project)))).flatMap((definition) => definition.metadata),
    meta: { silent: true },
  });
