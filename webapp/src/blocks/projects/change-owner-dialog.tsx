import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { changeOwner, peopleQuery } from '@/api/resources/archives-and-shares';
import { projectKeys } from '@/api/resources/projects';
import { usePersonName } from './person-name';
import { notify } from '@/state/notifications-store';
import { MoveProjectDialog, NewOwnerInput } from './move-project-dialog';
import { personOption, optionsNotTaken } from './people-options';

export interface ChangeOwnerDialogProps {
  readonly project: string;
  readonly label: string;
  readonly owner: string;
  readonly onClose: () => void;
}

/** Transfers the project to another user. */
export function ChangeOwnerDialog({ project, label, owner, onClose }: ChangeOwnerDialogProps) {
  const { t } = useTranslation('project');
  const queryClient = useQueryClient();
  const { data } = useQuery(peopleQuery());
  const personName = usePersonName();
  const [name, setName] = useState('');
  const give = useMutation({
    mutationFn: () => changeOwner(project, name.trim()),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: projectKeys.all });
      notify({ type: 'success', message: t('owner.done', { label, name: personName(name.trim()) }) });
      onClose();
    },
    meta: { errorTitle: 'projectShares' },
  });
  const names = optionsNotTaken(data?.map(personOption) ?? null, [{ name: owner }]);
  return (
    <MoveProjectDialog title={t('owner.title', { label })} submitLabel={t('owner.do')} name={name} move={give} onClose={onClose}>
      <p>{t('owner.text', { owner: personName(owner) })}</p>
      <NewOwnerInput label={t('owner.new')} names={names} value={name} onChange={setName} />
    </MoveProjectDialog>
  );
}
