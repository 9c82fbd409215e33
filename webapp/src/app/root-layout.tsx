import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet } from 'react-router';
import { useFocusKeeper } from './focus-keeper';
import { registerLiveNotifications } from './live-handlers';
import { useLoadAhead } from './load-ahead';
import { useRouteId } from './route-id';
import { NotificationStack } from '@/app/shell/notification-stack';
import { useSessionStore } from '@/state/session-store';
import { lazyPart } from '@/ui/lazy-part';

/** R-030: product name followed by the page title. */
function BrowserTitle() {
  const { t, i18n } = useTranslation('shell');
  const id = useRouteId();
  const title = i18n.exists(`shell:title.${id}`) ? ` - ${t(`title.${id}`)}` : '';
  return <title>{`Annotarium${title}`}</title>;
}

const loadSessionEnded = async () => (await import('./session-ended')).SessionEnded;
const SessionEnded = lazyPart(loadSessionEnded);

/** T-005. Its code is loaded while the session lasts: when it ends, the server may be away. */
function EndOfSession() {
  const signedIn = useSessionStore((state) => state.status === 'signedIn');
  const ended = useSessionStore((state) => state.ended);
  useEffect(() => {
    if (signedIn) loadSessionEnded().catch(() => undefined);
  }, [signedIn]);
  return ended ? <SessionEnded /> : null;
}

/** Wraps every page: title, focus, notifications, end of the session, live events, loading ahead. */
export function RootLayout() {
  useEffect(() => registerLiveNotifications(), []);
  useFocusKeeper();
  useLoadAhead(useRouteId());
  return (
    <>
      <BrowserTitle />
      <Outlet />
      <NotificationStack />
      <EndOfSession />
    </>
  );
}
