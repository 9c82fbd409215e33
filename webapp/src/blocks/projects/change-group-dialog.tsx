import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { changeOwnerGroup, groupNamesQuery } from '@/api/resources/archives-and-shares';
import { projectKeys } from '@/api/resources/projects';
import { SegmentedControl, SwitchRow } from '@/ui/choice-inputs';
import { notify } from '@/state/notifications-store';
import { MoveProjectDialog, NewOwnerInput } from './move-project-dialog';
import { optionsNotTaken } from './people-options';
import styles from './projects.module.css';

export interface ChangeGroupDialogProps {
  readonly project: string;
  readonly label: string;
  /** Technical name of the group it belongs to; empty without one. */
  readonly group: string;
  readonly onClose: () => void;
}

type Opened = 'none' | 'read' | 'write';

/** D-019: moves the project to another group, and explains the effect on its shares. */
export function ChangeGroupDialog({ project, label, group, onClose }: ChangeGroupDialogProps) {
  const { t } = useTranslation('project');
  const queryClient = useQueryClient();
  const { data } = useQuery(groupNamesQuery());
  const [name, setName] = useState('');
  const [opened, setOpened] = useState<Opened>('none');
  const [people, setPeople] = useState(false);
  const [groups, setGroups] = useState(false);
  const names = optionsNotTaken(data ?? null, [{ name: group }]);
  const shown = names?.find((one) => one.name === name)?.label ?? name;
  const move = useMutation({
    mutationFn: () =>
      changeOwnerGroup(project, {
        groupName: name.trim(),
        deleteExistingUserShares: people,
        deleteExistingGroupShares: groups,
        shareWithNewGroup: opened !== 'none',
        readOnlyShare: opened === 'read',
      }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: projectKeys.all });
      notify({ type: 'success', message: t('group.done', { label, group: shown }) });
      onClose();
    },
    meta: { errorTitle: 'projectShares' },
  });
  return (
    <MoveProjectDialog title={t('group.title', { label })} submitLabel={t('group.do')} name={name} move={move} onClose={onClose}>
      <div className={styles['stack']}>
        <NewOwnerInput label={t('group.new')} names={names} value={name} onChange={setName} />
        <div>
          <p className={styles['caption']}>{t('group.opened')}</p>
          <SegmentedControl
            label={t('group.opened')}
            value={opened}
            onChange={setOpened}
            options={(['none', 'read', 'write'] as const).map((value) => ({ value, label: t(`group.open.${value}`) }))}
          />
        </div>
        <SwitchRow label={t('group.people')} checked={people} onChange={setPeople} />
        <SwitchRow label={t('group.groups')} checked={groups} onChange={setGroups} />
      </div>
    </MoveProjectDialog>
  );
}
