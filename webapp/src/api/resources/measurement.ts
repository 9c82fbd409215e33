/** Measurement of models: the part of a report about it, the forecast for a training, the two parts of a corpus. */
import { queryOptions } from '@tanstack/react-query';
import { call, client, type Schemas } from '@/api/client';

export type Method = 'project' | 'heldOut' | 'crossValidation' | 'sameTexts' | 'none';
export type SplitUnit = 'document' | 'field' | 'segment';
export const CAUTIONS = ['oneGroup', 'fewGroups', 'testPartNotAnnotated', 'sameTexts'] as const;

interface Side {
  readonly groups?: number;
  readonly documents?: number;
  readonly segments: number;
}

/** The measurement in a report: how the test part was drawn, the content of both parts, the training data of the deployed model. */
export interface Measurement {
  readonly method: Method;
  readonly unit: SplitUnit;
  readonly groupField?: string;
  readonly seed?: number;
  /** Share of the segments or documents, 0..1. */
  readonly share?: number;
  readonly folds?: number;
  readonly train: Side;
  readonly test: Side;
  readonly untestedLabels?: readonly string[];
  readonly confidence: number;
  readonly resamples: number;
  readonly cautions?: readonly string[];
  readonly modelInUse?: Partial<Side> & { readonly retrained: boolean };
}

const isSplitSide = (value: unknown): boolean => typeof (value as Partial<Side> | null | undefined)?.segments === 'number';

/** The measurement of a report; undefined in reports of older trainings, and for other content in imported archives. */
export function measurementOf(report: { readonly measurement?: unknown } | null | undefined): Measurement | undefined {
  const given = report?.measurement as Partial<Measurement> | null | undefined;
  return typeof given?.method === 'string' && isSplitSide(given.train) && isSplitSide(given.test) ? (given as Measurement) : undefined;
}

/** What the model learned from and was tested on: whole documents, where each was one text to classify, else segments. */
export function sampleUnitOf(report: { readonly measurement?: unknown } | null | undefined): 'documents' | 'segments' {
  const measurement = measurementOf(report);
  if (measurement === undefined) return 'segments';
  const { train, test } = measurement;
  return train.documents === train.segments && test.documents === test.segments ? 'documents' : 'segments';
}

/** Lower and upper bound, 0..1. */
export type ConfidenceInterval = readonly [number, number];

export type Forecast = Schemas['MeasurementForecast'];
export type Split = Schemas['SplitRead'];

/** How a training started now would be measured; empty field: documents are not grouped. */
export const measurementForecastQuery = (projectName: string, groupField: string) =>
  queryOptions({
    queryKey: ['experiments', projectName, 'measurement', groupField] as const,
    queryFn: async () => {
      const params = { path: { projectName }, query: { groupField } };
      return (await call(client.GET('/projects/{projectName}/experiments/_measurement', { params }))) as Forecast;
    },
    enabled: projectName !== '',
    meta: { silent: true },
  });

/** The present parts of the corpus. */
export const splitQuery = (projectName: string) =>
  queryOptions({
    queryKey: ['experiments', projectName, 'split'] as const,
    queryFn: async () => (await call(client.GET('/projects/{projectName}/_split_corpus', { params: { path: { projectName } } }))) as Split,
    enabled: projectName !== '',
    meta: { silent: true },
  });

export type SplitRequest =
  | { readonly by: 'random'; readonly testSize: number; readonly incremental: boolean; readonly groupField: string }
  | { readonly by: 'metadata'; readonly metadataField: string; readonly testValues: readonly string[] }
  | { readonly by: 'search'; readonly query: string; readonly simpleQuery: boolean };

/** T-032: splits again; `incremental` keeps the part of documents that have one. */
export const splitCorpus = (projectName: string, asked: SplitRequest) =>
  call(client.POST('/projects/{projectName}/_split_corpus', { params: { path: { projectName }, query: asked as never } }));
