/** The navigation of narrow windows, in the real router. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useLiveStore } from '@/state/live-store';
import { useSessionStore } from '@/state/session-store';
import { inNarrowWindow } from '@/test/narrow-window';
import { renderStudio } from '@/test/render';
import { PERMISSIONS, project, server } from '@/test/server';
import { clearSession } from '@/app/session-lifecycle';
import { ROUTES } from '@/app/routes';
import { bottomBarEntries } from './bottom-bar';
import type { NavigationEntry } from './use-navigation-entries';

const entry = (id: string) => ({ row: ROUTES.find((row) => row.id === id), entry: { route: id } }) as unknown as NavigationEntry;
const SCREENS = ['documents', 'explore', 'labels', 'suggestions', 'experiments', 'dashboard', 'jobs', 'settings'];
const namesOf = (entries: readonly NavigationEntry[]) => entries.map(({ row }) => row.id);
const ALL = [...PERMISSIONS, 'seeDocuments', 'seeExplore', 'seeSuggestions', 'seeCorpusStats', 'shareProject'];

beforeAll(() => server.listen({ onUnhandledRequest: 'bypass' }));
beforeEach(() => {
  server.use(
    http.get('*/api/users/:name', () => HttpResponse.json({ username: 'ana', profilename: 'Ana', permissions: ALL })),
    http.get('*/api/projects/:name/_info', () => HttpResponse.json(project('press', { label: 'Regional press' }))),
    http.get('*/api/projects/press/shares/:kind', () => HttpResponse.json([])),
  );
  useSessionStore.getState().openProject('press');
});
afterEach(() => {
  clearSession();
  server.resetHandlers();
});
afterAll(() => server.close());

describe('the entries', () => {
  it('four that a phone is used for, the rest behind More, each in the order of the navigation', () => {
    const { bar, more } = bottomBarEntries(SCREENS.map(entry));
    expect(namesOf(bar)).toEqual(['documents', 'explore', 'suggestions', 'dashboard']);
    expect(namesOf(more)).toEqual(['labels', 'experiments', 'jobs', 'settings']);
  });

  it('others fill the bar where these are not permitted', () => {
    expect(namesOf(bottomBarEntries(['labels', 'dashboard', 'jobs'].map(entry)).bar)).toEqual(['labels', 'dashboard', 'jobs']);
  });
});

describe('a project in a narrow window', () => {
  inNarrowWindow();

  it('has its navigation at the lower edge, the rest with sign out in a sheet (W-008)', async () => {
    const { router } = await renderStudio('/jobs');
    const bar = await screen.findByRole('navigation', { name: 'Project' });
    expect(within(bar).getByRole('link', { name: 'Documents' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Expand' })).toBeNull();
    await userEvent.click(within(bar).getByRole('button', { name: 'More' }));
    const sheet = await screen.findByRole('dialog', { name: 'Project' });
    expect(within(sheet).getByRole('link', { name: /^Jobs/ })).toHaveAttribute('aria-current', 'page');
    expect(within(sheet).getByRole('button', { name: 'Sign out' })).toBeVisible();
    await userEvent.click(within(sheet).getByRole('link', { name: 'Labels' }));
    await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/labels/));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('says when the server is not reached, and offers to try again', async () => {
    await renderStudio('/jobs');
    await screen.findByRole('navigation', { name: 'Project' });
    useLiveStore.setState({ status: 'offline', since: Date.now() });
    expect(await screen.findByText(/^Offline since/)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Reconnect now' })).toBeVisible();
  });

  it('has the languages in the account menu (W-002)', async () => {
    await renderStudio('/jobs');
    await userEvent.click(await screen.findByRole('button', { name: 'Account of Ana' }));
    expect(await screen.findByRole('menuitem', { name: 'Français' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Language' })).toBeNull();
  });

  it('is not drawn outside projects', async () => {
    await renderStudio('/profile');
    await screen.findByRole('heading', { name: 'Profile' });
    expect(screen.queryByRole('navigation', { name: 'Project' })).toBeNull();
  });
});

describe('Share beside the name of the project (D-019)', () => {
  it('opens the shares, for those who may change them', async () => {
    await renderStudio('/jobs');
    await userEvent.click(await screen.findByRole('button', { name: 'Share' }));
    expect(await screen.findByRole('dialog', { name: 'Share “Regional press”' })).toBeVisible();
  });

  it('is not offered to others', async () => {
    const permissions = ALL.filter((name) => name !== 'shareProject');
    server.use(http.get('*/api/users/:name', () => HttpResponse.json({ username: 'ana', profilename: 'Ana', permissions })));
    await renderStudio('/jobs');
    await screen.findByRole('heading', { name: 'Jobs' });
    expect(screen.queryByRole('button', { name: 'Share' })).toBeNull();
  });
});
