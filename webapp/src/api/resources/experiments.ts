import { queryOptions } from '@tanstack/react-query';
import { call, client, MERGE_PATCH } from '@/api/client';
import { projectPathParams } from '@/api/path-params';
import { idempotencyHeader } from '@/api/idempotency';
import { emailNotificationParams } from '@/api/email-notification';
import type { Job } from './jobs';
import type { ConfidenceInterval, Measurement } from './measurement';

/** 0..1; an undefined figure is left out. */
export interface QualityFigures {
  readonly f1?: number;
  readonly precision?: number;
  readonly recall?: number;
  readonly roc_auc?: number;
  readonly ndcg?: number;
  readonly rr?: number;
  readonly ap?: number;
  readonly support?: number;
}

/**
 * A cluster of texts with similar words. `quality` (how well its texts are separated from others) and `coherence` (whether its words occur
 * together) 0..1; `labelName` once the corpus was annotated with it.
 */
export interface Topic {
  readonly name: string;
  readonly title: string;
  readonly words: readonly { readonly word: string; readonly weight: number }[];
  readonly size: number;
  readonly quality?: number;
  readonly coherence?: number;
  readonly labelName?: string;
}

/** Result of a training without annotations. */
export interface TopicsReport {
  /** Largest first. */
  readonly topics?: readonly Topic[];
  /** Number of documents or segments that were read, and of those in no topic. */
  readonly pieces?: number;
  readonly outliers?: number;
  readonly sourceCollection?: 'documents' | 'segments';
  readonly labelSetName?: string;
  /** The parameters really used, where an installation lacks what was requested. */
  readonly used?: Readonly<Record<string, unknown>>;
}

type FigureIntervals = Partial<Record<keyof QualityFigures, ConfidenceInterval>>;

export interface ReportIntervals {
  readonly microAvg?: FigureIntervals;
  readonly macroAvg?: FigureIntervals;
  readonly weightedAvg?: FigureIntervals;
  readonly samplesAvg?: FigureIntervals;
  readonly classes?: Readonly<Record<string, FigureIntervals>>;
  readonly distinctness?: ConfidenceInterval;
}

export interface TrainingReport extends TopicsReport {
  readonly microAvg?: QualityFigures;
  readonly macroAvg?: QualityFigures;
  readonly weightedAvg?: QualityFigures;
  readonly samplesAvg?: QualityFigures;
  readonly classes?: Readonly<Record<string, QualityFigures>>;
  /** How the test part was selected. */
  readonly split?: string;
  readonly trainingSize?: number;
  readonly testSize?: number;
  /** Share of test documents without any error. */
  readonly accuracy?: number;
  /** Absent in reports of older trainings. */
  readonly measurement?: Measurement;
  readonly intervals?: ReportIntervals;
  /** Separation of topics, 0..1. */
  readonly distinctness?: number;
}

export interface Training {
  readonly timestamp: number;
  readonly quality: number;
  readonly report?: TrainingReport | null;
  readonly trainingSize?: number;
}

/** What an experiment and a suggester have in common. `timestamp` and `duration` in milliseconds, `quality` in percent. */
export interface TrainedEngine {
  readonly name: string;
  readonly label: string;
  readonly engine: string;
  readonly parameters: Record<string, unknown>;
  readonly models: number;
  readonly timestamp: number;
  readonly duration: number;
  readonly uptodate: boolean;
  readonly running: boolean;
  readonly jobId?: string;
  readonly tags?: readonly string[];
  readonly quality?: number;
}

/** `history` newest first, ten at most (C-034). */
export interface Experiment extends TrainedEngine {
  readonly favorite?: boolean;
  readonly emailNotification?: boolean;
  /** Metadata field whose values keep documents in the same part when a test part is drawn; empty for none. */
  readonly groupField?: string;
  /** The deployed model is also trained on the drawn test part after the measurement. */
  readonly trainOnAll?: boolean;
  /** The model was trained by another installation; absent for models trained here. */
  readonly foreignModel?: 'accepted' | 'waiting' | 'crashed';
  /** Its engine groups texts into topics instead of learning labels. */
  readonly findsTopics?: boolean;
  readonly classes?: readonly string[];
  readonly report?: TrainingReport;
  readonly history?: readonly Training[];
}

