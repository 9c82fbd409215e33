/** The frame around the pages, in the real router. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { useLayoutStore } from '@/state/layout-store';
import { notify } from '@/state/notifications-store';
import { useSessionStore } from '@/state/session-store';
import { renderStudio } from '@/test/render';
import { PERMISSIONS, project, server } from '@/test/server';
import { clearSession } from '@/app/session-lifecycle';

const MORE = [...PERMISSIONS, 'seeGlobalJobs', 'changeProjectConfig', 'seeHelp', 'importDocuments'];
const configured = (config: object) => server.use(http.get('*/api/ui-config', () => HttpResponse.json(config)));
const rail = () => screen.queryByRole('navigation', { name: 'Project' });

beforeAll(() => server.listen({ onUnhandledRequest: 'bypass' }));
beforeEach(() => {
  useLayoutStore.setState({ rail: 'auto', landing: null, drawers: {} });
  server.use(
    http.get('*/api/users/:name', () => HttpResponse.json({ username: 'ana', profilename: 'Ana Roth', permissions: MORE })),
    http.get('*/api/users/:name/profile', () => HttpResponse.json({ username: 'ana', profilename: 'Ana Roth' })),
    http.get('*/api/users/:name/sign_ins', () => HttpResponse.json([])),
    http.get('*/api/roles', () => HttpResponse.json([])),
    http.get('*/api/projects/:name/label_sets', () => HttpResponse.json([])),
  );
});
afterEach(() => {
  clearSession();
  server.resetHandlers();
});
afterAll(() => server.close());

describe('left navigation (W-009)', () => {
  it('shows with a project, and not on home nor without one', async () => {
    const { router } = await renderStudio('/profile');
    await screen.findByRole('heading', { name: 'Profile' });
    expect(rail()).toBeNull();
    await router.navigate('/openProject/press');
    await waitFor(() => expect(rail()).toBeVisible());
    await router.navigate('/home');
    await screen.findByRole('heading', { name: 'Projects' });
    expect(rail()).toBeNull();
    await router.navigate('/jobs');
    await waitFor(() => expect(rail()).toBeVisible());
    // The profile and the administration are about no project, also while one is open.
    await router.navigate('/profile');
    await screen.findByRole('heading', { name: 'Profile' });
    expect(rail()).toBeNull();
    expect(screen.queryByRole('button', { name: 'Project actions' })).toBeNull();
    expect(screen.getByRole('link', { name: /^Back to / })).toHaveAttribute('href', '/openProject/press');
  });

  it('opens with the project where there is room (N-010), until it is folded', async () => {
    const wide = vi.spyOn(window, 'matchMedia').mockImplementation(
      (media) =>
        ({
          matches: /min-width/.test(media),
          media,
          addEventListener: () => undefined,
          removeEventListener: () => undefined,
        }) as unknown as MediaQueryList,
    );
    server.use(
      http.get('*/api/users/:name', () =>
        HttpResponse.json({ username: 'ana', profilename: 'Ana', permissions: [...MORE, 'seeExplore', 'seeDocuments'] }),
      ),
    );
    try {
      const { router } = await renderStudio('/openProject/press/explore');
      await waitFor(() => expect(router.state.location.pathname).toBe('/explore'));
      // Folded on working screens, unless the project was opened there.
      expect(await screen.findByRole('button', { name: 'Collapse' })).toHaveAttribute('aria-expanded', 'true');
      expect(useLayoutStore.getState().drawers['explore/filters']).toBe(true);
      await router.navigate('/documents');
      expect(await screen.findByRole('button', { name: 'Expand' })).toHaveAttribute('aria-expanded', 'false');
      await router.navigate('/explore');
      await userEvent.click(await screen.findByRole('button', { name: 'Collapse' }));
      expect(await screen.findByRole('button', { name: 'Expand' })).toHaveAttribute('aria-expanded', 'false');
    } finally {
      wide.mockRestore();
    }
  });

  it('is 278 px wide open and 114 px folded (C-011)', () => {
    const css = readFileSync('src/app/shell/shell.module.css', 'utf8');
    const widthOf = (selector: string) => new RegExp(`\\n${selector} \\{[^}]*?\\n  width: (\\d+)px`).exec(css)?.[1];
    expect([widthOf('\\.rail'), widthOf('\\.rail\\[data-expanded\\]')]).toEqual(['114', '278']);
  });
});

