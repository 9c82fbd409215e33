import { queryOptions } from '@tanstack/react-query';
import { call, client, type Schemas } from '../client';

/** Why a job failed, with what to do about it. */
export interface JobError {
  readonly error?: string;
  readonly message?: string;
  readonly cause?: string;
  readonly fix?: string;
}
export type Job = Schemas['SherpaJobBean'] & { readonly error?: JobError };
export type JobStatus = Job['status'];

/** What is said of the job: for a failed one its cause too. */
export const jobMessage = ({ error, statusMessage }: Job): string =>
  [error?.message ?? statusMessage, error?.cause].filter((part) => part !== undefined && part !== '').join('. ');

/** C-083 */
export const isActive = (job: Job) => job.status === 'STARTED';

/** C-084: while one of these runs, the documents shown may change. */
const UPDATING = new Set<string>(['PROJECT_INDEXING', 'CORPUS_ANNOTATE', 'ADD_METADATA', 'ADD_CATEGORY', 'DOC_IMPORT']);
export const updatesDocuments = (job: Job) => isActive(job) && UPDATING.has(job.type);

export const jobKeys = {
  all: ['jobs'] as const,
  project: (name: string) => [...jobKeys.all, 'project', name] as const,
  global: () => [...jobKeys.all, 'global'] as const,
};

/** While something runs the list is read again every 3 s, in case the live connection is away. */
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
