/** S-045: experiments that compare ways of searching, or of answering, on the saved questions of a project. */
import { queryOptions } from '@tanstack/react-query';
import { BASE, call, client, MERGE_PATCH } from '@/api/client';
import { idempotencyHeader } from '@/api/idempotency';
import { projectPathParams } from '@/api/path-params';
import type { SearchSettings, SearchType } from '@/state/search-types';
import { experimentKeys } from './experiments';
import type { Job } from './jobs';
import type { ConfidenceInterval } from './measurement';

/** `ranking`: searches, on judged questions. `answers`: answerers, on questions with known answers. */
export type QualityKind = 'ranking' | 'answers';

/** 0..1; C-076 for the order of the first three. */
export const RANKING_FIGURES = ['ndcg', 'rr', 'ap', 'recall5', 'recall10'] as const;
export const ANSWER_FIGURES = ['f1', 'em', 'citationPrecision', 'citationRecall'] as const;
export type Figure = (typeof RANKING_FIGURES)[number] | (typeof ANSWER_FIGURES)[number];
export type Figures = Readonly<Partial<Record<Figure, number | null>>>;

export interface RankingParameters {
  readonly searchTypes: readonly SearchType[];
  /** Names of vectorizations; empty: the one in use. */
  readonly vectorizers: readonly string[];
  /** 0..1, of the vector rank relative to the text rank; empty: the measured one. */
  readonly vectorWeights: readonly number[];
  /** An empty name: without reranker. */
  readonly rerankers: readonly string[];
  readonly plans: readonly string[];
  /** Whether a ranking is learned from the judgements, and compared on held-back questions. */
  readonly learned: boolean;
  readonly folds: number;
  readonly depth: number;
  readonly seed: number;
}

/** An empty answerer is the one in use. Limits protect from the cost of servers, such as language models; `maxCost` 0: none. */
export interface AnswerParameters {
  readonly answerers: readonly string[];
  readonly maxQuestions: number;
  readonly maxCalls: number;
  readonly callsPerMinute: number;
  readonly maxCost: number;
  readonly seed: number;
}

/** Those of the kind of the experiment. */
export interface QualityParameters {
  readonly ranking?: RankingParameters | null;
  readonly answers?: AnswerParameters | null;
}

/** Counts of questions: the documents tell the answer or not, and the answerer answered or not. */
export interface AnswerCounts {
  readonly toldRight?: number;
  readonly toldWrong?: number;
  readonly notToldRight?: number;
  readonly notToldWrong?: number;
}

export type Configuration = Figures &
  AnswerCounts & {
    readonly key: string;
    readonly label: string;
    readonly settings: SearchSettings;
    readonly ci?: Readonly<Partial<Record<Figure, ConfidenceInterval | null>>>;
    readonly seconds?: number;
  };

/**
 * `difference` of the main figure to that of `against`, with its interval; `p` of a paired test, 0..1. `better`, `worse`: numbers of
 * questions.
 */
export interface Comparison {
  readonly key: string;
  readonly against: string;
  readonly difference: number;
  readonly p: number;
  readonly ci?: ConfidenceInterval;
  readonly better?: number;
  readonly worse?: number;
}

/** How the best configuration was found, and its difference to the baseline on questions that had no part in that. */
export interface Choice {
  readonly folds: number;
  readonly difference?: number;
  readonly p: number;
  readonly significant: boolean;
}

/** `used` only if it is better than the best other configuration on questions that it did not learn from. */
export interface LearnedRanking {
  /** By feature. */
  readonly weights: Readonly<Record<string, number>>;
  readonly used: boolean;
  readonly reason: 'better' | 'fewQuestions' | 'nothingToLearn' | 'notBetter';
  /** To the best other configuration. */
  readonly difference?: number | null;
  readonly p?: number | null;
}

export interface QualityReport {
  /** Saved questions, and those that were measured. */
  readonly questions: number;
  readonly judged: number;
  readonly skipped?: Readonly<Record<string, number>>;
  /** In the order of the parameters. */
  readonly configurations: readonly Configuration[];
  readonly best: string;
  readonly baseline: string;
  readonly comparisons: readonly Comparison[];
  readonly choice?: Choice;
  readonly learned?: LearnedRanking | null;
}

/** `timestamp` and `duration` in milliseconds. */
export interface QualityExperiment {
  readonly name: string;
  readonly label: string;
  readonly kind: QualityKind;
  readonly parameters: QualityParameters;
  readonly jobId?: string | null;
  readonly running: boolean;
  readonly uptodate: boolean;
  readonly timestamp: number;
  readonly duration: number;
  readonly favorite: boolean;
  readonly emailNotification: boolean;
  readonly report?: QualityReport | null;
  readonly createdBy?: string;
}

export interface QualityDraft {
  readonly label: string;
  readonly kind: QualityKind;
  readonly parameters: QualityParameters;
  readonly emailNotification?: boolean;
}

/** What a launch would do. `needed` questions are the least, `most` configurations the limit; `calls` are those to servers. */
export interface QualityEstimate {
  readonly questions: number;
  readonly configurations: number;
  readonly searches: number;
  readonly answers: number;
  readonly calls: number;
  /** There are more questions than the limits allow. */
  readonly limited: boolean;
  readonly needed: number;
  readonly most: number;
}

