/** Import of documents: start the job, follow it, read its report item by item. Uploads themselves are in `../upload`. */
import { queryOptions } from '@tanstack/react-query';
import { BASE, call, client, type Schemas } from '@/api/client';
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
  /** HTML tags and emojis leave the texts; `default` is what the project says. */
  readonly cleanText: 'default' | 'true' | 'false';
  /** New documents whose text is there already are left out. */
  readonly skipDuplicates: boolean;
  /** Documents with an empty list of labels were read: they count as annotated to the end. */
  readonly emptyReviewed: boolean;
  /** Reads all files whatever their types; empty: the one that declares the type. */
  readonly converter: string;
  /** Without a converter, files are read as the active conversion plan says, when there is one. */
  readonly usePlan: boolean;
  /** Documents go to the part that their metadata `split` tells. */
  readonly metadataSplit: boolean;
  /** Values that differ from the defaults, by converter. */
  readonly converterParameters: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** An uploaded file, and the folder it was taken from. */
export type FileToImport = Schemas['UploadedFile'] & { readonly folder?: string };

/** The server uses the parts that documents name unless it is told not to. */
const metadataSplitParams = ({ metadataSplit }: ImportOptions) => (metadataSplit ? {} : { metadataSplit });
/** Of labels that are not ignored. */
const labellingImportParams = ({ splitCorpus, emptyReviewed }: ImportOptions) => ({
  ...(splitCorpus && { splitCorpus: true }),
  ...(emptyReviewed && { emptyListsReviewed: true }),
});

/** What travels: only what differs from the server's defaults, `splitCorpus` never with ignored labels (V-014); the group of a single sign-on is the identity provider's (V-037). */
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

export const OUTCOMES = ['imported', 'replaced', 'unchanged', 'skipped', 'refused'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface ReportItem {
  readonly item: string;
  readonly outcome: string;
  readonly documentIdentifier?: string;
  readonly message?: string;
  readonly fix?: string;
  readonly said?: unknown;
  /** Items that the line stands for, where it is not one. */
  readonly count?: number;
  /** The line counts what has no line of its own. */
  readonly isSum?: boolean;
  /** From a check. */
  readonly facts?: {
    readonly title: string;
    readonly start: string;
    readonly characters: number;
    readonly segments: number;
    readonly annotations: number;
    readonly categories: number;
  };
}

/** What a check answers. */
export interface DryRunResult {
  readonly dryRun: true;
  readonly characters?: number;
  readonly segments?: number;
  readonly annotations?: number;
  readonly categories?: number;
  readonly newLabels: readonly string[];
  readonly newLabelCount: number;
  /** Documents with an empty list of labels of which nobody said what it means. */
  readonly emptyLists?: number;
  /** Documents that name a part by their metadata; absent where none does. */
  readonly parts?: { readonly train?: number; readonly test?: number };
}

export const dryRunResultOf = (job: Job): DryRunResult | undefined => {
  const result = (job as { result?: unknown }).result as Partial<DryRunResult> | undefined;
  return result?.dryRun === true ? (result as DryRunResult) : undefined;
};

/** Which lines of a report: of one outcome, with some words. */
export interface ReportFilter {
  readonly outcome: string;
  readonly words: string;
}

export interface Report {
  /** Lines that the filter lets through. */
  readonly total: number;
  /** Of the whole report. */
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
      // Ours: not in the published description.
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

/** Where the lines are saved from as a table. */
export function reportAddress(projectName: string, id: string, filter: ReportFilter): string {
  const query = new URLSearchParams(reportFilterParams(filter) as Record<string, string>).toString();
  const path = `${BASE}/projects/${encodeURIComponent(projectName)}/job/${encodeURIComponent(id)}/items/_export`;
  return query === '' ? path : `${path}?${query}`;
}

/** C-052 */
export const SAMPLES = ['sample-simple.json', 'sample-NER-normal.json', 'sample-catego-normal.json', 'sample-questions.json'] as const;
