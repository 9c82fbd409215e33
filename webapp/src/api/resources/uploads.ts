/** Import of documents: start the job, follow it, read its report item by item. Uploads themselves are in `../upload`. */
import { queryOptions } from '@tanstack/react-query';
import { call, client, type Schemas } from '../client';
import { jobKeys, type Job } from './jobs';

/** C-059; `questions_as_segments` is a choice of the screen which travels as `documents_as_segments`. */
export type SegmentationPolicy = 'always_recompute' | 'compute_if_missing' | 'documents_as_segments' | 'no_segmentation';
export type SegmentationChoice = SegmentationPolicy | 'questions_as_segments';

export interface ImportOptions {
  readonly segmentation: SegmentationChoice;
  readonly ignoreLabelling: boolean;
  readonly splitCorpus: boolean;
  readonly categoriesFromFolder: boolean;
  /** Originating group; empty for none. */
  readonly group: string;
}

/** What travels: only what differs from the server's defaults, `splitCorpus` never with ignored labels (V-014). */
export function importQuery(options: ImportOptions) {
  const { segmentation, ignoreLabelling, splitCorpus, categoriesFromFolder, group } = options;
  return {
    segmentationPolicy: segmentation === 'questions_as_segments' ? 'documents_as_segments' : segmentation,
    ...(ignoreLabelling && { ignoreLabelling: true }),
    ...(splitCorpus && !ignoreLabelling && { splitCorpus: true }),
    ...(categoriesFromFolder && { generateCategoriesFromSourceFolder: true }),
    ...(group !== '' && { groupName: group }),
  };
}

export async function importDocuments(
  projectName: string,
  uploads: readonly Schemas['UploadedFile'][],
  options: ImportOptions,
): Promise<Job> {
  const query = importQuery(options) as never;
  return (await call(
    client.POST('/projects/{projectName}/documents/_load', { params: { path: { projectName }, query }, body: uploads as never }),
  )) as unknown as Job;
}

export const ENDED: readonly Job['status'][] = ['COMPLETED', 'CANCELLED', 'FAILED'];
export const hasEnded = (job: Job | undefined) => job !== undefined && ENDED.includes(job.status);

/** Live events refresh it; the interval is for when the live connection is away. */
export const jobQuery = (projectName: string, id: string) =>
  queryOptions({
    queryKey: [...jobKeys.all, 'one', projectName, id],
    queryFn: async () =>
      (await call(client.GET('/projects/{projectName}/job/{job_id}', { params: { path: { projectName, job_id: id } } }))) as Job,
    enabled: id !== '',
    staleTime: 0,
    refetchInterval: (query) => (hasEnded(query.state.data) ? false : 1000),
    meta: { errorTitle: 'getJobs' },
  });

export const OUTCOMES = ['imported', 'replaced', 'unchanged', 'refused'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface ReportItem {
  readonly item: string;
  readonly outcome: string;
  readonly documentIdentifier?: string;
  readonly message?: string;
  readonly fix?: string;
}

export interface Report {
  /** Lines that the filter lets through. */
  readonly total: number;
  /** Of the whole report. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly items: readonly ReportItem[];
}

async function readReport(projectName: string, id: string, outcome: string, from: number, size: number): Promise<Report> {
  const query = { from, size, ...(outcome !== '' && { outcome }) };
  // Ours: not in the published description.
  const path = '/projects/{projectName}/job/{job_id}/items' as '/projects/{projectName}/job/{job_id}';
  return (await call(client.GET(path, { params: { path: { projectName, job_id: id }, query: query as never } }))) as unknown as Report;
}

export const reportQuery = (projectName: string, id: string, outcome: string, from: number, size: number, running: boolean) =>
  queryOptions({
    queryKey: [...jobKeys.all, 'items', projectName, id, outcome, from, size],
    queryFn: () => readReport(projectName, id, outcome, from, size),
    enabled: id !== '',
    staleTime: 0,
    placeholderData: (known) => known,
    refetchInterval: running ? 1000 : false,
    meta: { silent: true },
  });

const PAGE = 1000;

/** The whole report, page after page. */
export async function wholeReport(projectName: string, id: string): Promise<ReportItem[]> {
  const items: ReportItem[] = [];
  for (;;) {
    const page = await readReport(projectName, id, '', items.length, PAGE);
    items.push(...page.items);
    if (page.items.length === 0 || items.length >= page.total) return items;
  }
}

/** C-052 */
export const SAMPLES = ['sample-simple.json', 'sample-NER-normal.json', 'sample-catego-normal.json', 'sample-questions.json'] as const;
