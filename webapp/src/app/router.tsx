import i18next from 'i18next';
import { createBrowserRouter, redirect, type LoaderFunctionArgs, type RouteObject } from 'react-router';
import { projectQuery } from '@/api/resources/projects';
import { queryClient } from '@/api/query-client';
import { notify } from '@/state/notifications-store';
import { useSessionStore } from '@/state/session-store';
import { openInitialDrawers } from './initial-drawers';
import { ErrorPage, NotFoundPage } from './error-page';
import { checkNavigation } from './navigation-guard';
import { landingPath } from './landing-route';
import { loadScreen } from './load-screen';
import { ROUTES } from './routes';
import type { RouteRow } from './route-types';
import { RootLayout } from './root-layout';
import { RouterStart } from './router-start';
import { ensureStarted, loadEditQueues, openedProject } from './session-lifecycle';

const pathOf = (request: Request) => {
  const url = new URL(request.url);
  return `${url.pathname}${url.search}`;
};

/** Waits for the start, then applies the navigation guard. */
function guarded(route: RouteRow) {
  return async ({ request }: LoaderFunctionArgs) => {
    await ensureStarted();
    const [project] = await Promise.all([openedProject(), ...(route.needsProject === true ? [loadEditQueues()] : [])]);
    const { status, permissions } = useSessionStore.getState();
    if (status === 'unknown') throw new Error('The session is not known yet');
    const verdict = checkNavigation({ status, permissions, route, path: pathOf(request), project });
    if (verdict.kind === 'redirect') return redirect(verdict.to);
    if (verdict.kind === 'wrongNature') {
      notify({ type: 'error', message: i18next.t('errors:notSequenceLabelling', { project: project?.label ?? '' }) });
      return redirect(verdict.to);
    }
    if (verdict.kind === 'noRights') {
      notify({ type: 'warning', message: i18next.t('errors:userHasNoRights') });
      throw new Response('noRights', { status: 403 });
    }
    return null;
  };
}

/** R-023, N-008: opens the project, then its route with what follows it (`gazetteers/terms`), its own landing route or the first allowed one. */
async function openProjectLoader({ request, params }: LoaderFunctionArgs) {
  await ensureStarted();
  const { status, permissions, openProject } = useSessionStore.getState();
  const name = params['projectName'] ?? '';
  if (status !== 'signedIn') return redirect(`/signin?redirect=${encodeURIComponent(pathOf(request))}`);
  try {
    const project = await queryClient.fetchQuery(projectQuery(name));
    openProject(name);
    const rest = (params['*'] ?? '').split('/').map(encodeURIComponent).join('/');
    const wanted = params['routeName'] === undefined ? {} : { routeOnOpenProject: params['routeName'], rest };
    const to = landingPath({ ...project, ...wanted }, permissions, ROUTES);
    if (to !== null) {
      openInitialDrawers(name, to);
      return redirect(to);
    }
    notify({ type: 'error', message: i18next.t('errors:noLanding') });
  } catch {
    // Reported by the query cache.
  }
  return redirect('/home');
}

/** An unknown address: signed-in users see the error inside the shell, with the rights of the open project. */
async function notFoundLoader({ request }: LoaderFunctionArgs) {
  await ensureStarted();
  await openedProject();
  const signedIn = useSessionStore.getState().status === 'signedIn';
  return signedIn ? null : redirect(`/signin?redirect=${encodeURIComponent(pathOf(request))}`);
}

function routeObjectsOfRow(row: RouteRow): RouteObject[] {
  const lazy = async () => ({ Component: await loadScreen(row.load) });
  return [`${row.path}${row.params ?? ''}`, ...(row.also ?? [])].map((path) => ({
    path,
    lazy,
    loader: guarded(row),
    handle: { route: row.id },
    shouldRevalidate: () => true,
  }));
}

export function routeObjects(): RouteObject[] {
  const inShell = ROUTES.filter((row) => row.anonymous !== true);
  const bare = ROUTES.filter((row) => row.anonymous === true);
  return [
    {
      element: <RootLayout />,
      HydrateFallback: RouterStart,
      errorElement: <ErrorPage />,
      children: [
        { path: '/', loader: () => redirect('/home'), element: null },
        { path: '/openProject/:projectName/:routeName?/*', loader: openProjectLoader, element: null },
        ...bare.flatMap(routeObjectsOfRow),
        {
          lazy: async () => ({ Component: await loadScreen(async () => (await import('@/app/shell/shell')).Shell) }),
          children: [
            {
              errorElement: <ErrorPage inShell />,
              children: [...inShell.flatMap(routeObjectsOfRow), { path: '*', loader: notFoundLoader, element: <NotFoundPage /> }],
            },
          ],
        },
      ],
    },
  ];
}

export const createStudioRouter = () => createBrowserRouter(routeObjects());
