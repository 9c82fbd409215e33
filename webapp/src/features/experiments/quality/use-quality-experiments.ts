import { useMutation, useQueryClient } from '@tanstack/react-query';
import { jobKeys } from '@/api/resources/jobs';
import {
  cloneQualityExperiment,
  deleteQualityExperiment,
  launchQualityExperiment,
  qualityKeys,
  stopQualityExperiment,
  updateQualityExperiment,
  type QualityExperiment,
} from '@/api/resources/ranking-experiments';
import { useSettledMutation } from '@/api/use-settled-mutation';

/** Actions of a row, the drawer and the report. Those that need a dialog are opened by the screen. */
export interface QualityActions {
  edit(experiment: QualityExperiment): void;
  remove(experiment: QualityExperiment): void;
  clone(experiment: QualityExperiment): void;
  launch(experiment: QualityExperiment): void;
  stop(experiment: QualityExperiment): void;
  favourite(experiment: QualityExperiment): void;
  mail(experiment: QualityExperiment): void;
  openReport(experiment: QualityExperiment): void;
}

export function useRefreshQualityExperiments() {
  const queryClient = useQueryClient();
  return () => Promise.all([qualityKeys.all, jobKeys.all].map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}

export function useQualityMutations(project: string, onCloned: (name: string) => void) {
  const refresh = useRefreshQualityExperiments();
  const launch = useSettledMutation((item: QualityExperiment) => launchQualityExperiment(project, item.name), refresh, 'launchExperiment');
  const stop = useSettledMutation((item: QualityExperiment) => stopQualityExperiment(project, item.name), refresh, 'stopExperiment');
  const clone = useMutation({
    mutationFn: ({ name }: QualityExperiment) => cloneQualityExperiment(project, name),
    onSuccess: async ({ name }) => {
      await refresh();
      onCloned(name);
    },
    meta: { errorTitle: 'createExperiment' },
  });
  const remove = useSettledMutation((item: QualityExperiment) => deleteQualityExperiment(project, item.name), refresh, 'deleteExperiment');
  const favourite = useSettledMutation(
    (item: QualityExperiment) => updateQualityExperiment(project, item.name, { favorite: !item.favorite }),
    refresh,
    'toggleFavoriteExperiment',
  );
  const mail = useSettledMutation(
    (item: QualityExperiment) => updateQualityExperiment(project, item.name, { emailNotification: !item.emailNotification }),
    refresh,
    'toggleExperimentEmailNotification',
  );
  return { launch, stop, clone, remove, favourite, mail };
}
