import { queryOptions } from '@tanstack/react-query';
import { call, client, MERGE_PATCH, type Schemas } from '@/api/client';
import { projectPathParams } from '@/api/path-params';
import type { Job } from './jobs';

export type Label = Schemas['Label'];
export type LabelSet = Partial<Omit<Schemas['LabelSet'], 'labels'>> & { readonly labels?: readonly Label[] };
export type LabelConsequences = Schemas['LabelConsequences'];

export const DEFAULT_LABEL_SET = 'default';

export const labelKeys = {
  all: ['labels'] as const,
  list: (project: string) => [...labelKeys.all, project, 'list'] as const,
  sets: (project: string) => [...labelKeys.all, project, 'sets'] as const,
};

export const labelsQuery = (projectName: string) =>
  queryOptions({
    queryKey: labelKeys.list(projectName),
    queryFn: async () =>
      (await call(
        client.GET('/projects/{projectName}/labels', { params: { path: { projectName }, query: { includeCount: true } } }),
      )) as Label[],
    enabled: projectName !== '',
    meta: { errorTitle: 'getLabel' },
  });

export const labelSetsQuery = (projectName: string) =>
  queryOptions({
    queryKey: labelKeys.sets(projectName),
    queryFn: async () => {
      const query = { includeLabels: true, includeLabelsCount: true };
      return (await call(client.GET('/projects/{projectName}/label_sets', { params: { path: { projectName }, query } }))) as LabelSet[];
    },
    enabled: projectName !== '',
    meta: { errorTitle: 'getLabelSets' },
  });

const labelPathParams = (projectName: string, labelName: string) => ({ path: { projectName, labelName } });
const labelSetPathParams = (projectName: string, name: string) => ({ path: { projectName, name } });
/** A change is based on the version that was shown; for another one the server refuses it and returns the present state. */
const ifMatchHeaders = (version: number | undefined) => ({
  headers: { ...MERGE_PATCH.headers, ...(version === undefined ? {} : { 'If-Match': `"${String(version)}"` }) },
});

export const createLabel = (projectName: string, body: Schemas['PartialLabel']) =>
  call(client.POST('/projects/{projectName}/labels', { params: projectPathParams(projectName), body }));

/** All or none; labels that the project has already are left as they are. */
export const createLabels = (projectName: string, labels: readonly Schemas['PartialLabel'][], labelSetName: string) =>
  call(
    client.POST('/projects/{projectName}/labels/_list', {
      params: projectPathParams(projectName),
      body: { labels: [...labels], labelSetName },
    }),
  );

export const updateLabel = (projectName: string, labelName: string, body: Schemas['LabelUpdate'], version?: number) =>
  call(
    client.PATCH('/projects/{projectName}/labels/{labelName}', {
      params: labelPathParams(projectName, labelName),
      body,
      ...ifMatchHeaders(version),
    }),
  );

export const createLabelSet = (projectName: string, body: Schemas['LabelSetUpdate']) =>
  call(client.POST('/projects/{projectName}/label_sets', { params: projectPathParams(projectName), body: body as never }));

export const updateLabelSet = (projectName: string, name: string, body: Schemas['LabelSetUpdate'], version?: number) =>
  call(
    client.PATCH('/projects/{projectName}/label_sets/{name}', {
      params: labelSetPathParams(projectName, name),
      body,
      ...ifMatchHeaders(version),
    }),
  );

// --- bulk operations on labelling: each returns the finished or running job ---

const removeJobOfAnswer = (answer: { readonly removeJob?: unknown }): Job => answer.removeJob as Job;

export const deleteLabels = async (projectName: string, names: readonly string[]): Promise<Job> =>
  removeJobOfAnswer(
    await call(client.DELETE('/projects/{projectName}/labels', { params: projectPathParams(projectName), body: { names: [...names] } })),
  );

export const deleteLabelSet = async (projectName: string, name: string): Promise<Job> =>
  removeJobOfAnswer(
    await call(client.DELETE('/projects/{projectName}/label_sets/{name}', { params: labelSetPathParams(projectName, name) })),
  );

/** The first one remains. */
export const mergeLabels = async (projectName: string, names: readonly string[]): Promise<Job> =>
  removeJobOfAnswer(
    await call(
      client.POST('/projects/{projectName}/labels/_merge', { params: projectPathParams(projectName), body: { names: [...names] } }),
    ),
  );

/** The first one remains. */
export const mergeLabelSets = async (projectName: string, names: readonly string[]): Promise<Job> =>
  removeJobOfAnswer(
    await call(
      client.POST('/projects/{projectName}/label_sets/_merge', { params: projectPathParams(projectName), body: { names: [...names] } }),
    ),
  );

export const moveLabels = async (projectName: string, names: readonly string[], labelSetName: string): Promise<Job> =>
  removeJobOfAnswer(
    await call(
      client.POST('/projects/{projectName}/labels/_move', {
        params: projectPathParams(projectName),
        body: { names: [...names], labelSetName },
      }),
    ),
  );

/** Selects the annotations of a label that get another label; an empty list or text means any. */
export interface LabellingChoice {
  readonly target: string;
  readonly text: string;
  readonly createdBy: readonly string[];
  readonly statuses: readonly ('OK' | 'KO' | 'undefined')[];
  readonly creationModes: readonly ('manual' | 'automatic' | 'imported' | 'undefined')[];
}

const moveLabelling = (projectName: string, labelName: string, choice: LabellingChoice, dryRun: boolean, signal?: AbortSignal) =>
  call(
    client.POST('/projects/{projectName}/labels/{labelName}/_move', {
      params: labelPathParams(projectName, labelName),
      body: {
        ...choice,
        createdBy: [...choice.createdBy],
        statuses: [...choice.statuses],
        creationModes: [...choice.creationModes],
        dryRun,
      },
      ...(signal === undefined ? {} : { signal }),
    }),
  );

export const splitLabel = async (projectName: string, labelName: string, choice: LabellingChoice): Promise<Job> =>
  (await moveLabelling(projectName, labelName, choice, false)).job as unknown as Job;

/** Number of selected annotations and categories. */
export const labellingChoiceCountQuery = (projectName: string, labelName: string, choice: LabellingChoice) =>
  queryOptions({
    queryKey: [...labelKeys.all, projectName, 'choice', labelName, choice] as const,
    queryFn: async ({ signal }) => (await moveLabelling(projectName, labelName, choice, true, signal)).count,
    enabled: choice.target !== '',
    staleTime: 0,
    meta: { silent: true },
  });

/** What deleting or merging labels would affect. */
export const consequencesQuery = (projectName: string, names: readonly string[]) =>
  queryOptions({
    queryKey: [...labelKeys.all, projectName, 'consequences', [...names].sort()] as const,
    queryFn: async ({ signal }) =>
      (await call(
        client.POST('/projects/{projectName}/labels/_consequences', {
          params: projectPathParams(projectName),
          body: { names: [...names] },
          signal,
        }),
      )) as LabelConsequences,
    enabled: names.length > 0,
    staleTime: 0,
    meta: { silent: true },
  });
