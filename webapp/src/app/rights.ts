/** Changes while the web app is open: the user's rights, and access to the open project. */
import i18next from 'i18next';
import { ApiError } from '@/api/errors';
import { queryClient } from '@/api/query-client';
import { projectQuery } from '@/api/resources/projects';
import { fetchUser } from '@/api/resources/users';
import { notify } from '@/state/notifications-store';
import { useSessionStore } from '@/state/session-store';

/** B-005: fetches the rights. A failure keeps the present ones, as the server enforces them anyway. */
export async function refreshRights(): Promise<void> {
  const { principal, status } = useSessionStore.getState();
  if (principal === null || status !== 'signedIn') return;
  try {
    const { permissions } = await fetchUser(principal.username);
    if (permissions !== undefined && permissions !== null) useSessionStore.getState().setRights(permissions);
  } catch (error) {
    console.info('The rights could not be read again', error);
  }
}

async function isStillVisible(project: string): Promise<boolean> {
  try {
    await queryClient.fetchQuery({ ...projectQuery(project), staleTime: 0, retry: false, meta: { silent: true } });
    return true;
  } catch (error) {
    // An unreachable server does not mean that access was removed.
    return !(error instanceof ApiError && [403, 404].includes(error.status));
  }
}

/** T-007, E-035 */
export async function handleVisibilityChange(project: string, visible: boolean, label = project): Promise<void> {
  const current = useSessionStore.getState().projectName === project;
  void refreshRights();
  if (visible) {
    notify({ type: 'info', message: i18next.t(current ? 'shell:live.rightsChanged' : 'shell:live.shared', { project: label }) });
    if (current) void isStillVisible(project);
    return;
  }
  if (await isStillVisible(project)) return;
  if (current) useSessionStore.getState().setKicked(true);
  else notify({ type: 'info', message: i18next.t('shell:live.unshared', { project: label }) });
}

/** Fetches what live events would have reported while the connection was lost. */
export async function refreshAfterReconnect(): Promise<void> {
  await refreshRights();
  const { projectName, status, setKicked } = useSessionStore.getState();
  if (projectName !== null && status === 'signedIn' && !(await isStillVisible(projectName))) setKicked(true);
}