export interface EngineSettings {
  readonly engine: string;
  readonly label: string;
  readonly parameters: Record<string, unknown>;
}

export type EngineSettingsChange = Partial<Pick<EngineSettings, 'label' | 'parameters'>>;

export const experimentKeys = {
  all: ['experiments'] as const,
  list: (project: string) => [...experimentKeys.all, project, 'list'] as const,
};

const experimentPathParams = (projectName: string, name: string) => ({ path: { projectName, name } });

export const experimentsQuery = (projectName: string) =>
  queryOptions({
    queryKey: experimentKeys.list(projectName),
    queryFn: async () =>
      (await call(
        client.GET('/projects/{projectName}/experiments', { params: projectPathParams(projectName) }),
      )) as unknown as Experiment[],
    enabled: projectName !== '',
    refetchInterval: (query) => (query.state.data?.some((item) => item.running) === true ? 2000 : false),
    meta: { errorTitle: 'getExperiments' },
  });

/** An experiment that is named by the address but not in the list. */
export const experimentQuery = (projectName: string, name: string) =>
  queryOptions({
    queryKey: [...experimentKeys.all, projectName, 'one', name] as const,
    queryFn: async () =>
      (await call(
        client.GET('/projects/{projectName}/experiments/{name}', { params: experimentPathParams(projectName, name) }),
      )) as unknown as Experiment,
    retry: false,
    meta: { errorTitle: 'getExperiment' },
  });

export interface ExperimentOptions {
  readonly emailNotification?: boolean;
  readonly groupField?: string;
  readonly trainOnAll?: boolean;
}

export const createExperiment = (projectName: string, body: EngineSettings & ExperimentOptions & { tags?: readonly string[] }) =>
  call(
    client.POST('/projects/{projectName}/experiments', {
      params: projectPathParams(projectName),
      body: body as never,
      headers: idempotencyHeader(),
    }),
  ) as Promise<{ name: string }>;

/** V-030: sends only what changed. */
export const updateExperiment = (
  projectName: string,
  name: string,
  body: EngineSettingsChange & ExperimentOptions & { favorite?: boolean },
) =>
  call(
    client.PATCH('/projects/{projectName}/experiments/{name}', {
      params: experimentPathParams(projectName, name),
      body: body as never,
      ...MERGE_PATCH,
    }),
  );

export const deleteExperiment = (projectName: string, name: string) =>
  call(client.DELETE('/projects/{projectName}/experiments/{name}', { params: experimentPathParams(projectName, name) }));

/** For an hour after it was deleted. */
export const restoreExperiment = (projectName: string, name: string) =>
  call(
    client.POST('/projects/{projectName}/experiments/{name}/_restore', {
      params: experimentPathParams(projectName, name),
      headers: idempotencyHeader(),
    }),
  );

export const launchExperiment = async (projectName: string, name: string, annotateCorpus: boolean) =>
  (await call(
    client.POST('/projects/{projectName}/experiments/{name}/_launch', {
      params: { ...experimentPathParams(projectName, name), query: { annotateCorpus } as never },
      headers: emailNotificationParams(false).headers,
    }),
  )) as unknown as Job;

export const cancelExperiment = (projectName: string, name: string) =>
  call(client.POST('/projects/{projectName}/experiments/{name}/_cancel', { params: experimentPathParams(projectName, name) }));

export async function proposeExperimentLabel(projectName: string, label: string): Promise<string> {
  const answer = await call(
    client.POST('/projects/{projectName}/experiments/_label_hint', { params: projectPathParams(projectName), body: { label } as never }),
  );
  return (answer as { labelHint: string }).labelHint;
}
