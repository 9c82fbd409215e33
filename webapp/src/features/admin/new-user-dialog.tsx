import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createUser, userKeys } from '@/api/resources/users';
import { notify } from '@/state/notifications-store';
import { FormDialog, fieldErrorsFromServer } from './form-dialog';
import { UserFields, useMinimumPasswordLength } from './user-fields';
import { userDraftErrors, type UserDraft } from './user-draft';

const EMPTY: UserDraft = { username: '', profilename: '', email: '', password: '', groups: [], roles: [] };

/** @param group the group whose users are listed: the default group of the new user. */
export function NewUserDialog({ group, onClose }: { readonly group: string; readonly onClose: () => void }) {
  const { t } = useTranslation('admin');
  const queryClient = useQueryClient();
  const minimum = useMinimumPasswordLength();
  const [draft, setDraft] = useState<UserDraft>({ ...EMPTY, groups: group === '' ? [] : [group] });
  const [tried, setTried] = useState(false);
  const wrong = userDraftErrors(draft, minimum, true);
  const save = useMutation({
    mutationFn: () =>
      createUser({
        username: draft.username.trim(),
        password: draft.password,
        groups: [...draft.groups],
        roles: [...draft.roles],
        ...(draft.profilename.trim() !== '' && { profilename: draft.profilename.trim() }),
        ...(draft.email.trim() !== '' && { email: draft.email.trim() }),
      }),
    onSuccess: async (user) => {
      await queryClient.invalidateQueries({ queryKey: userKeys.all });
      notify({ type: 'success', message: t('user.added', { name: user.profilename }) });
      onClose();
    },
    meta: { errorTitle: 'user' },
  });
  const submit = () => {
    setTried(true);
    if (Object.keys(wrong).length === 0) save.mutate();
  };
  return (
    <FormDialog title={t('user.addTitle')} verb={t('user.add')} busy={save.isPending} onSubmit={submit} onClose={onClose}>
      <UserFields
        fresh
        draft={draft}
        wrong={tried ? wrong : {}}
        rejected={fieldErrorsFromServer(save.error)}
        onChange={(part) => setDraft((known) => ({ ...known, ...part }))}
      />
    </FormDialog>
  );
}
