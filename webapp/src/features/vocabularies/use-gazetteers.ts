import { useMutation, useQueryClient } from '@tanstack/react-query';
import { annotatorKeys } from '@/api/resources/annotators';
import { cancelSynchronization, deleteGazetteer, gazetteerKeys, updateGazetteer, type Gazetteer } from '@/api/resources/gazetteers';
import { jobKeys } from '@/api/resources/jobs';
import { useSettledMutation } from '@/api/use-settled-mutation';

/** Actions of a row and the drawer. Those that need a dialog are opened by the tab. */
export interface GazetteerActions {
  edit(gazetteer: Gazetteer): void;
  clone(gazetteer: Gazetteer): void;
  synchronise(gazetteer: Gazetteer): void;
  stop(gazetteer: Gazetteer): void;
  remove(gazetteer: Gazetteer): void;
  favourite(gazetteer: Gazetteer): void;
  mail(gazetteer: Gazetteer): void;
  annotateCorpus(gazetteer: Gazetteer): void;
}

export function useRefreshGazetteers() {
  const queryClient = useQueryClient();
  return () =>
    Promise.all([gazetteerKeys.all, jobKeys.all, annotatorKeys.all].map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}

export function useGazetteerMutations(project: string) {
  const refresh = useRefreshGazetteers();
  const stop = useSettledMutation((item: Gazetteer) => cancelSynchronization(project, item.name), refresh, 'cancelSynchronizeGazetteer');
  const remove = useMutation({
    mutationFn: (item: Gazetteer) => deleteGazetteer(project, item.name),
    onSuccess: refresh,
    meta: { errorTitle: 'deleteGazetteer' },
  });
  const favourite = useSettledMutation(
    (item: Gazetteer) => updateGazetteer(project, item.name, { favorite: item.favorite !== true }),
    refresh,
    'toggleFavoriteGazetteer',
  );
  const mail = useSettledMutation(
    (item: Gazetteer) => updateGazetteer(project, item.name, { emailNotification: item.emailNotification !== true }),
    refresh,
    'toggleGazetteerEmailNotification',
  );
  return { stop, remove, favourite, mail };
}
