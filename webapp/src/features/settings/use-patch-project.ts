import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { patchProject, projectKeys } from '@/api/resources/projects';
import { notify } from '@/state/notifications-store';

export type ProjectPatch = Parameters<typeof patchProject>[1];

/** Changes settings of a project and notifies the user. */
export function usePatchProject(project: string) {
  const { t } = useTranslation('settings');
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: ProjectPatch) => patchProject(project, body),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: projectKeys.all });
      notify({ type: 'success', message: t('saved') });
    },
    meta: { errorTitle: 'updateProjectConfig' },
  });
}
