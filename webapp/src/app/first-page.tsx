/**
 * What a browser loads first: sign-in, or a placeholder while the studio loads. Without router and query cache, so that sign-in stays within
 * its budget (`build/first-load-budget.ts`); it must not import `studio-start.tsx` or what needs it.
 */
import { Suspense, useEffect, useState, type ReactElement } from 'react';
import { noResponseError } from '@/api/errors';
import { fetchPrincipal } from '@/api/resources/principal';
import { SigninScreen } from '@/features/signin/signin-screen';
import { provideSessionActions } from '@/state/session-actions';
import { readStored } from '@/state/storage';
import { firstContact } from './first-contact';
import { changeLanguage } from './i18n';
import { loadScreen, ScreenUnavailableError } from './load-screen';
import { PageTitle } from './page-title';
import { StartScreen } from './start-screen';
import { StudioTheme } from './theme-provider';
import { isCheapConnection, whenIdle } from './when-idle';

const loadStudio = () => loadScreen(() => import('./studio-start'));

async function signIn(username: string, password: string): Promise<void> {
  const opening = fetchPrincipal(username, password);
  // Without the code nobody is signed in, but the form stays and may be sent again.
  opening.catch(() => undefined);
  const studio = await loadStudio().catch((error: unknown) => {
    throw error instanceof ScreenUnavailableError ? noResponseError() : error;
  });
  await studio.openSession(opening);
}

provideSessionActions({
  signIn,
  signOut: () => Promise.reject(new Error('Nobody is signed in')),
  changeLanguage: (locale) => changeLanguage(locale === 'fr' ? 'fr' : 'en'),
});

/** `/signin/access_denied`: why single sign-on was refused. Undefined on any other page. */
const SIGNIN = /^\/signin(?:\/([^/]*))?\/?$/u;

/** Whoever is not signed in gets the sign-in page, which returns to the present one (N-003). */
function goToSignin(): void {
  const { pathname, search } = location;
  if (SIGNIN.test(pathname)) return;
  const wanted = pathname === '/' ? '/home' : `${pathname}${search}`;
  history.replaceState(null, '', `/signin?redirect=${encodeURIComponent(wanted)}`);
}

function FirstSignin({ onStudio }: { readonly onStudio: (studio: ReactElement) => void }) {
  useEffect(
    () =>
      whenIdle(() => {
        if (isCheapConnection())
          void loadStudio().then(
            ({ loadAhead }) => loadAhead('signin'),
            () => undefined,
          );
      }),
    [],
  );
  const refusal = SIGNIN.exec(location.pathname)?.[1];
  const open = async (path: string) => {
    history.replaceState(null, '', path);
    onStudio(await (await loadStudio()).openStudio());
  };
  return (
    <>
      <PageTitle route="signin" />
      <SigninScreen refusal={refusal} redirect={new URLSearchParams(location.search).get('redirect')} onSignedIn={open} />
    </>
  );
}

/** The studio for whoever is signed in; undefined for anybody else. */
async function studioOfSession(): Promise<ReactElement | undefined> {
  // The code arrives with the answer, when somebody was signed in the last time.
  if (readStored('username') !== null) loadStudio().catch(() => undefined);
  const principal = await firstContact();
  return principal === null ? undefined : (await loadStudio()).openStudio();
}

export function FirstPage() {
  const [studio, setStudio] = useState<ReactElement | null>(null);
  const [signin, setSignin] = useState(false);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    studioOfSession().then(
      (opened) => {
        if (opened !== undefined) return setStudio(opened);
        goToSignin();
        setSignin(true);
      },
      (reason: unknown) => {
        console.error('The studio could not start', reason);
        setError(reason);
      },
    );
  }, []);
  if (studio !== null) return studio;
  return (
    <StudioTheme>
      <Suspense fallback={null}>{signin ? <FirstSignin onStudio={setStudio} /> : <StartScreen error={error} />}</Suspense>
    </StudioTheme>
  );
}
