import { queryOptions } from '@tanstack/react-query';
import { call, client, MERGE_PATCH, type Schemas } from '../client';

export type Label = Schemas['Label'];
export type LabelSet = Partial<Omit<Schemas['LabelSet'], 'labels'>> & { readonly labels?: readonly Label[] };

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

const labelPath = (projectName: string, labelName: string) => ({ path: { projectName, labelName } });

export const createLabel = (projectName: string, body: Schemas['PartialLabel']) =>
  call(client.POST('/projects/{projectName}/labels', { params: { path: { projectName } }, body }));

export const updateLabel = (projectName: string, labelName: string, body: Schemas['LabelUpdate']) =>
  call(client.PATCH('/projects/{projectName}/labels/{labelName}', { params: labelPath(projectName, labelName), body, ...MERGE_PATCH }));

export const deleteLabel = (projectName: string, labelName: string) =>
  call(client.DELETE('/projects/{projectName}/labels/{labelName}', { params: labelPath(projectName, labelName) }));
