import { queryOptions } from '@tanstack/react-query';
import { call, client, type Schemas } from '@/api/client';
import { translatedMessageOf } from '@/api/server-messages';

/** Why a job failed, and a possible fix. */
export interface JobError {
  readonly error?: string;
  readonly message?: string;
  readonly cause?: string;
  readonly fix?: string;
  readonly said?: unknown;
}
export type Job = Schemas['SherpaJobBean'] & { readonly error?: JobError };
export type JobStatus = Job['status'];

/** The status message of the job; for a failed one with its cause. */
export const jobMessage = (job: Job): string => {
  const failure = job.error ?? {};
  const parts = [translatedMessageOf(failure, 'message') ?? jobStatus(job), translatedMessageOf(failure, 'cause')];
  return [...new Set(parts)].filter((part) => part !== undefined && part !== '').join('. ');
};

/** The description of the job in the user's language; empty for a job without one. */
export const jobName = (job: Pick<Job, 'description'> & { readonly said?: unknown }): string =>
  translatedMessageOf(job, 'description') ?? '';

/** The progress or final message. */
export const jobStatus = (job: Job): string | undefined => translatedMessageOf(job, 'statusMessage');

/** Suggested fix for its failure. */
export const jobFailureFix = ({ error }: Job): string | undefined => (error === undefined ? undefined : translatedMessageOf(error, 'fix'));

/** C-083 */
export const isActive = (job: Job) => job.status === 'STARTED';

/** C-084: while one of these runs, the displayed documents may change. */
const UPDATING = new Set<string>(['PROJECT_INDEXING', 'CORPUS_ANNOTATE', 'ADD_METADATA', 'ADD_CATEGORY', 'DOC_IMPORT']);
export const jobUpdatesDocuments = (job: Job) => isActive(job) && UPDATING.has(job.type);

export const jobKeys = {
  all: ['jobs'] as const,
  project: (name: string) => [...jobKeys.all, 'project', name] as const,
  global: () => [...jobKeys.all, 'global'] as const,
};

/** Polls every 3 s while a job runs, in case the live connection is lost. */
const refetchInterval = (query: { state: { data?: Job[] | undefined } }) => (query.state.data?.some(isActive) === true ? 3000 : false);

export const projectJobsQuery = (projectName: string) =>
  queryOptions({
    queryKey: jobKeys.project(projectName),
    queryFn: async () => (await call(client.GET('/projects/{projectName}/jobs', { params: { path: { projectName } } }))) as Job[],
    enabled: projectName !== '',
    refetchInterval,
    meta: { errorTitle: 'getJobs' },
  });

export const globalJobsQuery = () =>
  queryOptions({
    queryKey: jobKeys.global(),
    queryFn: async () => (await call(client.GET('/jobs'))) as Job[],
    refetchInterval,
    meta: { errorTitle: 'getJobs' },
  });

export const cancelJob = (job: Job) =>
  call(client.DELETE('/projects/{projectName}/job/{job_id}', { params: { path: { projectName: job.project, job_id: job.id } } }));
export const cancelGlobalJob = (job: Job) => call(client.DELETE('/jobs/{job_id}', { params: { path: { job_id: job.id } } }));
