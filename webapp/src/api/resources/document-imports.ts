/** Import of documents: starts the job, follows it, reads its report by item. Uploads are in `../upload`. */
import { queryOptions } from '@tanstack/react-query';
import { BASE, call, client, type Schemas } from '@/api/client';
import { jobKeys, type Job } from './jobs';

/** C-059; `questions_as_segments` is a choice of the screen that is sent as `documents_as_segments`. */
export type SegmentationPolicy = 'always_recompute' | 'compute_if_missing' | 'documents_as_segments' | 'no_segmentation';
export type SegmentationChoice = SegmentationPolicy | 'questions_as_segments';

export interface ImportOptions {
  readonly segmentation: SegmentationChoice;
  readonly ignoreLabelling: boolean;
  readonly splitCorpus: boolean;
  readonly categoriesFromFolder: boolean;
  /** Originating group; empty for none. */
  readonly group: string;
  /** Removes HTML tags and emojis from the texts; `default` is the setting of the project. */
  readonly cleanText: 'default' | 'true' | 'false';
  /** Leaves out new documents whose text is in the project already. */
  readonly skipDuplicates: boolean;
  /** Documents with an empty list of labels count as completely annotated. */
  readonly emptyReviewed: boolean;
  /** Used for all files whatever their types; empty: the converter that declares the type. */
  readonly converter: string;
  /** Without a converter, files are read by the active conversion plan, if there is one. */
  readonly usePlan: boolean;
  /** Assigns documents to the part named by their metadata field `split`. */
  readonly metadataSplit: boolean;
  /** Values that differ from the defaults, by converter. */
  readonly converterParameters: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** An uploaded file, and its original folder. */
export type FileToImport = Schemas['UploadedFile'] & { readonly folder?: string };

/** The server uses the parts named by documents unless this is false. */
const metadataSplitParams = ({ metadataSplit }: ImportOptions) => (metadataSplit ? {} : { metadataSplit });
/** Only where labels are not ignored. */
const labellingImportParams = ({ splitCorpus, emptyReviewed }: ImportOptions) => ({
  ...(splitCorpus && { splitCorpus: true }),
  ...(emptyReviewed && { emptyListsReviewed: true }),
});

/**
 * Parameters that differ from the server's defaults; `splitCorpus` is never sent with ignored labels (V-014). With single sign-on the group
 * is the identity provider's (V-037).
 */
export function importParams(options: ImportOptions, ssoLogin = false) {
  const { segmentation, ignoreLabelling, categoriesFromFolder, group } = options;
  const { cleanText, skipDuplicates, converter, usePlan, converterParameters } = options;
  return {
    segmentationPolicy: segmentation === 'questions_as_segments' ? 'documents_as_segments' : segmentation,
    ...(ignoreLabelling ? { ignoreLabelling: true } : labellingImportParams(options)),
    ...(categoriesFromFolder && { generateCategoriesFromSourceFolder: true }),
    ...(group !== '' && (ssoLogin ? { idpGroupIdentifier: group } : { groupName: group })),
    ...(cleanText !== 'default' && { cleanText }),
    ...(skipDuplicates && { skipDuplicates: true }),
    ...(converter !== '' && { converter }),
    ...(!usePlan && { useActivePlan: false }),
    ...metadataSplitParams(options),
    ...(Object.keys(converterParameters).length > 0 && { converterParameters: JSON.stringify(converterParameters) }),
  };
}

/** `dryRun`: the job only reports what the import would do. */
export async function importDocuments(
  projectName: string,
  uploads: readonly FileToImport[],
  options: ImportOptions,
  { dryRun = false, ssoLogin = false }: { readonly dryRun?: boolean; readonly ssoLogin?: boolean } = {},
): Promise<Job> {
  const query = { ...importParams(options, ssoLogin), ...(dryRun && { dryRun: true }) } as never;
  return (await call(
    client.POST('/projects/{projectName}/documents/_load', { params: { path: { projectName }, query }, body: uploads as never }),
  )) as unknown as Job;
}

export const ENDED: readonly Job['status'][] = ['COMPLETED', 'CANCELLED', 'FAILED'];
export const hasEnded = (job: Job | undefined) => job !== undefined && ENDED.includes(job.status);

/** Refreshed by live events; the interval is for times without live connection. */
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

export const OUTCOMES = ['imported', 'replaced', 'unchanged', 'skipped', 'refused'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface ReportItem {
  readonly item: string;
  readonly outcome: string;
  readonly documentIdentifier?: string;
  readonly message?: string;
  readonly fix?: string;
  readonly said?: unknown;
  /** Number of items in the entry, where it is not one. */
  readonly count?: number;
  /** The entry counts items that have no entry of their own. */
  readonly isSum?: boolean;
  /** Only from a dry run. */
  readonly facts?: {
    readonly title: string;
    readonly start: string;
    readonly characters: number;
    readonly segments: number;
    readonly annotations: number;
    readonly categories: number;
  };
}

/** The result of a dry run. */
export interface DryRunResult {
  readonly dryRun: true;
  readonly characters?: number;
  readonly segments?: number;
  readonly annotations?: number;
  readonly categories?: number;
  readonly newLabels: readonly string[];
  readonly newLabelCount: number;
  /** Number of documents with an empty list of labels whose meaning is not specified. */
  readonly emptyLists?: number;
  /** Counts of documents that name a part in their metadata; absent where none does. */
  readonly parts?: { readonly train?: number; readonly test?: number };
}

export const dryRunResultOf = (job: Job): DryRunResult | undefined => {
  const result = (job as { result?: unknown }).result as Partial<DryRunResult> | undefined;
  return result?.dryRun === true ? (result as DryRunResult) : undefined;
};

/** Filters the entries of a report by outcome and text. */
export interface ReportFilter {
  readonly outcome: string;
  readonly words: string;
}

export interface Report {
  /** Number of entries that match the filter. */
  readonly total: number;
  /** Counts of the whole report. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly items: readonly ReportItem[];
}

const reportFilterParams = ({ outcome, words }: ReportFilter) => ({
  ...(outcome !== '' && { outcome }),
  ...(words !== '' && { query: words }),
});

export const reportQuery = (projectName: string, id: string, filter: ReportFilter, from: number, size: number, running: boolean) =>
  queryOptions({
    queryKey: [...jobKeys.all, 'items', projectName, id, filter, from, size],
    queryFn: async () => {
      const query = { from, size, ...reportFilterParams(filter) };
      // Not in the published API description.
      const path = '/projects/{projectName}/job/{job_id}/items' as '/projects/{projectName}/job/{job_id}';
      const params = { path: { projectName, job_id: id }, query: query as never };
      return (await call(client.GET(path, { params }))) as unknown as Report;
    },
    enabled: id !== '',
    staleTime: 0,
    placeholderData: (known) => known,
    refetchInterval: running ? 1000 : false,
    meta: { silent: true },
  });

/** Download address of the entries as a table. */
export function reportAddress(projectName: string, id: string, filter: ReportFilter): string {
  const query = new URLSearchParams(reportFilterParams(filter) as Record<string, string>).toString();
  const path = `${BASE}/projects/${encodeURIComponent(projectName)}/job/${encodeURIComponent(id)}/items/_export`;
  return query === '' ? path : `${path}?${query}`;
}

/** C-052 */
export const SAMPLES = ['sample-simple.json', 'sample-NER-normal.json', 'sample-catego-normal.json', 'sample-questions.json'] as const;
