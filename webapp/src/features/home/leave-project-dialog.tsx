import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { leaveProject } from '@/api/resources/archives-and-shares';
import { projectKeys, type Project } from '@/api/resources/projects';
import { usePersonName } from '@/blocks/projects/person-name';
import { DeleteDialog } from '@/ui/delete-dialog';

/** Removes the user's own share of the project; other users keep theirs. */
export function LeaveProjectDialog({ project, onClose }: { readonly project: Project; readonly onClose: () => void }) {
  const { t } = useTranslation('home');
  const queryClient = useQueryClient();
  const personName = usePersonName();
  const leave = useMutation({
    mutationFn: () => leaveProject(project.name),
    onSettled: () => queryClient.invalidateQueries({ queryKey: projectKeys.all }),
    meta: { errorTitle: 'projectShares' },
  });
  return (
    <DeleteDialog
      title={t('leave.title', { project: project.label })}
      keepLabel={t('leave.keep')}
      deleteLabel={t('leave.confirm')}
      onClose={onClose}
      onDelete={() => leave.mutateAsync()}
    >
      <p>{t('leave.text', { names: (project.sharedBy ?? []).map((name) => personName(name)).join(', ') })}</p>
    </DeleteDialog>
  );
}
