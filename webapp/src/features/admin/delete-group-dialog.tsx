import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deleteGroup, groupKeys, type Group } from '@/api/resources/groups';
import { projectKeys, projectsOfQuery } from '@/api/resources/projects';
import { userKeys, usersQuery } from '@/api/resources/users';
import { CheckRow } from '@/ui/choice-inputs';
import { DeleteDialog } from '@/ui/delete-dialog';
import { notify } from '@/state/notifications-store';
import styles from './admin.module.css';

/**
 * Without the checkbox, projects stay with their owners and users remain; with it, those that belong only to this group are deleted too.
 */
export function DeleteGroupDialog({ group, onClose }: { readonly group: Group; readonly onClose: () => void }) {
  const { t } = useTranslation('admin');
  const queryClient = useQueryClient();
  const [cascade, setCascade] = useState(false);
  const projects = useQuery(projectsOfQuery({ groupName: group.name }));
  const users = useQuery(usersQuery());
  const alone = (users.data ?? []).filter((user) => user.groups?.length === 1 && user.groups[0]?.name === group.name);
  const remove = useMutation({
    mutationFn: () => deleteGroup(group.name, cascade),
    onSuccess: async () => {
      await Promise.all([groupKeys.all, userKeys.all, projectKeys.all].map((queryKey) => queryClient.invalidateQueries({ queryKey })));
      notify({ type: 'success', message: t('group.deleted', { name: group.label }) });
    },
    meta: { errorTitle: 'group' },
  });
  // Count what would be deleted before offering it.
  if (projects.isPending || users.isPending) return null;
  const known = projects.data !== undefined && users.data !== undefined;
  return (
    <DeleteDialog
      title={t('group.deleteTitle', { name: group.label })}
      keepLabel={t('group.keep')}
      deleteLabel={t('group.deleteDo')}
      {...(cascade && { strong: t('group.deleteSure'), strongHelp: t('group.deleteSureHelp') })}
      onClose={onClose}
      onDelete={() => remove.mutateAsync()}
    >
      <p>{t('group.deleteText')}</p>
      <div className={styles['apart']}>
        <CheckRow
          label={
            known
              ? t('group.cascade', {
                  projects: t('group.projects', { count: projects.data.length }),
                  users: t('group.users', { count: alone.length }),
                })
              : t('group.cascadeUnknown')
          }
          checked={cascade}
          onChange={setCascade}
        />
      </div>
    </DeleteDialog>
  );
}
