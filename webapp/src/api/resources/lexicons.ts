/** Lexicons of a project: named lists of terms, imported from files or written by hand. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, client, MERGE_PATCH, type Schemas } from '@/api/client';
import { downloadByPost } from '@/api/download';
import { ifMatch } from '@/api/edit-headers';
import { ApiError, type ErrorBody } from '@/api/errors';
import { idempotencyHeader } from '@/api/idempotency';
import { projectPathParams } from '@/api/path-params';
import type { UploadedFile } from '@/api/upload';
import type { Term } from './concepts';
import { hasEnded } from './document-imports';
import { jobMessage, type Job } from './jobs';

/** `terms`: their number, where it was counted; `termsVersion` increases with every change of its terms. */
export type Lexicon = Schemas['LexiconRead'];

export interface LexiconValues {
  readonly label: string;
  readonly color: string;
  readonly manualEditionAllowed: boolean;
}

export const EXPORT_FORMATS = ['json', 'csv', 'tsv', 'skos', 'obo'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const FILE_ENDINGS: Readonly<Record<ExportFormat, string>> = { json: 'json', csv: 'csv', tsv: 'tsv', skos: 'ttl', obo: 'obo' };

/** Name of the file that an export is saved in. */
export const exportFileName = (lexicon: string, format: ExportFormat): string => `${lexicon}.${FILE_ENDINGS[format]}`;

/** Which component reads a file, and its parameters. */
export interface TermImporterChoice {
  readonly format: string;
  readonly parameters: Record<string, unknown>;
}

/** The beginning of a file of terms: its cells where it has columns, and the terms they become. */
export interface TermPreview {
  readonly columns?: readonly string[] | null;
  readonly rows?: readonly (readonly string[])[] | null;
  /** The columns that each parameter of the importer is read from, also where it chose them itself. */
  readonly mapping?: Readonly<Record<string, readonly string[]>>;
  readonly terms?: readonly Term[];
  readonly problems?: readonly { readonly place?: string; readonly message: string; readonly fix?: string | null }[];
}

export const lexiconKeys = {
  all: ['lexicons'] as const,
  list: (project: string) => [...lexiconKeys.all, project, 'list'] as const,
  named: (project: string) => [...lexiconKeys.all, project, 'named'] as const,
  preview: (project: string, upload: string, choice: TermImporterChoice) => ['term-preview', project, upload, choice] as const,
};

const lexiconPathParams = (projectName: string, lexiconName: string) => ({ path: { projectName, lexiconName } });

const readLexicons = (projectName: string, computeMetrics: boolean): Promise<Lexicon[]> =>
  call(client.GET('/projects/{projectName}/lexicons', { params: { ...projectPathParams(projectName), query: { computeMetrics } } }));

/** S-047: with the number of terms of each. */
export const lexiconsQuery = (projectName: string) =>
  queryOptions({
    queryKey: lexiconKeys.list(projectName),
    queryFn: () => readLexicons(projectName, true),
    enabled: projectName !== '',
    meta: { errorTitle: 'lexicon' },
  });

/** Without counting their terms, for whatever shows or links terms of annotations. */
export const namedLexiconsQuery = (projectName: string) =>
  queryOptions({
    queryKey: lexiconKeys.named(projectName),
    queryFn: () => readLexicons(projectName, false),
    enabled: projectName !== '',
    staleTime: 60_000,
    meta: { silent: true },
  });

export const createLexicon = (projectName: string, body: LexiconValues) =>
  call(
    client.POST('/projects/{projectName}/lexicons', {
      params: projectPathParams(projectName),
      body,
      headers: idempotencyHeader(),
    }),
  );

/** Sends only what changed; refused when somebody changed the lexicon since it was read. */
export const updateLexicon = (projectName: string, { name, version }: Pick<Lexicon, 'name' | 'version'>, body: Partial<LexiconValues>) =>
  call(
    client.PATCH('/projects/{projectName}/lexicons/{lexiconName}', {
      params: lexiconPathParams(projectName, name),
      body,
      headers: { ...MERGE_PATCH.headers, ...ifMatch(version) },
    }),
  );

export const deleteLexicon = (projectName: string, name: string) =>
  call(client.DELETE('/projects/{projectName}/lexicons/{lexiconName}', { params: lexiconPathParams(projectName, name) }));

/** Creates a deleted lexicon again, with its terms. */
export const restoreLexicon = (projectName: string, name: string) =>
  call(client.POST('/projects/{projectName}/lexicons/{lexiconName}/_restore', { params: lexiconPathParams(projectName, name) }));

/** Deletes all terms of a lexicon; the lexicon stays. */
export const clearLexicon = (projectName: string, name: string) =>
  call(client.POST('/projects/{projectName}/lexicons/{lexiconName}/_clear', { params: lexiconPathParams(projectName, name) }));

/** Starts the import of terms as a job. */
export const loadTerms = (projectName: string, name: string, files: readonly UploadedFile[], importer: TermImporterChoice): Promise<Job> =>
  call(
    client.POST('/projects/{projectName}/lexicons/{lexiconName}/_load', {
      params: lexiconPathParams(projectName, name),
      body: { files: [...files], importer },
      headers: idempotencyHeader(),
    }),
  );

const PREVIEW_POLL_MS = 300;
const PREVIEW_PATIENCE_MS = 60_000;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** What an importer would read from an uploaded file: a job that stores nothing. */
async function previewTerms(
  projectName: string,
  file: UploadedFile,
  importer: TermImporterChoice,
  signal: AbortSignal,
): Promise<TermPreview> {
  let job: Job = await call(
    client.POST('/projects/{projectName}/lexicons/_preview', {
      params: projectPathParams(projectName),
      body: { files: [file], importer },
      signal,
    }),
  );
  const limit = Date.now() + PREVIEW_PATIENCE_MS;
  while (!hasEnded(job) && Date.now() < limit) {
    await pause(PREVIEW_POLL_MS);
    const params = { path: { projectName, job_id: job.id } };
    job = await call(client.GET('/projects/{projectName}/job/{job_id}', { params, signal }));
  }
  const { result } = job as { readonly result?: TermPreview };
  if (job.status === 'COMPLETED' && result !== undefined) return result;
  throw new ApiError(400, { code: 400, ...job.error, message: jobMessage(job) } as ErrorBody, jobMessage(job));
}

export const termPreviewQuery = (projectName: string, file: UploadedFile | undefined, importer: TermImporterChoice) =>
  queryOptions({
    queryKey: lexiconKeys.preview(projectName, file?.id ?? '', importer),
    queryFn: async ({ signal }): Promise<TermPreview> => (file === undefined ? {} : previewTerms(projectName, file, importer, signal)),
    enabled: file !== undefined && importer.format !== '',
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    retry: false,
    meta: { silent: true },
  });

export const exportLexicon = (projectName: string, name: string, format: ExportFormat): Promise<Blob> =>
  downloadByPost(`/projects/${encodeURIComponent(projectName)}/lexicons/${encodeURIComponent(name)}/_export?format=${format}`);
