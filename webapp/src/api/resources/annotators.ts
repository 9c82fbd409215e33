/** Annotators: trained experiments, gazetteers, suggesters, plans. */
import { queryOptions } from '@tanstack/react-query';
import { call, client } from '@/api/client';
import { emailNotificationParams } from '@/api/email-notification';
import type { BulkSearch } from './bulk-actions';
import type { Job } from './jobs';

export interface Annotator {
  readonly name: string;
  readonly label: string;
  readonly engine: string;
  readonly isDefault?: boolean;
  readonly favorite?: boolean;
}

export const ANNOTATOR_TYPES = ['learner', 'gazetteer', 'suggester', 'plan'] as const;
export type AnnotatorType = (typeof ANNOTATOR_TYPES)[number];
export type AnnotatorsByType = Readonly<Partial<Record<AnnotatorType, readonly Annotator[]>>>;

export const annotatorKeys = { all: ['annotators'] as const };

export const annotatorsQuery = (projectName: string) =>
  queryOptions({
    queryKey: [...annotatorKeys.all, projectName],
    queryFn: async () =>
      (await call(
        client.GET('/projects/{projectName}/annotators_by_type', { params: { path: { projectName } } }),
      )) as unknown as AnnotatorsByType,
    enabled: projectName !== '',
    staleTime: 0,
    meta: { errorTitle: 'getAnnotatorsByType' },
  });

/** Offsets are code points. */
export interface AnnotatedText {
  readonly text: string;
  readonly annotations?: readonly {
    readonly start: number;
    readonly end: number;
    readonly text?: string;
    readonly labelName: string;
    readonly score?: number | null;
  }[];
  readonly categories?: readonly { readonly labelName: string; readonly score?: number | null }[];
  readonly sentences?: readonly {
    readonly start: number;
    readonly end: number;
    readonly categories?: readonly { readonly labelName: string; readonly score?: number | null }[];
  }[];
}

/** S-056: nothing is stored; errors are returned immediately (error policy interactive). */
export async function annotateText(projectName: string, annotator: string, text: string): Promise<AnnotatedText> {
  const answer = await call(
    client.POST('/projects/{projectName}/annotators/{annotator}/_annotate', {
      params: { path: { projectName, annotator }, query: { errorPolicy: 'interactive' } as never },
      body: text as never,
      bodySerializer: (body: unknown) => body as string,
      headers: { 'Content-Type': 'text/plain; charset=utf-8' },
    }),
  );
  return answer as unknown as AnnotatedText;
}

/** C-072 */
export const ANNOTATE_SCOPES = ['wholeCorpus', 'dataset', 'currentSearch'] as const;
export type AnnotateScope = (typeof ANNOTATE_SCOPES)[number];

/** Scopes of the annotation dialog. The current search is offered in the dialog of /documents, with the other bulk actions. */
export const SERVED_SCOPES: readonly AnnotateScope[] = ANNOTATE_SCOPES;

/** The search of a screen, as request parameters. */
export type CurrentSearch = BulkSearch;

export interface CorpusAnnotationRequest {
  readonly annotator: string;
  /** The project of the annotator, when it is another one. */
  readonly annotatorProject?: string;
  readonly scope: AnnotateScope;
  readonly search?: CurrentSearch;
  readonly emailNotification?: boolean;
}

/** D-012: the scope selects the API call. */
export async function annotateCorpus(projectName: string, asked: CorpusAnnotationRequest): Promise<Job> {
  const { annotator, annotatorProject, scope, search } = asked;
  const mail = emailNotificationParams(asked.emailNotification);
  const from = annotatorProject === undefined || annotatorProject === projectName ? mail.query : { annotatorProject, ...mail.query };
  if (scope === 'wholeCorpus') {
    const query = { overwrite: true, ...from } as never;
    return (await call(
      client.POST('/projects/{projectName}/annotators/{annotator}/_annotate_corpus', {
        params: { path: { projectName, annotator }, query },
        headers: mail.headers,
      }),
    )) as unknown as Job;
  }
  const part = scope === 'dataset' ? { restrictedOnDatasetSegments: true } : search;
  const query = { annotator, ...from, ...part } as { annotator: string };
  return (await call(
    client.POST('/projects/{projectName}/documents/_search_and_annotate', {
      params: { path: { projectName }, query },
      headers: mail.headers,
    }),
  )) as Job;
}
