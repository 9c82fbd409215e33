import { queryOptions } from '@tanstack/react-query';
import { call, client, MERGE_PATCH, type Schemas } from '@/api/client';

type ProjectRead = Schemas['ProjectBean'];
/** Relies only on the fields that the published description requires (conflicts.md 24). */
export type Project = Pick<ProjectRead, 'name' | 'label' | 'description' | 'image' | 'lang'> & Partial<ProjectRead>;
type Creation = Schemas['ProjectConfigCreation'];
/** The server validates language and nature. */
export type NewProject = Omit<Creation, 'lang' | 'nature'> & { readonly lang?: string; readonly nature?: string };

export const NATURES = ['sequence_labelling', 'classification', 'question_answering'] as const;
/** C-056 */
export const LANGUAGES = ['en', 'fr', 'de', 'nl', 'es', 'it', 'pt', 'ru', 'ar', 'zh', 'ja', 'hi', 'ur', 'fa', 'xx'] as const;

export const projectKeys = {
  all: ['projects'] as const,
  list: () => [...projectKeys.all, 'list'] as const,
  one: (name: string) => [...projectKeys.all, 'one', name] as const,
};

/** S-002: the short list of the home screen; counts are estimates. */
export const projectsQuery = () =>
  queryOptions({
    queryKey: projectKeys.list(),
    queryFn: async () => {
      const query = { computeMetrics: false, computeOwners: true, computeEngines: true, estimatedCounts: true };
      return (await call(client.GET('/projects', { params: { query } }))) as Project[];
    },
    meta: { errorTitle: 'getProjects' },
  });

/** Projects of a user or of a group, for administration. */
export const projectsOfQuery = (whose: { readonly username: string } | { readonly groupName: string }) =>
  queryOptions({
    queryKey: [...projectKeys.all, 'of', whose] as const,
    queryFn: async () =>
      (await call(client.GET('/projects', { params: { query: { computeMetrics: false, ...whose } } }))) as readonly Project[],
    meta: { silent: true },
  });

export const projectQuery = (name: string) =>
  queryOptions({
    queryKey: projectKeys.one(name),
    queryFn: async () => {
      const query = { computeMetrics: true, estimatedCounts: true, computeOwner: true, computeEngines: true };
      return (await call(client.GET('/projects/{projectName}/_info', { params: { path: { projectName: name }, query } }))) as Project;
    },
    enabled: name !== '',
    meta: { errorTitle: 'getProject' },
  });

export const createProject = (body: NewProject, groupName?: string) =>
  call(client.POST('/projects', { params: { query: groupName === undefined ? {} : { groupName } }, body: body as Creation }));

export interface StartedImport {
  readonly projectName: string;
  /** The project exists once this job has ended. */
  readonly jobId: string;
}

export async function loadProject(upload: Schemas['UploadedFile'], label: string, groupName?: string): Promise<StartedImport> {
  const query = { projectLabel: label, ...(groupName === undefined ? {} : { groupName }) };
  const job = (await call(client.POST('/projects/_load', { params: { query }, body: upload }))) as {
    id: string;
    project: string;
    projectName?: string;
  };
  return { projectName: job.projectName ?? job.project, jobId: job.id };
}

/** A project with the labels, settings and plans of another one, without its documents; `withTerms`: a job copies its vocabularies. */
export const createProjectFromTemplate = (template: string, body: NewProject, groupName?: string, withTerms = false) =>
  call(
    client.POST('/projects/{projectName}/_use_as_template', {
      params: { path: { projectName: template }, query: { withTerms, ...(groupName === undefined ? {} : { groupName }) } },
      body: body as Creation,
    }),
  );

/** Creates a project with the sample corpus; the job fills it and starts a training and a suggester. */
export const createSampleProject = () => call(client.POST('/projects/_sample'));

export const deleteProject = (projectName: string) => call(client.DELETE('/projects/{projectName}', { params: { path: { projectName } } }));

export const patchProject = (projectName: string, body: Schemas['ConfigPatchOptions']) =>
  call(client.PATCH('/projects/{projectName}/config', { params: { path: { projectName } }, body, ...MERGE_PATCH }));
