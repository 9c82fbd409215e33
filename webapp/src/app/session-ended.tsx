import MuiDialog from '@mui/material/Dialog';
import { useMutation } from '@tanstack/react-query';
import { ClockAlert, KeyRound, TriangleAlert } from 'lucide-react';
import { Suspense, useEffect, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { Button } from '@/ui/button';
import { TextInput } from '@/ui/field';
import { serverErrorDetail, signInErrorKey } from '@/features/signin/signin-error-texts';
import { useNotificationsStore } from '@/state/notifications-store';
import { useSessionStore } from '@/state/session-store';
import { MuiRoot } from '@/ui/mui-root';
import styles from './session-ended.module.css';
import { clearSession, resumeSessionFromOtherWindow, signInAgain } from './session-lifecycle';

/** Another user continues: clears the session, so that they see nothing of the covered screen. */
function useSwitchUser(): () => void {
  const navigate = useNavigate();
  return () => {
    clearSession();
    useNotificationsStore.getState().clear();
    void navigate('/signin', { replace: true });
  };
}

/** Hides the content below the cover from screen readers and from the browser's text search. */
function useCoverPage(): void {
  useEffect(() => {
    document.body.dataset['covered'] = '';
    // The user may have signed in again in another window, or by single sign-on: no password is needed then.
    const look = () => void resumeSessionFromOtherWindow();
    window.addEventListener('focus', look);
    return () => {
      delete document.body.dataset['covered'];
      window.removeEventListener('focus', look);
    };
  }, []);
}

function SignInFailure({ error }: { readonly error: unknown }) {
  const { t } = useTranslation('signin');
  const key = signInErrorKey(error);
  const more = serverErrorDetail(error);
  return (
    <div className={styles['refused']} role="alert">
      <TriangleAlert size={16} aria-hidden />
      <div>
        <strong>{t(key === 'wrong' ? 'again.wrong' : key)}</strong>
        {more !== undefined && <p>{more}</p>}
      </div>
    </div>
  );
}

function PasswordForm({ username }: { readonly username: string }) {
  const { t } = useTranslation('signin');
  const [password, setPassword] = useState('');
  const [tried, setTried] = useState(false);
  const enter = useMutation({ mutationFn: () => signInAgain(password), meta: { silent: true } });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (password !== '') enter.mutate();
  };
  return (
    <form noValidate onSubmit={submit} className={styles['form']}>
      {enter.error !== null && <SignInFailure error={enter.error} />}
      {/* Password managers ask whose password it is. */}
      <input type="text" name="username" autoComplete="username" readOnly hidden value={username} />
      <TextInput
        large
        autoFocus
        label={t('password')}
        name="password"
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        error={tried && password === '' ? t('passwordMissing') : undefined}
      />
      <Button kind="solid" type="submit" fullWidth keyCap="Enter" busy={enter.isPending}>
        {t('again.signIn')}
      </Button>
    </form>
  );
}

function SignInAgain() {
  const { t } = useTranslation('signin');
  const principal = useSessionStore((state) => state.principal);
  const leave = useSwitchUser();
  useCoverPage();
  if (principal === null) return null;
  const { username, profilename, ssoLogin } = principal;
  return (
    <div className={styles['card']}>
      <ClockAlert size={20} aria-hidden />
      <h2 id="session-ended">{t('ended')}</h2>
      <p>{t('again.help')}</p>
      <p>
        <strong>{profilename}</strong>
        {profilename !== username && ` (${username})`}
      </p>
      {ssoLogin ? (
        <Button kind="solid" fullWidth autoFocus icon={KeyRound} onClick={() => window.open('/oauth2/start?rd=/home')}>
          {t('sso')}
        </Button>
      ) : (
        <PasswordForm username={username} />
      )}
      <Button kind="quiet" fullWidth onClick={leave}>
        {t('again.other')}
      </Button>
      <small>{t('again.otherHelp')}</small>
    </div>
  );
}

/**
 * T-005: shown when the session has expired. The screen stays with all its input, below a cover on which the same user signs in again
 * (decision 0098).
 */
export function SessionEnded() {
  const ended = useSessionStore((state) => state.ended);
  return (
    <MuiRoot>
      <MuiDialog
        open={ended}
        fullScreen
        aria-labelledby="session-ended"
        className={styles['cover'] ?? ''}
        transitionDuration={0}
        slotProps={{ paper: { className: styles['paper'] } }}
      >
        <Suspense fallback={null}>
          <SignInAgain />
        </Suspense>
      </MuiDialog>
    </MuiRoot>
  );
}
