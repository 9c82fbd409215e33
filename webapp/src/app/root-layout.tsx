import { useEffect } from 'react';
import { Outlet } from 'react-router';
import { registerLiveNotifications } from './live-handlers';
import { useLoadAhead } from './load-ahead';
import { PageTitle } from './page-title';
import { useRouteId } from './route-id';
import { whenIdle } from './when-idle';
import { NotificationStack } from '@/app/shell/notification-stack';
import { useSessionStore } from '@/state/session-store';
import { lazyPart } from '@/ui/lazy-part';

const loadSessionEnded = async () => (await import('./session-ended')).SessionEnded;
const SessionEnded = lazyPart(loadSessionEnded);

/** T-005. Its code is loaded while the session lasts: when it ends, the server may be away. */
function EndOfSession() {
  const signedIn = useSessionStore((state) => state.status === 'signedIn');
  const ended = useSessionStore((state) => state.ended);
  useEffect(() => {
    return signedIn ? whenIdle(() => void loadSessionEnded().catch(() => undefined)) : undefined;
  }, [signedIn]);
  return ended ? <SessionEnded /> : null;
}

/** Wraps every page: title, notifications, end of the session, live events, loading ahead. */
export function RootLayout() {
  const route = useRouteId();
  useEffect(() => registerLiveNotifications(), []);
  useLoadAhead(route);
  return (
    <>
      <PageTitle route={route} />
      <Outlet />
      <NotificationStack />
      <EndOfSession />
    </>
  );
}
