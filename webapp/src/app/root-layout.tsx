import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet, useMatches } from 'react-router';
import { useFocusKeeper } from './focus-keeper';
import { registerLiveNotifications } from './live-handlers';
import { SessionEnded } from './session-ended';
import { NotificationStack } from '@/app/shell/notification-stack';

/** Id of the route shown, from the route table. */
export function useRouteId(): string {
  const matches = useMatches();
  const handle = matches.at(-1)?.handle as { route?: string } | undefined;
  return handle?.route ?? '';
}

/** R-030: product name followed by the page title. */
function BrowserTitle() {
  const { t, i18n } = useTranslation('shell');
  const id = useRouteId();
  const title = i18n.exists(`shell:title.${id}`) ? ` - ${t(`title.${id}`)}` : '';
  return <title>{`Annotarium${title}`}</title>;
}

/** Wraps every page: title, focus, notifications, end of the session, live events. */
export function RootLayout() {
  useEffect(() => registerLiveNotifications(), []);
  useFocusKeeper();
  return (
    <>
      <BrowserTitle />
      <Outlet />
      <NotificationStack />
      <SessionEnded />
    </>
  );
}