describe('top bar', () => {
  it('S-003 links from home to all jobs, for permitted users', async () => {
    const { router } = await renderStudio('/home');
    const link = await screen.findByRole('link', { name: /^Jobs/ });
    expect(link).toHaveAttribute('href', '/globalJobs');
    await router.navigate('/profile');
    await screen.findByRole('heading', { name: 'Profile' });
    expect(screen.queryByRole('link', { name: /^Jobs/ })).toBeNull();
  });

  it('S-003 does not, without the permission', async () => {
    server.use(http.get('*/api/users/:name', () => HttpResponse.json({ username: 'ana', profilename: 'Ana', permissions: PERMISSIONS })));
    await renderStudio('/home');
    await screen.findByRole('heading', { name: 'Projects' });
    expect(screen.queryByRole('link', { name: /^Jobs/ })).toBeNull();
  });

  it('links back to the page set by the operator, if any', async () => {
    configured({ backButton: '/portal' });
    const { unmount } = await renderStudio('/home');
    expect(await screen.findByRole('link', { name: 'Back to the previous screen' })).toHaveAttribute('href', '/portal');
    unmount();
    configured({});
    await renderStudio('/home');
    await screen.findByRole('heading', { name: 'Projects' });
    expect(screen.queryByRole('link', { name: 'Back to the previous screen' })).toBeNull();
  });

  it('N-009 makes the present page the landing page of the project, and reports it', async () => {
    let patch: unknown;
    server.use(
      http.patch('*/api/projects/press/config', async ({ request }) => {
        patch = await request.json();
        return new HttpResponse(null, { status: 204 });
      }),
    );
    useSessionStore.getState().openProject('press');
    await renderStudio('/jobs');
    await userEvent.click(await screen.findByRole('button', { name: 'Project actions' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Always open the project on this page' }));
    expect(await screen.findByText('The project now opens on “Jobs”')).toBeVisible();
    expect(patch).toEqual({ routeOnOpenProject: 'jobs' });
  });

  it('N-009 is not offered without changeProjectConfig', async () => {
    const permissions = MORE.filter((name) => name !== 'changeProjectConfig');
    server.use(http.get('*/api/users/:name', () => HttpResponse.json({ username: 'ana', profilename: 'Ana', permissions })));
    useSessionStore.getState().openProject('press');
    await renderStudio('/jobs');
    await userEvent.click(await screen.findByRole('button', { name: 'Project actions' }));
    await screen.findByRole('menuitem', { name: 'Import documents' });
    expect(screen.queryByRole('menuitem', { name: 'Always open the project on this page' })).toBeNull();
  });

  it('R-023 opens a tab of a screen', async () => {
    const { router } = await renderStudio('/openProject/press/labels/my%20set');
    await waitFor(() => expect(router.state.location.pathname).toBe('/labels/my%20set'));
  });

  it('N-009 opens there the next time', async () => {
    server.use(http.get('*/api/projects/:name/_info', () => HttpResponse.json(project('press', { routeOnOpenProject: 'jobs' }))));
    const { router } = await renderStudio('/openProject/press');
    await waitFor(() => expect(router.state.location.pathname).toBe('/jobs'));
  });
});

describe('footer', () => {
  it('W-020 scrolls to the top and shows past notifications', async () => {
    await renderStudio('/home');
    await screen.findByRole('heading', { name: 'Projects' });
    const scroll = vi.fn();
    const page = document.querySelector('[data-scroll]');
    if (page !== null) page.scrollTo = scroll;
    await userEvent.click(screen.getByRole('button', { name: 'Top' }));
    expect(scroll).toHaveBeenCalledWith({ top: 0, behavior: 'smooth' });
    // The footer shows sizes of a project only: there is none here.
    expect(screen.getByRole('contentinfo')).not.toHaveTextContent(/document|job/u);
    notify({ type: 'info', message: 'The import has ended', cause: 'A line is wrong', fix: 'Correct it' });
    expect(await screen.findByText('A line is wrong. Correct it')).toBeVisible();
    await userEvent.click(await screen.findByRole('button', { name: 'Notifications, 1' }));
    const tray = await screen.findByRole('region', { name: 'Notifications' });
    expect(within(tray).getByText('The import has ended')).toBeVisible();
    await userEvent.click(within(tray).getByRole('button', { name: 'Clear all' }));
    expect(await within(tray).findByText('Nothing to report')).toBeVisible();
  });

  it('W-022 shows the image tags and the build id', async () => {
    server.use(
      http.get('*/api/swagger-ui/buildInfo.json', () =>
        HttpResponse.json({ version: '1.2.0', buildId: 'b-417', imageTags: { annotarium: '1.2.0-rc1', valkey: '8' } }),
      ),
    );
    await renderStudio('/home');
    await userEvent.hover(await screen.findByText('Build 1.2.0'));
    const tooltip = await screen.findByRole('tooltip');
    for (const part of ['b-417', 'annotarium 1.2.0-rc1', 'valkey 8']) expect(tooltip).toHaveTextContent(part);
  });

  it('W-023 shows the notices of the operator', async () => {
    configured({ aiUsageWarning: true, userFeedbacks: true, corporation: 'Press & Co' });
    const { unmount } = await renderStudio('/home');
    const footer = await screen.findByRole('contentinfo');
    expect(within(footer).getByText('Press & Co')).toBeVisible();
    expect(footer).toHaveTextContent('Suggestions of models may be wrong: check them before you rely on them.');
    expect(footer).toHaveTextContent('Tell your administrator what helps you here, and what does not.');
    unmount();
    configured({ aiUsageWarning: false });
    await renderStudio('/home');
    expect(await screen.findByRole('contentinfo')).not.toHaveTextContent(/models propose|Press & Co|administrator/);
  });

  it.each([
    [true, true],
    [true, false],
    [false, true],
  ])('W-023 warns of documents of groups where files are dropped: access control %s, message %s', async (enabled, showWarningMessage) => {
    configured({ documentLevelAccessControl: { enabled, showWarningMessage } });
    useSessionStore.getState().openProject('press');
    await renderStudio('/addDocuments');
    await screen.findByRole('heading', { name: 'Import documents' });
    const notice = screen.queryByRole('note');
    if (enabled && showWarningMessage) expect(notice).toHaveTextContent(/visible to the members of that group only/);
    else expect(notice).toBeNull();
  });
});

describe('access to a project is removed (D-007, E-023)', () => {
  it('shows a dialog, which leads home', async () => {
    useSessionStore.getState().openProject('press');
    const { router } = await renderStudio('/jobs');
    await screen.findByRole('heading', { name: 'Jobs' });
    useSessionStore.getState().setKicked(true);
    const dialog = await screen.findByRole('dialog');
    expect(dialog).toHaveTextContent('You no longer have access to the project and will be redirected to the homepage.');
    await userEvent.click(within(dialog).getByRole('button', { name: 'All projects' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/home'));
    expect(useSessionStore.getState()).toMatchObject({ kicked: false, projectName: null });
  });
});
