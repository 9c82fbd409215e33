/** Actions on all results of a search (S-012, S-021): count, start, follow, undo. */
import { queryOptions } from '@tanstack/react-query';
import type { SearchAddress } from '@/state/search-address';
import { filtersToQuery } from '@/state/search-filters';
import { call, client, handleResponseStatus, BASE, requestHeaders, type Schemas } from '@/api/client';
import { ApiError } from '@/api/errors';
import { emailNotificationParams } from '@/api/email-notification';
import type { EngineForm } from './components';
import { isActive, type Job } from './jobs';
import { facetToJson } from './search';

/** C-072, and hits selected by hand. */
export const BULK_SCOPES = ['selection', 'currentSearch', 'invertSearch', 'wholeDocuments'] as const;
export type BulkScope = (typeof BULK_SCOPES)[number];

/** What a screen shows: its search, and the `_id`s of the selected hits. */
export interface BulkTarget {
  readonly searchIn: 'documents' | 'segments';
  readonly search: SearchAddress;
  readonly selection: readonly string[];
}

/** Query parameters of every bulk call. */
export interface BulkSearch {
  readonly query?: string;
  readonly simpleQuery?: boolean;
  readonly selectedFacets?: string[];
  readonly datasetSelector?: string;
  readonly queryFilter?: string;
  readonly invertSearch?: boolean;
  readonly searchIn?: 'documents' | 'segments';
  readonly ids?: string[];
}

/**
 * V-017: the search of the screen has no restrictions. A list of similar segments does not count as a search either, as it ranks
 * everything.
 */
export const isDefaultSearch = ({ search }: BulkTarget): boolean =>
  search.action === '_similar' ||
  (search.query.trim() === '' && search.selectedFacets.length === 0 && search.filters.length === 0 && search.datasetSelector === '');

/** The search of a scope. Similarity has no cut-off, so for a semantic search only the words and filters are used. */
export function bulkSearchParams(target: BulkTarget, scope: BulkScope): BulkSearch {
  const { search, searchIn, selection } = target;
  if (scope === 'selection') return { searchIn, ids: [...selection] };
  if (scope === 'wholeDocuments') return { searchIn };
  return {
    searchIn,
    query: search.query,
    simpleQuery: search.isSimpleQueryMode,
    ...(search.selectedFacets.length > 0 && { selectedFacets: search.selectedFacets.map(facetToJson) }),
    ...(search.filters.length > 0 && { queryFilter: filtersToQuery(search.filters) }),
    ...(search.datasetSelector !== '' && { datasetSelector: search.datasetSelector }),
    ...(scope === 'invertSearch' && { invertSearch: true }),
  };
}

export type BulkCount = Schemas['BulkCount'];

/** Starts with `documents`, so that events of documents and annotations invalidate it. */
const countKey = (project: string, kind: string, search: BulkSearch, labelling: boolean) =>
  ['documents', project, 'bulk-count', kind, search, labelling] as const;

/** Number of affected documents or segments; with `labelling`, also the counts of annotations and categories by creator. */
export const bulkCountQuery = (projectName: string, kind: 'documents' | 'segments', search: BulkSearch, labelling = false) =>
  queryOptions({
    queryKey: countKey(projectName, kind, search, labelling),
    queryFn: async ({ signal }) => {
      const params = { path: { projectName }, query: { ...search, labelling } };
      const answer =
        kind === 'segments'
          ? client.POST('/projects/{projectName}/segments/_search_and_count', { params, signal })
          : client.POST('/projects/{projectName}/documents/_search_and_count', { params, signal });
      return (await call(answer)) as BulkCount;
    },
    staleTime: 0,
    meta: { silent: true },
  });

export async function tagFound(projectName: string, query: BulkSearch, name: string, value: string): Promise<Job> {
  const params = { path: { projectName }, query };
  return (await call(client.POST('/projects/{projectName}/documents/_search_and_tag', { params, body: { name, value } }))) as Job;
}

export async function categoriseFound(projectName: string, query: BulkSearch, labelName: string, add: boolean): Promise<Job> {
  const params = { path: { projectName }, query };
  return (await call(client.POST('/projects/{projectName}/documents/_search_and_categorize', { params, body: { labelName, add } }))) as Job;
}

export interface AnnotateFoundOptions {
  readonly annotator: string;
  readonly annotatorProject?: string;
  readonly restrictedOnDatasetSegments?: boolean;
  readonly emailNotification?: boolean;
}

export async function annotateFound(projectName: string, search: BulkSearch, asked: AnnotateFoundOptions): Promise<Job> {
  const { emailNotification, ...options } = asked;
  const { query, headers } = emailNotificationParams(emailNotification);
  const params = { path: { projectName }, query: { ...search, ...options, ...query } };
  return (await call(client.POST('/projects/{projectName}/documents/_search_and_annotate', { params, headers }))) as Job;
}

export async function deleteFound(projectName: string, query: BulkSearch): Promise<Job> {
  return (await call(
    client.POST('/projects/{projectName}/documents/_search_and_delete', { params: { path: { projectName }, query } }),
  )) as Job;
}

/** `kind`: on the found documents, or only on the found segments. Empty lists: any label, any creator. */
export async function deleteLabellingFound(
  projectName: string,
  kind: 'documents' | 'segments',
  search: BulkSearch,
  createdBy: readonly string[],
  labels: readonly string[] = [],
): Promise<Job> {
  const params = { path: { projectName }, query: { ...search, createdBy: [...createdBy], labels: [...labels] } };
  const answer =
    kind === 'segments'
      ? client.POST('/projects/{projectName}/segments/_search_and_delete_labelling', { params })
      : client.POST('/projects/{projectName}/documents/_search_and_delete_labelling', { params });
  return (await call(answer)) as Job;
}

