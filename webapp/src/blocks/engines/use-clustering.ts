import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { annotatorKeys } from '@/api/resources/annotators';
import { clusteringEngineQuery, clusteringsQuery, launchClustering } from '@/api/resources/clustering';
import { cancelExperiment, experimentKeys } from '@/api/resources/experiments';
import { isActive, jobKeys, projectJobsQuery } from '@/api/resources/jobs';
import { projectQuery } from '@/api/resources/projects';
import { corpusAnnotationObstacle } from './annotate-corpus-dialog';
import { useCan } from '@/state/session-store';

/** S-046: the clustering experiment of a project, what prevents its start, and the function that starts it. */
export function useClustering(project: string) {
  const { t, i18n } = useTranslation('clustering');
  const queryClient = useQueryClient();
  const { data: clusterings } = useQuery(clusteringsQuery(project));
  const { data: engine } = useQuery(clusteringEngineQuery(queryClient, project, i18n.language));
  const { data: info } = useQuery({ ...projectQuery(project), meta: { silent: true } });
  const { data: jobs = [] } = useQuery({ ...projectJobsQuery(project), meta: { silent: true } });
  const mayAnnotate = useCan('annotateCorpus');
  const mayWrite = useCan('writeLabel');
  const annotate = mayAnnotate && mayWrite;
  const first = clusterings?.[0];
  const refresh = () =>
    Promise.all([experimentKeys.all, jobKeys.all, annotatorKeys.all].map((queryKey) => queryClient.invalidateQueries({ queryKey })));
  const launch = useMutation({
    mutationFn: () => launchClustering(queryClient, project, { label: t('label'), language: i18n.language, annotate }),
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
  const running = first?.running === true;
  return {
    first,
    /** Undefined while loading; null when no installed engine finds topics. */
    engine,
    replaced: engine?.replaced === true,
    annotate,
    running,
    /** Key of `clustering:obstacle`; null when it can start. */
    obstacle: running ? ('clustering' as const) : corpus,
    launch,
    stop,
  };
}