export type QuestionOrder = 'worst' | 'best' | 'difference';

export interface MeasuredQuestion {
  readonly identifier: string;
  readonly text: string;
  /** By the key of the configuration. */
  readonly figures: Readonly<Record<string, Figures>>;
  readonly known?: readonly string[];
  /** The beginnings of the answers, by the key of the configuration; empty: the documents do not tell. */
  readonly answers?: Readonly<Record<string, string>>;
  /** Main figure of the best configuration minus that of the baseline. */
  readonly difference: number;
}

export interface QuestionPage {
  readonly from: number;
  readonly size: number;
  readonly sort: QuestionOrder;
}

/** Begins with `experiments`, so that live events of experiments invalidate it. */
export const qualityKeys = {
  all: [...experimentKeys.all, 'quality'] as const,
  list: (project: string) => [...qualityKeys.all, project, 'list'] as const,
  questions: (project: string, name: string) => [...qualityKeys.all, project, 'questions', name] as const,
};

const ROOT = '/projects/{projectName}/ranking_experiments';
const pathOf = (projectName: string, name: string) => ({ path: { projectName, experimentName: name } });

export const qualityExperimentsQuery = (projectName: string) =>
  queryOptions({
    queryKey: qualityKeys.list(projectName),
    queryFn: async () => (await call(client.GET(ROOT, { params: projectPathParams(projectName) }))) as unknown as QualityExperiment[],
    enabled: projectName !== '',
    refetchInterval: (query) => (query.state.data?.some((item) => item.running) === true ? 2000 : false),
    meta: { errorTitle: 'getExperiments' },
  });

export const qualityEstimateQuery = (projectName: string, kind: QualityKind, parameters: QualityParameters) =>
  queryOptions({
    // Begins with `questions`: judging one changes it.
    queryKey: ['questions', projectName, 'estimate', kind, parameters] as const,
    queryFn: async ({ signal }) =>
      (await call(
        client.POST(`${ROOT}/_estimate`, { params: projectPathParams(projectName), body: { kind, parameters } as never, signal }),
      )) as unknown as QualityEstimate,
    enabled: projectName !== '',
    placeholderData: (before) => before,
    retry: false,
    meta: { silent: true },
  });

export const createQualityExperiment = async (projectName: string, body: QualityDraft) =>
  (await call(
    client.POST(ROOT, { params: projectPathParams(projectName), body: body as never, headers: idempotencyHeader() }),
  )) as unknown as { readonly name: string };

/** V-030: sends only what changed. */
export const updateQualityExperiment = (
  projectName: string,
  name: string,
  body: Partial<Omit<QualityDraft, 'kind'>> & { favorite?: boolean },
) => call(client.PATCH(`${ROOT}/{experimentName}`, { params: pathOf(projectName, name), body: body as never, ...MERGE_PATCH }));

export const deleteQualityExperiment = (projectName: string, name: string) =>
  call(client.DELETE(`${ROOT}/{experimentName}`, { params: pathOf(projectName, name) }));

export const cloneQualityExperiment = async (projectName: string, name: string) =>
  (await call(
    client.POST(`${ROOT}/{experimentName}/_clone`, { params: pathOf(projectName, name), headers: idempotencyHeader() }),
  )) as unknown as { readonly name: string };

export const launchQualityExperiment = async (projectName: string, name: string) =>
  (await call(client.POST(`${ROOT}/{experimentName}/_launch`, { params: pathOf(projectName, name) }))) as unknown as Job;

/** Ends the run; the last report stays. */
export const stopQualityExperiment = (projectName: string, name: string) =>
  call(client.POST(`${ROOT}/{experimentName}/_cancel`, { params: pathOf(projectName, name) }));

/** The settings of a configuration become the project's default of searching, or its answerer that of answering. */
export const makeConfigurationDefault = (projectName: string, name: string, configuration: string) =>
  call(client.POST(`${ROOT}/{experimentName}/_make_default`, { params: pathOf(projectName, name), body: { configuration } }));

export interface MeasuredQuestions {
  readonly questions: readonly MeasuredQuestion[];
  readonly total: number;
}

export const measuredQuestionsQuery = (projectName: string, name: string, timestamp: number, page: QuestionPage) =>
  queryOptions({
    queryKey: [...qualityKeys.questions(projectName, name), timestamp, page] as const,
    queryFn: async ({ signal }) => {
      const options = { params: { ...pathOf(projectName, name), query: page as never }, signal };
      return (await call(client.GET(`${ROOT}/{experimentName}/questions`, options))) as unknown as MeasuredQuestions;
    },
    placeholderData: (before) => before,
    meta: { silent: true },
  });

/** Address of the report as a file. */
export const qualityExportAddress = (projectName: string, name: string, format: 'json' | 'csv') =>
  `${BASE}/projects/${encodeURIComponent(projectName)}/ranking_experiments/${encodeURIComponent(name)}/_export?format=${format}`;
