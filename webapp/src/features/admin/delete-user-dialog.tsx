import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { projectKeys, projectsOfQuery } from '@/api/resources/projects';
import { deleteUser, userKeys, type User } from '@/api/resources/users';
import { DeleteDialog } from '@/ui/delete-dialog';
import { notify } from '@/state/notifications-store';

/** Shows which projects are deleted with the account: those outside any group. The user's annotations remain. */
export function DeleteUserDialog({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  const { t } = useTranslation('admin');
  const queryClient = useQueryClient();
  const name = user.profilename || user.username;
  const { data: projects, error } = useQuery(projectsOfQuery({ username: user.username }));
  const doomed = (projects ?? []).filter((project) => project.group == null);
  const remove = useMutation({
    mutationFn: () => deleteUser(user.username),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: userKeys.all });
      await queryClient.invalidateQueries({ queryKey: projectKeys.all });
      notify({ type: 'success', message: t('user.deleted', { name }) });
    },
    meta: { errorTitle: 'user' },
  });
  // The consequences must be known before the account can be deleted.
  if (projects === undefined && error === null) return null;
  const warning = error === null ? t('user.deleteProjects', { count: doomed.length }) : t('user.deleteUnknown');
  return (
    <DeleteDialog
      title={t('user.deleteTitle', { name })}
      keepLabel={t('user.keep')}
      deleteLabel={t('user.deleteDo')}
      {...((doomed.length > 0 || error !== null) && { strong: warning })}
      onClose={onClose}
      onDelete={() => remove.mutateAsync()}
    >
      <p>{t('user.deleteText')}</p>
      {doomed.length > 0 && <p>{t('user.deleteNames', { names: doomed.map(({ label }) => label).join(', ') })}</p>}
    </DeleteDialog>
  );
}
