import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { annotatorKeys } from '@/api/resources/annotators';
import {
  clusteringEngineQuery,
  clusteringsQuery,
  launchClustering,
  TOPICS_PARAMETER,
  topicsRange,
  type ClusteringEngine,
} from '@/api/resources/clustering';
import { componentDefaultsQuery } from '@/api/resources/component-defaults';
import { cancelExperiment, experimentKeys, type Experiment } from '@/api/resources/experiments';
import { isActive, jobKeys, projectJobsQuery } from '@/api/resources/jobs';
import { projectQuery } from '@/api/resources/projects';
import { corpusAnnotationObstacle } from './annotate-corpus-dialog';
import { useCan } from '@/state/session-store';

export interface ClusteringChoice {
  readonly topics: number | undefined;
  /** Whether the topics are written as categories, if the user may. */
  readonly write: boolean;
}

/** Proposed number of topics: that of the last time, else that of the installation; undefined where the engine has no such choice. */
function proposedTopics(first: Experiment | undefined, engine: ClusteringEngine | null | undefined, standard: unknown): number | undefined {
  const asked = engine === null || engine === undefined || topicsRange(engine.form) === undefined ? undefined : standard;
  const known = first === undefined ? (asked ?? engine?.form.defaults[TOPICS_PARAMETER]) : first.parameters[TOPICS_PARAMETER];
  return typeof known === 'number' ? known : undefined;
}

const RANGE = { least: 2, most: 300 };

/** The experiment and engine of the shortcut, and the number of topics to propose. */
function useClusteringEngine(project: string) {
  const { i18n } = useTranslation();
  const queryClient = useQueryClient();
  const { data: clusterings } = useQuery(clusteringsQuery(project));
  const { data: engine } = useQuery(clusteringEngineQuery(queryClient, project, i18n.language));
  const { data: defaults } = useQuery({ ...componentDefaultsQuery, meta: { silent: true } });
  const first = clusterings?.[0];
  return {
    first,
    /** Undefined while loading; null when no installed engine finds topics. */
    engine,
    replaced: engine?.replaced === true,
    loading: clusterings === undefined || engine === undefined,
    topics: proposedTopics(first, engine, defaults?.clustering.parameters?.[TOPICS_PARAMETER]),
    range: (engine === null || engine === undefined ? undefined : topicsRange(engine.form)) ?? RANGE,
  };
}

/** Finding topics: the experiment of a project, what prevents its start, and the function that starts it (S-046). */
export function useClustering(project: string) {
  const { t, i18n } = useTranslation('clustering');
  const queryClient = useQueryClient();
  const known = useClusteringEngine(project);
  const { data: info } = useQuery({ ...projectQuery(project), meta: { silent: true } });
  const { data: jobs = [] } = useQuery({ ...projectJobsQuery(project), meta: { silent: true } });
  const mayAnnotate = useCan('annotateCorpus');
  const mayWrite = useCan('writeLabel');
  const annotate = mayAnnotate && mayWrite;
  const refresh = () =>
    Promise.all([experimentKeys.all, jobKeys.all, annotatorKeys.all].map((queryKey) => queryClient.invalidateQueries({ queryKey })));
  const launch = useMutation({
    mutationFn: ({ topics, write }: ClusteringChoice) =>
      launchClustering(queryClient, project, { label: t('label'), language: i18n.language, topics, annotate: annotate && write }),
    onSettled: refresh,
    meta: { errorTitle: 'clustering' },
  });
  const stop = useMutation({
    mutationFn: (name: string) => cancelExperiment(project, name),
    onSettled: refresh,
    meta: { errorTitle: 'stopExperiment' },
  });
  const corpus = corpusAnnotationObstacle(info?.documents ?? undefined, annotate ? jobs.filter(isActive) : []);
  /** V-024 */
  const running = known.first?.running === true;
  return {
    ...known,
    annotate,
    documents: info?.documents ?? undefined,
    running,
    /** Key of `clustering:obstacle`; null when it can start. */
    obstacle: running ? ('clustering' as const) : corpus,
    launch,
    stop,
  };
}
