import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { changeOwner, peopleQuery } from '@/api/resources/archives-and-shares';
import { projectKeys } from '@/api/resources/projects';
import { Button } from '@/ui/button';
import { SelectInput } from '@/ui/choice-inputs';
import { Dialog } from '@/ui/dialog';
import { TextInput } from '@/ui/field';
import { usePersonName } from './person-name';
import { notify } from '@/state/notifications-store';
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
    <Dialog
      open
      width="small"
      title={t('owner.title', { label })}
      onClose={onClose}
      locked={give.isPending}
      onSubmit={() => name.trim() !== '' && give.mutate()}
      actions={
        <>
          <Button onClick={onClose} disabled={give.isPending}>
            {t('common:cancel')}
          </Button>
          <Button kind="solid" type="submit" busy={give.isPending} disabled={name.trim() === ''}>
            {t('owner.do')}
          </Button>
        </>
      }
    >
      <p>{t('owner.text', { owner: personName(owner) })}</p>
      {names === null ? (
        <TextInput label={t('owner.new')} value={name} onChange={setName} />
      ) : (
        <SelectInput
          label={t('owner.new')}
          value={name}
          onChange={setName}
          options={names.map((one) => ({ value: one.name, label: one.label }))}
        />
      )}
    </Dialog>
  );
}
