/** Saved questions of a project, the passages judged for them, their import and export (S-028). Offsets are code points of the document. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { BASE, call, client, type Schemas } from '@/api/client';
import type { Job } from './jobs';
import type { CodePointRange } from './search';

export interface SavedQuestion {
  readonly identifier: string;
  readonly text: string;
  /** Known answers. */
  readonly answers: readonly string[];
  /** Number of judged passages, and of those judged relevant. */
  readonly judged: number;
  readonly relevant: number;
  readonly createdBy?: string;
  readonly createdDate?: string;
  readonly modifiedDate?: string;
}

export interface QuestionPage {
  readonly questions: readonly SavedQuestion[];
  readonly total: number;
}

/** 0: not relevant; 1 to 3: relevant, the more the better. */
export const GRADES = [0, 1, 2, 3] as const;
export type Grade = (typeof GRADES)[number];

/** A passage of a document. */
export interface Passage extends CodePointRange {
  readonly documentIdentifier: string;
}

export interface Judgement extends Passage {
  readonly documentTitle?: string;
  readonly text?: string;
  readonly grade: Grade;
  readonly createdBy?: string;
  readonly modifiedDate?: string;
}

export interface QuestionContent {
  readonly text: string;
  readonly answers: readonly string[];
}

/** C-023: at most so many in one call. */
export const QUESTIONS_PER_CALL = 1000;
/** Candidates that are looked at for a question of exactly one text. */
const SAME_TEXT_CANDIDATES = 20;
/** As the server's limit. */
const LONGEST_FIND = 1000;

export const questionKeys = {
  all: ['questions'] as const,
  lists: (project: string) => [...questionKeys.all, project, 'list'] as const,
  list: (project: string, find: string) => [...questionKeys.lists(project), find] as const,
  sameText: (project: string, text: string) => [...questionKeys.all, project, 'same-text', text] as const,
  judgements: (project: string, identifier: string) => [...questionKeys.all, project, 'judgements', identifier] as const,
};

const path = (projectName: string) => ({ path: { projectName } });

async function fetchQuestions(projectName: string, find: string, from: number, size: number, signal: AbortSignal): Promise<QuestionPage> {
  const query = { from, size, ...(find !== '' && { find }) };
  const params = { ...path(projectName), query };
  return (await call(client.GET('/projects/{projectName}/questions', { params, signal }))) as unknown as QuestionPage;
}

/** Questions whose text contains `find`, a thousand at a time. */
export const savedQuestionsQuery = (project: string, find: string) =>
  infiniteQueryOptions({
    queryKey: questionKeys.list(project, find),
    queryFn: ({ pageParam, signal }) => fetchQuestions(project, find, pageParam, QUESTIONS_PER_CALL, signal),
    initialPageParam: 0,
    getNextPageParam: ({ questions, total }, pages) => {
      const loaded = pages.reduce((sum, page) => sum + page.questions.length, 0);
      return questions.length > 0 && loaded < total ? loaded : undefined;
    },
    placeholderData: keepPreviousData,
    enabled: project !== '',
    meta: { silent: true },
  });

/** Equal but for case and white space. */
const comparable = (text: string) => text.normalize('NFC').trim().replace(/\s+/gu, ' ').toLowerCase();
export const isSameQuestion = (one: string, other: string): boolean => comparable(one) === comparable(other);

/** The saved question of this text; null: it is not saved. */
export const questionOfTextQuery = (project: string, text: string) =>
  queryOptions({
    queryKey: questionKeys.sameText(project, text),
    queryFn: async ({ signal }): Promise<SavedQuestion | null> => {
      const { questions } = await fetchQuestions(project, text.slice(0, LONGEST_FIND), 0, SAME_TEXT_CANDIDATES, signal);
      return questions.find((one) => one.text === text) ?? questions.find((one) => isSameQuestion(one.text, text)) ?? null;
    },
    enabled: project !== '' && text !== '',
    meta: { silent: true },
  });

export const addQuestion = async (projectName: string, body: QuestionContent & { readonly identifier?: string }): Promise<SavedQuestion> =>
  (await call(
    client.POST('/projects/{projectName}/questions', { params: path(projectName), body: body as never }),
  )) as unknown as SavedQuestion;

export const changeQuestion = async (projectName: string, identifier: string, body: Partial<QuestionContent>): Promise<SavedQuestion> =>
  (await call(
    client.PATCH('/projects/{projectName}/questions/{questionId}', {
      params: { path: { projectName, questionId: identifier } },
      body: body as never,
    }),
  )) as unknown as SavedQuestion;

export const deleteQuestion = (projectName: string, identifier: string) =>
  call(client.DELETE('/projects/{projectName}/questions/{questionId}', { params: { path: { projectName, questionId: identifier } } }));

export const restoreQuestion = (projectName: string, identifier: string) =>
  call(
    client.POST('/projects/{projectName}/questions/{questionId}/_restore', { params: { path: { projectName, questionId: identifier } } }),
  );

/** The job that deletes them, which can be undone; undefined: there were none. */
export async function deleteAllQuestions(projectName: string): Promise<Job | undefined> {
  const { job } = await call(client.POST('/projects/{projectName}/questions/_delete_all', { params: path(projectName) }));
  return (job ?? undefined) as Job | undefined;
}

export const judgementsQuery = (projectName: string, identifier: string) =>
  queryOptions({
    queryKey: questionKeys.judgements(projectName, identifier),
    queryFn: async ({ signal }): Promise<readonly Judgement[]> => {
      const params = { path: { projectName, questionId: identifier } };
      const found = await call(client.GET('/projects/{projectName}/questions/{questionId}/judgements', { params, signal }));
      return found as unknown as readonly Judgement[];
    },
    enabled: projectName !== '' && identifier !== '',
    meta: { errorTitle: 'getJudgements' },
  });

const rangeOf = ({ documentIdentifier, start, end }: Passage): Passage => ({ documentIdentifier, start, end });

export const judgePassage = (projectName: string, identifier: string, passage: Passage, grade: Grade) =>
  call(
    client.PUT('/projects/{projectName}/questions/{questionId}/judgements', {
      params: { path: { projectName, questionId: identifier } },
      body: { ...rangeOf(passage), grade } as never,
    }),
  );

export const clearJudgement = (projectName: string, identifier: string, passage: Passage) =>
  call(
    client.POST('/projects/{projectName}/questions/{questionId}/judgements/_delete', {
      params: { path: { projectName, questionId: identifier } },
      body: rangeOf(passage) as never,
    }),
  );

/** The job that imports uploaded files of questions. */
export const importQuestions = async (projectName: string, uploads: readonly Schemas['UploadedFile'][]): Promise<Job> =>
  (await call(
    client.POST('/projects/{projectName}/questions/_import', { params: path(projectName), body: uploads as never }),
  )) as unknown as Job;

export const EXPORT_FORMATS = ['json', 'squad', 'beir'] as const;
export type QuestionExportFormat = (typeof EXPORT_FORMATS)[number];

export const exportAddress = (project: string, format: QuestionExportFormat) =>
  `${BASE}/projects/${encodeURIComponent(project)}/questions/_export?format=${format}`;

/** Download address of the example file (C-052). */
export const QUESTIONS_SAMPLE = `${BASE}/samples/sample-questions.json`;