export async function undoJob(projectName: string, jobId: string): Promise<Job> {
  return (await call(
    client.POST('/projects/{projectName}/job/{job_id}/_undo', { params: { path: { projectName, job_id: jobId } } }),
  )) as Job;
}

export type JobReport = Schemas['JobItems'];

/** Entries of a job's report. */
export const jobItemsQuery = (projectName: string, jobId: string, size = 20) =>
  queryOptions({
    queryKey: ['jobs', 'items', projectName, jobId, size] as const,
    queryFn: async () =>
      (await call(
        client.GET('/projects/{projectName}/job/{job_id}/items', { params: { path: { projectName, job_id: jobId }, query: { size } } }),
      )) as JobReport,
    meta: { silent: true },
  });

// --- export ---

export interface ExportFormat {
  /** Name of the formatter; empty: the JSON format of documents, which can be imported again. */
  readonly format: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Above this number of documents an export is a job. */
export const DIRECT_EXPORT_MAX = 2000;

/** The complete file in memory: for small exports. */
export async function exportFound(projectName: string, search: BulkSearch, { format, parameters }: ExportFormat): Promise<Blob> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...search, format }))
    for (const one of Array.isArray(value) ? (value as string[]) : [value]) query.append(name, String(one));
  const address = `${BASE}/projects/${encodeURIComponent(projectName)}/documents/_search_and_export?${query.toString()}`;
  const headers = { ...requestHeaders(), 'Content-Type': 'application/json' };
  const response = await fetch(address, { method: 'POST', headers, credentials: 'same-origin', body: JSON.stringify({ parameters }) });
  handleResponseStatus(response.status);
  if (!response.ok) throw new ApiError(response.status, (await response.json().catch(() => null)) as never, response.statusText);
  return response.blob();
}

export async function startExport(projectName: string, search: BulkSearch, { format, parameters }: ExportFormat): Promise<Job> {
  const params = { path: { projectName }, query: { ...search, format } };
  const body = { parameters: { ...parameters } };
  return (await call(client.POST('/projects/{projectName}/documents/_search_and_export_async', { params, body }))) as Job;
}

/** Address of the file of a finished export, for its user. */
export const downloadLinkOfJob = (job: Job): string | undefined => {
  const link = job.result?.['download'];
  return typeof link === 'string' ? link : undefined;
};

export interface Formatter {
  readonly name: string;
  readonly title: string;
}

/** Titles are in `language`. */
export const formattersQuery = (projectName: string, language: string) =>
  queryOptions({
    queryKey: ['components', projectName, 'formatters', language] as const,
    queryFn: async () => {
      const params = { path: { projectName }, query: { type: 'formatter' } } as const;
      const headers = { 'Accept-Language': language };
      const records = await call(client.GET('/projects/{projectName}/services', { params, headers }));
      return (records as { readonly name: string; readonly metadata?: { readonly title?: string } }[]).map(
        ({ name, metadata }): Formatter => ({ name, title: metadata?.title ?? name }),
      );
    },
    staleTime: 300_000,
    meta: { silent: true },
  });

/** Parameters of a formatter as a form; its texts are in `language`. */
export const formatterFormQuery = (name: string, language: string) =>
  queryOptions({
    queryKey: ['components', 'formatter', name, language] as const,
    queryFn: async () => {
      const params = { path: { service: name }, query: { function: 'format', uiSchema: true } };
      const headers = { 'Accept-Language': language };
      return (await call(client.GET('/services/{service}/parameters', { params, headers }))) as unknown as EngineForm;
    },
    enabled: name !== '',
    staleTime: 300_000,
    meta: { errorTitle: 'getEngineParams' },
  });

// --- metadata ---

const METADATA = 'metadata.';

/** Names of document metadata, the most frequent first. */
export const metadataNamesQuery = (projectName: string) =>
  queryOptions({
    queryKey: ['documents', projectName, 'metadata-names'] as const,
    queryFn: async ({ signal }) => {
      const params = { path: { projectName }, query: { facet: true, size: 0 } };
      const answer = await call(client.POST('/projects/{projectName}/documents/_search', { params, signal }));
      return (answer.aggregations ?? [])
        .filter(({ name }) => name.startsWith(METADATA))
        .map(({ name, buckets }) => ({ name: name.slice(METADATA.length), count: buckets.reduce((sum, one) => sum + one.doc_count, 0) }))
        .sort((a, b) => b.count - a.count)
        .map(({ name }) => name);
    },
    meta: { silent: true },
  });

// --- following ---

const FIRST_PAUSE_MS = 400;
const LONGEST_PAUSE_MS = 3000;

/** Resolves with the finished job; polls with growing intervals. */
export async function waitForJobEnd(started: Job): Promise<Job> {
  let job = started;
  for (let pause = FIRST_PAUSE_MS; isActive(job); pause = Math.min(pause * 1.4, LONGEST_PAUSE_MS)) {
    await new Promise((done) => setTimeout(done, pause));
    const path = { projectName: job.project, job_id: job.id };
    job = (await call(client.GET('/projects/{projectName}/job/{job_id}', { params: { path } }))) as Job;
  }
  return job;
}
