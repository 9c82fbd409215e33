import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { deleteProject, projectKeys, type Project } from '@/api/resources/projects';
import { DeleteDialog } from '@/ui/delete-dialog';
import { useFormat } from '@/ui/format';
import { useSessionStore } from '@/state/session-store';
import { useLabellingCounts } from './labelling-counts';

/** Picture 13: strong confirmation (V-002). */
export function DeleteProjectDialog({ project, onClose }: { readonly project: Project | null; readonly onClose: () => void }) {
  const { t } = useTranslation('home');
  const format = useFormat();
  const queryClient = useQueryClient();
  const { projectName, openProject } = useSessionStore();
  const remove = useMutation({
    mutationFn: (name: string) => deleteProject(name),
    onSuccess: (_answer, name) => {
      if (name === projectName) openProject(null);
      return queryClient.invalidateQueries({ queryKey: projectKeys.all });
    },
    meta: { errorTitle: 'deleteProject' },
  });
  const labelled = useLabellingCounts();
  const { documents = 0 } = project ?? {};
  return (
    <DeleteDialog
      open={project !== null}
      title={t('delete.title', { project: project?.label ?? '' })}
      keepLabel={t('delete.keep')}
      deleteLabel={t('delete.confirm')}
      strong={t('delete.strong')}
      onClose={onClose}
      onDelete={() => (project === null ? Promise.resolve() : remove.mutateAsync(project.name))}
    >
      {t('delete.what', {
        things: new Intl.ListFormat(format.language, { type: 'conjunction' }).format([
          t('delete.documents', { count: documents, number: format.number(documents) }),
          ...(project === null ? [] : labelled(project)),
        ]),
      })}{' '}
      {t('delete.undo')}
    </DeleteDialog>
  );
}
