import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addToGroups, fetchUser, patchProfile, removeFromGroups, updateUser, userKeys, type User } from '@/api/resources/users';
import { translatedMessageOf } from '@/api/server-messages';
import { ApiKeyList } from '@/blocks/api-keys/key-list';
import { Notice } from '@/ui/notice';
import { notify } from '@/state/notifications-store';
import { useSessionStore } from '@/state/session-store';
import { CheckList } from '@/ui/check-list';
import styles from './admin.module.css';
import { FormDialog, fieldErrorsFromServer } from './form-dialog';
import { ProjectList } from './project-list';
import { UserFields, useMinimumPasswordLength } from './user-fields';
import {
  toUserDraft,
  hasNoSteps,
  applyRoleChanges,
  userUpdateSteps,
  userDraftErrors,
  type UserUpdateSteps,
  type UserDraft,
} from './user-draft';

/** Performs the steps one after the other. If one is refused, the earlier ones remain, and the list is fetched again. */
async function saveUserChanges(username: string, steps: UserUpdateSteps): Promise<void> {
  const { profile, joins, gained, lost, leaves } = steps;
  if (profile !== undefined) await patchProfile(username, profile);
  if (joins.length > 0) await addToGroups(username, [...joins]);
  if (gained.length + lost.length > 0)
    await updateUser(username, { roles: applyRoleChanges((await fetchUser(username)).roles ?? [], steps) });
  if (leaves.length > 0) await removeFromGroups(username, [...leaves]);
}

interface RevokeSessionsProps {
  readonly user: User;
  readonly selected: readonly string[];
  readonly onChange: (groups: readonly string[]) => void;
}

/** For an account that the caller does not administer: the reason, and the groups it can be removed from. */
function UnmanagedUserGroups({ user, selected, onChange }: RevokeSessionsProps) {
  const { t } = useTranslation('admin');
  return (
    <>
      <Notice tone="info">
        <p>{t('user.notYours')}</p>
        <p>{translatedMessageOf(user, 'whyNot')}</p>
      </Notice>
      <CheckList
        label={t('tab.groups')}
        items={(user.groups ?? []).map(({ name, label }) => ({ value: name, label }))}
        selected={selected}
        help={t('user.expelHelp')}
        onChange={onChange}
      />
    </>
  );
}

/** S-068: names, password, groups and roles of an account, its API keys and the projects it owns. */
export function EditUserDialog({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  const { t } = useTranslation('admin');
  const queryClient = useQueryClient();
  const minimum = useMinimumPasswordLength();
  const me = useSessionStore((state) => state.principal?.username);
  const [before] = useState(() => toUserDraft(user));
  const [draft, setDraft] = useState<UserDraft>(before);
  const [tried, setTried] = useState(false);
  const wrong = userDraftErrors(draft, minimum, false);
  const steps = userUpdateSteps(before, draft);
  const save = useMutation({
    mutationFn: () => saveUserChanges(user.username, steps),
    onSuccess: () => {
      notify({ type: 'success', message: t('user.saved', { name: draft.profilename.trim() }) });
      onClose();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: userKeys.all }),
    meta: { errorTitle: 'user' },
  });
  const submit = () => {
    setTried(true);
    if (Object.keys(wrong).length === 0) save.mutate();
  };
  return (
    <FormDialog
      title={t('user.editTitle', { name: user.username })}
      verb={t('save')}
      busy={save.isPending}
      idle={hasNoSteps(steps)}
      onSubmit={submit}
      onClose={onClose}
    >
      {user.username === me && <p>{t('user.yourself')}</p>}
      {user.administered === false ? (
        <UnmanagedUserGroups user={user} selected={draft.groups} onChange={(groups) => setDraft((known) => ({ ...known, groups }))} />
      ) : (
        <UserFields
          fresh={false}
          draft={draft}
          wrong={tried ? wrong : {}}
          rejected={fieldErrorsFromServer(save.error)}
          onChange={(part) => setDraft((known) => ({ ...known, ...part }))}
        />
      )}
      {user.administered !== false && (
        <section className={styles['projects']}>
          <h3>{t('user.keys')}</h3>
          <ApiKeyList narrow username={user.username} empty={t('user.noKeys')} />
        </section>
      )}
      <ProjectList whose={{ username: user.username }} />
    </FormDialog>
  );
}
