import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '@/api/errors';
import { patchProfile, profileQuery, userKeys, type Profile } from '@/api/resources/users';
import { RevokeKeysSwitch } from '@/blocks/api-keys/revoke-keys-switch';
import { Button } from '@/ui/button';
import { TextInput } from '@/ui/field';
import { Page, PageHead } from '@/ui/page';
import { Skeleton } from '@/ui/placeholder-states';
import { ErrorState } from '@/blocks/error-state';
import { notify } from '@/state/notifications-store';
import { useCan, useSessionStore } from '@/state/session-store';
import { ApiKeysCard } from './api-keys-card';
import { LanguageCard } from './language-card';
import { passwordErrors } from './password-errors';
import styles from './profile.module.css';
import { RightsCard } from './rights-card';
import { SignInsCard } from './sign-ins-card';

function useSaveProfile(username: string, said: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (change: { profilename?: string; email?: string; password?: string; currentPassword?: string; revokeKeys?: boolean }) =>
      patchProfile(username, change),
    onSuccess: (_answer, change) => {
      notify({ type: 'success', message: said });
      const { principal } = useSessionStore.getState();
      if (change.profilename !== undefined && principal !== null)
        useSessionStore.setState({ principal: { ...principal, profilename: change.profilename } });
      return queryClient.invalidateQueries({ queryKey: userKeys.all });
    },
    meta: { errorTitle: 'updateProfile' },
  });
}

function NameAndEmailForm({ profile }: { readonly profile: Profile }) {
  const { t } = useTranslation('profile');
  const [name, setName] = useState(profile.profilename);
  const [email, setEmail] = useState(profile.email ?? '');
  const save = useSaveProfile(profile.username, t('saved'));
  const wrongName = name.trim() === '' ? t('nameMissing') : undefined;
  const wrongEmail = email !== '' && !/^[^\s@]+@[^\s@]+$/.test(email) ? t('emailWrong') : undefined;
  const changed = name !== profile.profilename || email !== (profile.email ?? '');
  return (
    <form
      noValidate
      className={styles['card']}
      onSubmit={(event) => {
        event.preventDefault();
        if (wrongName === undefined && wrongEmail === undefined) save.mutate({ profilename: name.trim(), email });
      }}
    >
      <h2>{t('identity')}</h2>
      <TextInput label={t('username')} value={profile.username} onChange={() => undefined} disabled />
      <TextInput label={t('name')} required value={name} onChange={setName} error={wrongName} autoComplete="name" />
      <TextInput
        label={t('email')}
        type="email"
        value={email}
        onChange={setEmail}
        error={wrongEmail}
        help={t('emailHelp')}
        autoComplete="email"
      />
      <div>
        <Button kind="solid" type="submit" busy={save.isPending} disabled={!changed}>
          {t('save')}
        </Button>
      </div>
    </form>
  );
}

function PasswordForm({ username }: { readonly username: string }) {
  const { t } = useTranslation('profile');
  const minimum = useSessionStore((state) => state.config.passwordPolicy?.minLength ?? 8);
  const [current, setCurrent] = useState('');
  const [first, setFirst] = useState('');
  const [second, setSecond] = useState('');
  const [tried, setTried] = useState(false);
  const [revokeKeys, setRevokeKeys] = useState(true);
  const save = useSaveProfile(username, t('passwordChanged'));
  const errors = passwordErrors(first, second, minimum);
  const refused = save.error instanceof ApiError ? save.error.fields.find(({ field }) => field === 'currentPassword')?.message : undefined;
  const currentError = tried && current === '' ? t('currentPasswordMissing') : refused;
  const submit = async () => {
    setTried(true);
    if (current === '' || errors.first !== null || errors.second !== null) return;
    await save.mutateAsync({ password: first, currentPassword: current, ...(!revokeKeys && { revokeKeys }) }).then(
      () => {
        setCurrent('');
        setFirst('');
        setSecond('');
        setTried(false);
      },
      () => undefined,
    );
  };
  return (
    <form
      noValidate
      className={styles['card']}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <h2>{t('password')}</h2>
      <TextInput
        label={t('currentPassword')}
        type="password"
        autoComplete="current-password"
        value={current}
        onChange={(next) => {
          setCurrent(next);
          if (save.isError) save.reset();
        }}
        error={currentError}
      />
      <TextInput
        label={t('newPassword')}
        type="password"
        autoComplete="new-password"
        value={first}
        onChange={setFirst}
        help={t('passwordHelp', { count: minimum })}
        error={tried && errors.first !== null ? t('passwordShort', { count: minimum }) : undefined}
      />
      <TextInput
        label={t('repeatPassword')}
        type="password"
        autoComplete="new-password"
        value={second}
        onChange={setSecond}
        error={tried && errors.second !== null ? t('passwordDiffers') : undefined}
      />
      {first !== '' && <RevokeKeysSwitch username={username} checked={revokeKeys} onChange={setRevokeKeys} />}
      <div>
        <Button kind="solid" type="submit" busy={save.isPending} disabled={current === '' && first === '' && second === ''}>
          {t('changePassword')}
        </Button>
      </div>
    </form>
  );
}

/** R-005, S-070: name, email, password entered twice (V-005), rights, sign-ins, language. */
export function ProfileScreen() {
  const { t } = useTranslation('profile');
  const principal = useSessionStore((state) => state.principal);
  const language = useCan('seeLanguageBtn');
  const { data, error, refetch } = useQuery({ ...profileQuery(principal?.username ?? ''), meta: { silent: true } });
  return (
    <Page screen="profile">
      <PageHead title={t('title')} />
      {error !== null && data === undefined && (
        <ErrorState title={t('errors:error.getProfile')} error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined ? (
        error === null && <Skeleton rows={4} />
      ) : (
        <>
          <div className={styles['columns']}>
            <div>
              <NameAndEmailForm key={data.username} profile={data} />
              {principal?.ssoLogin !== true && <PasswordForm username={data.username} />}
              {language && <LanguageCard />}
            </div>
            <div>
              <SignInsCard username={data.username} />
              <RightsCard username={data.username} />
            </div>
          </div>
          <div className={styles['wide']}>
            <ApiKeysCard username={data.username} />
          </div>
        </>
      )}
    </Page>
  );
}
