import { useQueryClient } from '@tanstack/react-query';
import { annotatorKeys } from '@/api/resources/annotators';
import {
  cancelExperiment,
  deleteExperiment,
  experimentKeys,
  restoreExperiment,
  updateExperiment,
  type Experiment,
} from '@/api/resources/experiments';
import { jobKeys } from '@/api/resources/jobs';
import { useUndoableDeletion } from '@/api/use-undoable-deletion';
import { useSettledMutation } from '@/api/use-settled-mutation';

/** Actions of a row, the drawer and the report. Those that need a dialog are opened by the screen. */
export interface ExperimentActions {
  edit(experiment: Experiment): void;
  clone(experiment: Experiment): void;
  launch(experiment: Experiment): void;
  stop(experiment: Experiment): void;
  remove(experiment: Experiment): void;
  favourite(experiment: Experiment): void;
  mail(experiment: Experiment): void;
  annotateCorpus(experiment: Experiment): void;
  openReport(experiment: Experiment): void;
}

export function useRefreshExperiments() {
  const queryClient = useQueryClient();
  return () =>
    Promise.all([experimentKeys.all, jobKeys.all, annotatorKeys.all].map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}

export function useExperimentMutations(project: string) {
  const refresh = useRefreshExperiments();
  const stop = useSettledMutation((item: Experiment) => cancelExperiment(project, item.name), refresh, 'stopExperiment');
  const remove = useUndoableDeletion({
    remove: (item: Experiment) => deleteExperiment(project, item.name),
    restore: ({ name }) => restoreExperiment(project, name),
    refresh,
    removeTitle: 'deleteExperiment',
    restoreTitle: 'restoreExperiment',
  });
  const favourite = useSettledMutation(
    (item: Experiment) => updateExperiment(project, item.name, { favorite: item.favorite !== true }),
    refresh,
    'toggleFavoriteExperiment',
  );
  const mail = useSettledMutation(
    (item: Experiment) => updateExperiment(project, item.name, { emailNotification: item.emailNotification !== true }),
    refresh,
    'toggleExperimentEmailNotification',
  );
  return { stop, remove, favourite, mail, refresh };
}
