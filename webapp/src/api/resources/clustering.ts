/** S-046, C-073: clusters the texts of a project by their words, with default settings. */
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { call, client } from '@/api/client';
import { MissingRequirementError } from '@/api/errors';
import { TOPIC_LEARNER } from './component-defaults';
import { engineFormQuery, enginesQuery, defaultsWithKnownValues, type EngineForm } from './components';
import { createExperiment, experimentKeys, launchExperiment, type Experiment } from './experiments';

/** C-073 */
export const CLUSTERING = {
  tag: 'clustering-shortcut',
  engine: TOPIC_LEARNER.name,
  parameters: TOPIC_LEARNER.parameters,
} as const;

/** The experiments created by the shortcut; the first one is reused. */
export const clusteringsQuery = (projectName: string) =>
  queryOptions({
    queryKey: [...experimentKeys.all, projectName, 'tag', CLUSTERING.tag] as const,
    queryFn: async () =>
      (await call(
        client.GET('/projects/{projectName}/experiments', {
          params: { path: { projectName }, query: { tags: CLUSTERING.tag } as never },
        }),
      )) as unknown as Experiment[],
    enabled: projectName !== '',
    refetchInterval: (query) => (query.state.data?.some((item) => item.running) === true ? 2000 : false),
    meta: { silent: true },
  });

export interface ClusteringEngine {
  readonly name: string;
  readonly form: EngineForm;
}

/** The engine of C-073 where it is installed, else another one that needs no annotations; null when there is none. */
export const clusteringEngineQuery = (queryClient: QueryClient, projectName: string, language: string) =>
  queryOptions({
    queryKey: ['components', projectName, 'clustering', language] as const,
    queryFn: async (): Promise<ClusteringEngine | null> => {
      const names = await queryClient.fetchQuery(enginesQuery(projectName, 'learner'));
      const inOrder = [...names].sort((a, b) => Number(b === CLUSTERING.engine) - Number(a === CLUSTERING.engine));
      for (const name of inOrder) {
        const form = await queryClient.fetchQuery(engineFormQuery(projectName, 'learner', name, language));
        if (form.needsLabels === false) return { name, form };
      }
      return null;
    },
    enabled: projectName !== '',
    staleTime: 300_000,
    meta: { silent: true },
  });

/**
 * Launches the experiment of the shortcut, and creates it when there is none yet; resolves to its name.
 *
 * @param label of a new experiment.
 * @param annotate whether the topics become labels and categories.
 */
export async function launchClustering(
  queryClient: QueryClient,
  projectName: string,
  { label, language, annotate }: { readonly label: string; readonly language: string; readonly annotate: boolean },
): Promise<string> {
  const [first] = await queryClient.fetchQuery({ ...clusteringsQuery(projectName), staleTime: 0 });
  let name = first?.name;
  if (name === undefined) {
    const engine = await queryClient.fetchQuery(clusteringEngineQuery(queryClient, projectName, language));
    if (engine === null) throw new MissingRequirementError('topics');
    const parameters = defaultsWithKnownValues(engine.form, CLUSTERING.parameters);
    ({ name } = await createExperiment(projectName, { engine: engine.name, label, parameters, tags: [CLUSTERING.tag] }));
  }
  await launchExperiment(projectName, name, annotate);
  return name;
}
