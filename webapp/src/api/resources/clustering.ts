/** S-046, C-073: clusters the texts of a project by their words, with default settings. */
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { call, client } from '@/api/client';
import { MissingRequirementError } from '@/api/errors';
import { componentDefaultsQuery } from './component-defaults';
import { engineFormQuery, enginesQuery, defaultsWithKnownValues, type EngineForm } from './components';
import { createExperiment, experimentKeys, launchExperiment, updateExperiment, type Experiment } from './experiments';

export const CLUSTERING_TAG = 'clustering-shortcut';

/** The experiments created by the shortcut; the first one is reused. */
export const clusteringsQuery = (projectName: string) =>
  queryOptions({
    queryKey: [...experimentKeys.all, projectName, 'tag', CLUSTERING_TAG] as const,
    queryFn: async () =>
      (await call(
        client.GET('/projects/{projectName}/experiments', {
          params: { path: { projectName }, query: { tags: CLUSTERING_TAG } as never },
        }),
      )) as unknown as Experiment[],
    enabled: projectName !== '',
    refetchInterval: (query) => (query.state.data?.some((item) => item.running) === true ? 2000 : false),
    meta: { silent: true },
  });

export interface ClusteringEngine {
  readonly name: string;
  readonly form: EngineForm;
  /** Whether it stands in for a proposed one that is not installed. */
  readonly replaced: boolean;
}

/** The first proposed engine that is installed, else another one that needs no annotations; null when there is none. */
export const clusteringEngineQuery = (queryClient: QueryClient, projectName: string, language: string) =>
  queryOptions({
    queryKey: ['components', projectName, 'clustering', language] as const,
    queryFn: async (): Promise<ClusteringEngine | null> => {
      const names = await queryClient.fetchQuery(enginesQuery(projectName, 'learner'));
      const { clustering } = await queryClient.fetchQuery(componentDefaultsQuery);
      const proposed = clustering.learners.filter((name) => names.includes(name));
      for (const name of [...proposed, ...names.filter((name) => !proposed.includes(name))]) {
        const form = await queryClient.fetchQuery(engineFormQuery(projectName, 'learner', name, language));
        if (form.needsLabels === false) return { name, form, replaced: !proposed.includes(name) };
      }
      return null;
    },
    enabled: projectName !== '',
    staleTime: 300_000,
    meta: { silent: true },
  });

/** Name of the parameter for the number of topics (C-073). */
export const TOPICS_PARAMETER = 'nr_topics';

/** Whether the engine lets the user choose the number of topics, and within which bounds. */
export function topicsRange(form: EngineForm): { readonly least: number; readonly most: number } | undefined {
  const properties = form.schema['properties'] as Readonly<Record<string, { minimum?: number; maximum?: number }>> | undefined;
  const field = properties?.[TOPICS_PARAMETER];
  return field === undefined ? undefined : { least: field.minimum ?? 2, most: field.maximum ?? 300 };
}

export interface ClusteringWish {
  /** Of a new experiment. */
  readonly label: string;
  readonly language: string;
  /** The greatest number of topics; undefined for an engine without this choice. */
  readonly topics: number | undefined;
  /** Whether the topics become labels and categories. */
  readonly annotate: boolean;
}

/** The experiment of the shortcut with the wished number of topics, created when there is none yet; resolves to its name. */
async function prepareClustering(
  queryClient: QueryClient,
  projectName: string,
  { label, language, topics }: ClusteringWish,
): Promise<string> {
  const wanted = topics === undefined ? {} : { [TOPICS_PARAMETER]: topics };
  const [first] = await queryClient.fetchQuery({ ...clusteringsQuery(projectName), staleTime: 0 });
  if (first !== undefined) {
    if (topics !== undefined && first.parameters[TOPICS_PARAMETER] !== topics)
      await updateExperiment(projectName, first.name, { parameters: { ...first.parameters, ...wanted } });
    return first.name;
  }
  const engine = await queryClient.fetchQuery(clusteringEngineQuery(queryClient, projectName, language));
  if (engine === null) throw new MissingRequirementError('topics');
  const { clustering } = await queryClient.fetchQuery(componentDefaultsQuery);
  const parameters = { ...defaultsWithKnownValues(engine.form, clustering.parameters ?? {}), ...wanted };
  const { name } = await createExperiment(projectName, { engine: engine.name, label, parameters, tags: [CLUSTERING_TAG] });
  return name;
}

/** Launches the experiment of the shortcut; resolves to its name. */
export async function launchClustering(queryClient: QueryClient, projectName: string, wish: ClusteringWish): Promise<string> {
  const name = await prepareClustering(queryClient, projectName, wish);
  await launchExperiment(projectName, name, wish.annotate);
  return name;
}
