import { KeyRound } from 'lucide-react';
import { useEffect, useState, type CSSProperties, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { readableInkOn } from '@/theme/colour-roles';
import { fetchBuildInfo } from '@/api/resources/build-info';
import { Button } from '@/ui/button';
import { SegmentedControl } from '@/ui/segmented-control';
import { TextInput } from '@/ui/field';
import { useSessionActions } from '@/state/session-actions';
import { useSessionStore } from '@/state/session-store';
import { useThemeStore, type BarColours } from '@/state/theme-store';
import { safeLocalPath } from '@/state/local-path';
import { Brand, Cover } from './cover';
import { serverErrorDetail, signInErrorKey } from './signin-error-texts';
import { Notice } from '@/ui/notice';
import styles from './signin.module.css';

export interface SigninScreenProps {
  /** Why single sign-on was refused. */
  readonly refusal: string | undefined;
  /** What was asked for before signing in. */
  readonly redirect: string | null;
  /** Opens a page of the studio; the form is busy until then. */
  readonly onSignedIn: (path: string) => Promise<void> | void;
}

/** Explains a refused single sign-on. */
function SsoRefusalNotice({ refusal: error }: Pick<SigninScreenProps, 'refusal'>) {
  const { t } = useTranslation('signin');
  if (error === undefined) return null;
  return (
    <Notice tone="warning" role="alert">
      <strong>{t('ssoFailed')}</strong>
      <p>{error === 'access_denied' ? t('accessDenied') : t('ssoHelp')}</p>
    </Notice>
  );
}

function LanguageChoice() {
  const { t, i18n } = useTranslation('signin');
  const { changeLanguage } = useSessionActions();
  return (
    <SegmentedControl
      label={t('shell:language')}
      value={i18n.language}
      options={[
        { value: 'en', label: 'English' },
        { value: 'fr', label: 'Français' },
      ]}
      onChange={(locale) => void changeLanguage(locale)}
    />
  );
}

interface Attempt {
  readonly busy: boolean;
  readonly error: unknown;
}

/** Without the query cache: the first page has none. */
function useSignIn({ redirect, onSignedIn }: SigninScreenProps) {
  const { signIn } = useSessionActions();
  const [attempt, setAttempt] = useState<Attempt>({ busy: false, error: null });
  const enter = async (username: string, password: string) => {
    setAttempt({ busy: true, error: null });
    try {
      await signIn(username, password);
      await onSignedIn(safeLocalPath(redirect) ?? '/home');
      setAttempt({ busy: false, error: null });
    } catch (error) {
      setAttempt({ busy: false, error });
    }
  };
  return { ...attempt, enter };
}

/** Single sign-on returns to what was asked for. */
const startSso = (redirect: string | null) => location.assign(`/oauth2/start?rd=${encodeURIComponent(safeLocalPath(redirect) ?? '/home')}`);

function SigninForm(props: SigninScreenProps) {
  const { t } = useTranslation('signin');
  useTranslation('keys'); // texts of the key cap
  const sso = useSessionStore((state) => state.config.sso === true);
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [tried, setTried] = useState(false);
  const { busy, error, enter } = useSignIn(props);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (username.trim() !== '' && password !== '' && !busy) void enter(username.trim(), password);
  };
  const more = serverErrorDetail(error);
  const missing = (value: string, key: string) => (tried && value.trim() === '' ? t(key) : undefined);
  return (
    <form noValidate onSubmit={submit} className={styles['form']}>
      <SsoRefusalNotice refusal={props.refusal} />
      {error !== null && (
        <Notice tone="error" role="alert">
          <strong>{t(signInErrorKey(error))}</strong>
          {more !== undefined && <p>{more}</p>}
        </Notice>
      )}
      <TextInput
        large
        autoFocus
        label={t('username')}
        name="username"
        autoComplete="username"
        value={username}
        onChange={setUsername}
        error={missing(username, 'usernameMissing')}
      />
      <TextInput
        large
        label={t('password')}
        name="password"
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        error={missing(password, 'passwordMissing')}
      />
      <Button kind="solid" type="submit" fullWidth keyCap="Enter" busy={busy} className={styles['large'] ?? ''}>
        {t('signIn')}
      </Button>
      {sso && (
        <>
          <div className={styles['or']}>{t('or')}</div>
          <Button fullWidth icon={KeyRound} className={styles['large'] ?? ''} onClick={() => startSso(props.redirect)}>
            {t('sso')}
          </Button>
        </>
      )}
    </form>
  );
}

/** The theme's colours of a bar, with its image on top. */
function themeBarStyle(band: BarColours | null, image: string | null = null): CSSProperties {
  return {
    ...(band !== null && { backgroundColor: band.colour, color: band.ink ?? readableInkOn(band.colour) }),
    ...(image !== null && { backgroundImage: `url("${encodeURI(image)}")` }),
  };
}

/** Version of the server; undefined until it is known, or without an answer. */
function useVersion(): string | undefined {
  const [version, setVersion] = useState<string>();
  useEffect(() => {
    fetchBuildInfo().then(
      (build) => setVersion(build.version ?? build.buildId),
      () => undefined,
    );
  }, []);
  return version;
}

/** R-003, picture 01: media side on the left, card column on the right. */
export function SigninScreen(props: SigninScreenProps) {
  const { t, i18n } = useTranslation('signin');
  const theme = useThemeStore((state) => state.config);
  const language = i18n.language === 'fr' ? 'fr' : 'en';
  const title = theme.signinTitle[language];
  const subtitle = theme.signinSubtitle[language];
  const version = useVersion();
  useEffect(() => {
    document.getElementById('main')?.scrollTo?.(0, 0);
  }, []);
  const brand = theme.signinBarText ?? 'Annotarium';
  const barred = theme.signinBar !== null || theme.barImage !== null;
  const note = version !== undefined && t('shell:footer.build', { build: version });
  return (
    <div className={styles['frame']}>
      {barred && (
        <header className={styles['bar']} style={themeBarStyle(theme.signinBar, theme.barImage)}>
          <Brand text={brand} />
        </header>
      )}
      <div className={styles['page']}>
        <Cover brand={barred ? null : brand} title={title} subtitle={subtitle} image={theme.bgImage} video={theme.bgVideo} />
        <main className={styles['column']} id="main">
          <div className={styles['language']}>
            <LanguageChoice />
          </div>
          <div className={styles['card']}>
            <h1>{t('title')}</h1>
            <p>{t('subtitle')}</p>
            <SigninForm {...props} />
          </div>
          {theme.signinFooter === null && <small className={styles['build']}>{note}</small>}
        </main>
      </div>
      {theme.signinFooter !== null && (
        <footer className={styles['footer']} style={themeBarStyle(theme.signinFooter)}>
          {note}
        </footer>
      )}
    </div>
  );
}
