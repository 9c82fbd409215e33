/** Route-level: the real table, guard, shell and screens. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { useSessionStore } from '@/state/session-store';
import { useNotificationsStore } from '@/state/notifications-store';
import { job, PERMISSIONS, project, errorResponse, server } from '@/test/server';
import { ApiError } from '@/api/errors';
import { signInErrorKey } from '@/features/signin/signin-error-texts';
import { renderStudio } from '@/test/render';
import type { RouteRow } from './route-types';
import { ROUTES } from './routes';
import { clearSession } from './session-lifecycle';

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => {
  clearSession();
  server.resetHandlers();
});
afterAll(() => server.close());

const anonymous = () => server.use(http.get('*/api/current_user', () => errorResponse(401, 'nobody')));

describe('signing in', () => {
  it('N-003, N-012 returns to the requested page; T-002 splits roles', async () => {
    anonymous();
    const { router } = await renderStudio('/profile');
    await screen.findByRole('heading', { name: 'Sign in' });
    expect(router.state.location.search).toBe('?redirect=%2Fprofile');
    let basic = '';
    server.use(
      http.get('*/api/users/:name', ({ request }) => {
        basic = request.headers.get('authorization') ?? '';
        return HttpResponse.json({ username: 'ana', profilename: 'Ana Roth', permissions: ['role:Reader', 'seeUserProfile', 'seeLogout'] });
      }),
      http.get('*/api/users/:name/profile', () => HttpResponse.json({ username: 'ana', profilename: 'Ana Roth' })),
    );
    await userEvent.type(screen.getByLabelText('Username'), 'ana');
    await userEvent.type(screen.getByLabelText('Password'), 'pässword{Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe('/profile'));
    expect(new TextDecoder().decode(Uint8Array.from(atob(basic.replace('Basic ', '')), (c) => c.charCodeAt(0)))).toBe('ana:pässword');
    expect(useSessionStore.getState().roles).toEqual(['Reader']);
    await waitFor(() => expect(document.title).toBe('Annotarium - Profile'));
  });

  it('E-021 a disabled account is denied; the session stays empty', async () => {
    anonymous();
    await renderStudio('/signin');
    server.use(http.get('*/api/users/:name', () => errorResponse(401, 'The account is disabled', { error: 'disabled' })));
    await userEvent.type(await screen.findByLabelText('Username'), 'ana');
    await userEvent.type(screen.getByLabelText('Password'), 'secret-1{Enter}');
    expect(await screen.findByText('Access denied')).toBeInTheDocument();
    expect(useSessionStore.getState().status).toBe('anonymous');
  });

  it('E-021 decides by error code, not by text: the same in French, and for a wrong password whose message mentions disabled accounts', () => {
    const error = (body: object) => new ApiError(401, { code: 401, ...body });
    expect(signInErrorKey(error({ error: 'disabled', cause: 'Le compte est désactivé' }))).toBe('accessDenied');
    expect(signInErrorKey(error({ error: 'not_authenticated', cause: 'Wrong password, or the account is disabled' }))).toBe('wrong');
  });

  it('E-061 a failed start shows the reason and never becomes ready', async () => {
    server.use(http.get('*/api/ui-config', () => errorResponse(503, 'starting')));
    await renderStudio('/home');
    expect(await screen.findByText('The studio could not start')).toBeInTheDocument();
    expect(useSessionStore.getState().status).toBe('unknown');
  });
});

describe('home', () => {
  it('lists, filters by name with the path as state, and shows an empty result', async () => {
    const { router } = await renderStudio('/home');
    expect(await screen.findByRole('link', { name: 'Regional press' })).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Show the filters' }));
    await userEvent.type(screen.getByLabelText('Filter by name'), 'TICK');
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Regional press' })).toBeNull());
    expect(await screen.findByRole('link', { name: 'Support tickets' })).toBeInTheDocument();
    expect(router.state.location.pathname).toMatch(/^\/home\/[\w-]+$/);
    await userEvent.type(screen.getByLabelText('Filter by name'), 'zzz');
    expect(await screen.findByText('No projects match')).toBeInTheDocument();
  });

  it('V-002 deletes only after the box is ticked, and closes only on success', async () => {
    await renderStudio('/home');
    await userEvent.click(await screen.findByRole('button', { name: 'Actions on Regional press' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    const dialog = await screen.findByRole('dialog');
    const remove = within(dialog).getByRole('button', { name: 'Delete project' });
    expect(remove).toBeDisabled();
    await userEvent.click(within(dialog).getByLabelText('Yes, delete all its documents and labels'));
    server.use(http.delete('*/api/projects/press', () => errorResponse(503, 'busy')));
    await userEvent.click(remove);
    await waitFor(() =>
      expect(useNotificationsStore.getState().items.map((item) => item.message)).toContain('We failed to delete the project.'),
    );
    expect(screen.getByRole('dialog')).toBeInTheDocument();
    server.use(http.delete('*/api/projects/press', () => HttpResponse.json({ acknowledged: true })));
    await userEvent.click(within(dialog).getByRole('button', { name: 'Delete project' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it.each([
    ['createProject and deleteProject', true],
    ['neither of them', false],
  ])('S-004 offers to create and to delete a project with %s: %s', async (_rights, held) => {
    const permissions = PERMISSIONS.filter((one) => held || !['createProject', 'deleteProject'].includes(one));
    server.use(http.get('*/api/users/:name', () => HttpResponse.json({ username: 'ana', profilename: 'Ana', permissions })));
    await renderStudio('/home');
    await screen.findByRole('link', { name: 'Regional press' });
    expect(screen.queryAllByRole('button', { name: 'Create project' })).toHaveLength(held ? 1 : 0);
    await userEvent.click(screen.getByRole('button', { name: 'Actions on Regional press' }));
    await screen.findByRole('menuitem', { name: 'Open' });
    expect(screen.queryAllByRole('menuitem', { name: 'Delete' })).toHaveLength(held ? 1 : 0);
  });

  it('D-001 each tab of the dialog has its own form, and the button submits the open tab', async () => {
    await renderStudio('/home');
    await screen.findByRole('link', { name: 'Regional press' });
    await userEvent.click(screen.getByRole('button', { name: 'Create project' }));
    const dialog = within(await screen.findByRole('dialog'));
    await userEvent.click(dialog.getByRole('button', { name: 'Create project' }));
    expect(await dialog.findByText('Enter a name')).toBeInTheDocument();
    await userEvent.click(dialog.getByRole('tab', { name: 'Import project' }));
    expect(dialog.queryByText('Enter a name')).toBeNull();
    expect(dialog.queryByRole('button', { name: 'Create project' })).toBeNull();
    expect(dialog.getByRole('button', { name: 'Import project' })).toBeDisabled();
    await userEvent.click(dialog.getByRole('tab', { name: 'New project' }));
    expect(dialog.getByRole('button', { name: 'Create project' })).toBeEnabled();
  });
});

describe('guard in the router', () => {
  it('N-004 a project screen goes home without a project', async () => {
    const { router } = await renderStudio('/jobs');
    await screen.findByRole('link', { name: 'Regional press' });
    expect(router.state.location.pathname).toBe('/home');
  });
  it('R-023 opens a project and lands on the first allowed screen', async () => {
    server.use(http.get('*/api/projects/:name/label_sets', () => HttpResponse.json([])));
    const { router } = await renderStudio('/openProject/press');
    await waitFor(() => expect(router.state.location.pathname).toBe('/labels/default'));
    expect(useSessionStore.getState().projectName).toBe('press');
  });
  it('a page for sequence labelling refuses other natures, and shows why (no existing page has this restriction yet)', async () => {
    const reserved: RouteRow = {
      id: 'reserved',
      path: '/reserved',
      needsProject: true,
      natures: ['sequence_labelling'],
      load: () => Promise.resolve(() => 'Terms'),
    };
    (ROUTES as RouteRow[]).push(reserved);
    try {
      server.use(
        http.get('*/api/projects/:name/_info', () => HttpResponse.json(project('tickets', { label: 'Tickets', nature: 'classification' }))),
      );
      useSessionStore.getState().openProject('tickets');
      const { router } = await renderStudio('/reserved');
      expect(await screen.findByText("'Tickets' is not a sequence labelling project")).toBeVisible();
      expect(router.state.location.pathname).toBe('/home');
    } finally {
      (ROUTES as RouteRow[]).pop();
    }
  });
  it('E-027 shows that no page of a project is permitted, and stays on home', async () => {
    const permissions = ['seeHomepage', 'readProject:*'];
    server.use(http.get('*/api/users/:name', () => HttpResponse.json({ username: 'ana', profilename: 'Ana', permissions })));
    const { router } = await renderStudio('/openProject/press');
    await waitFor(() => expect(router.state.location.pathname).toBe('/home'));
    const told = useNotificationsStore.getState().items.filter(({ type }) => type === 'error');
    expect(told.map(({ message }) => message)).toEqual([i18next.t('errors:noLanding')]);
    expect(told[0]?.message).toMatch(/panel|page/);
  });

  it('N-006 shows that no rights are assigned (E-020)', async () => {
    server.use(http.get('*/api/users/:name', () => HttpResponse.json({ username: 'ana', profilename: 'Ana', permissions: [] })));
    await renderStudio('/home');
    expect((await screen.findAllByText(/You have no rights assigned on the platform/)).length).toBeGreaterThan(0);
  });
});

describe('jobs', () => {
  it('S-059 shows states, the cause of a failure, and cancels', async () => {
    let cancelled = '';
    server.use(
      http.get('*/api/projects/:name/jobs', () =>
        HttpResponse.json([
          job('run', { status: 'STARTED' }),
          job('bad', { status: 'FAILED', statusMessage: 'Out of memory', completedAt: 1_700_000_041_000 }),
        ]),
      ),
      http.delete('*/api/projects/:name/job/:id', ({ params }) => {
        cancelled = String(params['id']);
        return HttpResponse.json(job('run', { status: 'CANCELLED' }));
      }),
    );
    useSessionStore.getState().openProject('press');
    await renderStudio('/jobs');
    expect(await screen.findByText(/Failed after 41\ss/)).toBeInTheDocument();
    await userEvent.click(screen.getByText('Job bad'));
    expect(await screen.findByText('Out of memory')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(cancelled).toBe('run'));
  });
});
