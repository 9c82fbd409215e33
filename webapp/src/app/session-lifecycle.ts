/** T-004: loads configuration and authentication, then what a signed-in user needs: timer, projects, theme, live events. */
import type * as EditQueues from '@/labelling-sync/edit-queues';
import { setUnauthorizedHandler } from '@/api/client';
import { ApiError } from '@/api/errors';
import { LiveConnection } from '@/api/live-connection';
import { queryClient } from '@/api/query-client';
import { projectQuery, projectsQuery, type Project } from '@/api/resources/projects';
import { fetchFavoriteTheme } from '@/api/resources/build-info-and-themes';
import { fetchPrincipal, type PrincipalAnswer } from '@/api/resources/principal';
import { signOutOnServer } from '@/api/resources/users';
import { useImportStore } from '@/state/import-dialog-store';
import { provideSessionActions } from '@/state/session-actions';
import { startSessionTimer, stopSessionTimer } from '@/state/session-timer';
import { useSessionStore } from '@/state/session-store';
import { themeConfigOf, useThemeStore } from '@/state/theme-store';
import { useNotificationsStore } from '@/state/notifications-store';

import { firstContact, resetContact } from './first-contact';
import { changeLanguage, loadLaterMessages, loadServerMessages } from './i18n';
import { loadScreen } from './load-screen';
import { refreshAfterReconnect } from './rights';
import { whenIdle } from './when-idle';

export const liveConnection = new LiveConnection(queryClient, undefined, () => void refreshAfterReconnect());

const session = () => useSessionStore.getState();

/** Queues of unsaved edits: loaded before the first screen of a project, or soon after signing in to send what earlier pages left. */
let editQueues: typeof EditQueues | undefined;

export async function loadEditQueues(): Promise<void> {
  const loaded = await loadScreen(() => import('@/labelling-sync/edit-queues'));
  if (editQueues !== undefined) return;
  editQueues = loaded;
  loaded.installEditListeners();
}

async function resumeEdits(): Promise<void> {
  try {
    await loadEditQueues();
  } catch (error) {
    return console.warn('Edits of earlier pages are sent later', error);
  }
  const { status, ended } = session();
  if (status === 'signedIn' && !ended) await editQueues?.resumeEdits(queryClient);
}

/** T-005: stops all activity; the same user signs in again on top of the screen, which keeps its input (decision 0098). */
function handleSessionExpiry(): void {
  const { status, ended, setEnded } = session();
  if (status !== 'signedIn' || ended) return;
  stopSessionTimer();
  liveConnection.stop();
  editQueues?.pauseEdits(true);
  setEnded(true);
}

/** Continues an expired session, with the present rights and data. */
async function continueSession(answer: PrincipalAnswer): Promise<void> {
  // May be called twice: by the form, and after signing in in another window.
  if (!session().ended) return;
  await enterSession(answer);
  editQueues?.pauseEdits(false);
  void queryClient.invalidateQueries();
}

/** Continues an expired session; only for the same user. */
export async function signInAgain(password: string): Promise<void> {
  await continueSession(await fetchPrincipal(session().principal?.username ?? '', password));
}

/** Continues an expired session if the user has signed in again elsewhere (another window, single sign-on). Otherwise does nothing. */
export async function resumeSessionFromOtherWindow(): Promise<void> {
  const { ended, principal } = session();
  if (!ended || principal === null) return;
  await fetchPrincipal(principal.username).then(continueSession, () => undefined);
}

export function clearSession(): void {
  stopSessionTimer();
  liveConnection.stop();
  editQueues?.stopEdits();
  session().signOut();
  // The dialog would open over the first screen of the next user, without its files.
  useImportStore.getState().setOpen(false);
  queryClient.clear();
}

/** Starts the session of a principal, at start or after signing in. */
export async function enterSession(answer: PrincipalAnswer): Promise<void> {
  session().signIn(
    { username: answer.username, profilename: answer.profilename || answer.username, ssoLogin: answer.ssoLogin === true },
    answer.permissions ?? [],
  );
  // E-059: no configured length, no timer.
  startSessionTimer(session().config.session?.expiresInMinutes, handleSessionExpiry);
  setUnauthorizedHandler(handleSessionExpiry);
  await Promise.all([queryClient.prefetchQuery(projectsQuery()), loadTheme(), messagesOfFirstScreen()]);
  liveConnection.start();
  whenIdle(() => void resumeEdits());
}

/** Home shows no report; it opens without their messages, which follow when nothing else is to do. */
const messagesOfFirstScreen = () => (/^\/(home|signin)?(\/|$)/u.test(location.pathname) ? loadServerMessages() : loadLaterMessages());

async function loadTheme(): Promise<void> {
  try {
    useThemeStore.getState().setConfig(themeConfigOf(await fetchFavoriteTheme()));
  } catch (error) {
    console.info('The theme could not be read; the last one stays', error);
  }
}

let starting: Promise<void> | undefined;

/** Runs once; every loader awaits it (N-001). After a failure the web app stays not ready (E-061). */
export function ensureStarted(): Promise<void> {
  starting ??= (async () => {
    const principal = await firstContact();
    if (principal !== null) await enterSession(principal);
  })();
  return starting;
}

/** For tests, and to retry a failed start. */
export function resetStart(): void {
  starting = undefined;
  resetContact();
}

/** The open project; null after clearing a name that is no longer accessible. */
export async function openedProject(): Promise<Project | null> {
  const name = session().projectName;
  if (name === null || session().status !== 'signedIn') return null;
  try {
    const query = { ...projectQuery(name), meta: { silent: true } };
    const project = await queryClient.ensureQueryData(query);
    session().setProjectReadOnly(project.readOnly ?? null);
    return project;
  } catch (error) {
    if (error instanceof ApiError && [403, 404].includes(error.status)) session().openProject(null);
    return null;
  }
}

/** T-002: an existing session is closed first; after a failure the user is signed out. */
export async function signIn(username: string, password: string): Promise<void> {
  if (session().status === 'signedIn') await signOutOnServer();
  await openSession(fetchPrincipal(username, password));
}

/** Starts the session that the server just opened. */
export async function openSession(opening: Promise<PrincipalAnswer>): Promise<void> {
  try {
    await enterSession(await opening);
  } catch (error) {
    clearSession();
    throw error;
  }
}

/** T-003: stores cleared, then the configured logout page if any. */
export async function signOut(go: (path: string) => void): Promise<void> {
  const { config, principal } = session();
  await signOutOnServer().catch((error: unknown) => console.warn('Signing out failed', error));
  clearSession();
  useNotificationsStore.getState().clear();
  if (principal?.ssoLogin === true) location.assign('/oauth2/logout');
  else if (config.logoutRedirectUrl) location.assign(config.logoutRedirectUrl);
  else go('/signin');
}

provideSessionActions({ signIn, signOut, changeLanguage: (locale) => changeLanguage(locale === 'fr' ? 'fr' : 'en') });
