import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { clearSession } from '@/app/session-lifecycle';
import { useSessionStore } from '@/state/session-store';
import { renderStudio } from '@/test/render';
import { PERMISSIONS, server } from '@/test/server';
import { describeUserAgent } from './user-agent';
import { groupPermissions, roleType } from '@/state/permission-display-groups';

const role = (rolename: string, type: string) => ({ rolename, label: rolename, description: `About ${rolename}`, type, permissions: [] });
const signIn = (identifier: string, agent: string, current: boolean) => ({
  identifier,
  agent,
  address: '10.0.0.7',
  createdAt: '2026-11-22T00:00:00Z',
  current,
});

let patched: unknown;

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => {
  patched = undefined;
  server.use(
    http.get('*/api/users/:name/profile', () => HttpResponse.json({ username: 'ana', profilename: 'Ana Roth', email: 'ana@example.org' })),
    http.patch('*/api/users/ana/profile', async ({ request }) => {
      patched = await request.json();
      return HttpResponse.json({ ok: true });
    }),
    http.get('*/api/users/ana/keys', () => HttpResponse.json([])),
    http.get('*/api/users/ana/sign_ins', () =>
      HttpResponse.json([signIn('2', 'Mozilla/5.0 (X11; Linux) Firefox/140.0', true), signIn('1', 'curl/8.5.0', false)]),
    ),
    http.get('*/api/roles', () => HttpResponse.json([role('ProjectManager', 'functional'), role('Odd', 'galactic')])),
  );
});
afterEach(() => {
  clearSession();
  server.resetHandlers();
});
afterAll(() => server.close());

describe('the profile (R-005)', () => {
  it('changes name and e-mail, and reports it', async () => {
    await renderStudio('/profile');
    const name = await screen.findByLabelText(/^Display name/);
    await userEvent.clear(name);
    await userEvent.type(name, 'Ana R.');
    await userEvent.clear(screen.getByLabelText('Email'));
    await userEvent.type(screen.getByLabelText('Email'), 'nowhere');
    await userEvent.click(screen.getByRole('button', { name: 'Save profile' }));
    expect(await screen.findByText('Enter an address such as name@example.org')).toBeVisible();
    expect(patched).toBeUndefined();
    await userEvent.type(screen.getByLabelText('Email'), '@example.org');
    await userEvent.click(screen.getByRole('button', { name: 'Save profile' }));
    expect(await screen.findByText('Profile saved')).toBeVisible();
    expect(patched).toEqual({ profilename: 'Ana R.', email: 'nowhere@example.org' });
    expect(useSessionStore.getState().principal?.profilename).toBe('Ana R.');
  });

  it('changes the password, typed twice', async () => {
    await renderStudio('/profile');
    await userEvent.type(await screen.findByLabelText('New password'), 'a good one');
    await userEvent.type(screen.getByLabelText('New password again'), 'a good on');
    await userEvent.click(screen.getByRole('button', { name: 'Change password' }));
    expect(await screen.findByText('The two entries differ')).toBeVisible();
    expect(screen.getByText('Enter your current password')).toBeVisible();
    await userEvent.type(screen.getByLabelText('New password again'), 'e');
    await userEvent.click(screen.getByRole('button', { name: 'Change password' }));
    expect(patched).toBeUndefined();
    await userEvent.type(screen.getByLabelText('Current password'), 'the old one');
    await userEvent.click(screen.getByRole('button', { name: 'Change password' }));
    expect(await screen.findByText('Password changed')).toBeVisible();
    expect(patched).toEqual({ password: 'a good one', currentPassword: 'the old one' });
  });

  it('shows at its field that the current password is wrong, and keeps the input', async () => {
    const message = 'The current password is wrong';
    server.use(
      http.patch('*/api/users/:name/profile', () =>
        HttpResponse.json({ code: 400, message, details: [{ field: 'currentPassword', message }] }, { status: 400 }),
      ),
    );
    await renderStudio('/profile');
    await userEvent.type(await screen.findByLabelText('Current password'), 'not this one');
    await userEvent.type(screen.getByLabelText('New password'), 'a good one');
    await userEvent.type(screen.getByLabelText('New password again'), 'a good one');
    await userEvent.click(screen.getByRole('button', { name: 'Change password' }));
    await waitFor(() => expect(screen.getByLabelText('Current password')).toHaveAccessibleDescription(message));
    expect(screen.getByLabelText('New password')).toHaveValue('a good one');
    await userEvent.type(screen.getByLabelText('Current password'), '!');
    await waitFor(() => expect(screen.getByLabelText('Current password')).not.toHaveAccessibleDescription(message));
  });

  it('B-005 shows roles and permissions, and fetches them again', async () => {
    await renderStudio('/profile');
    expect(within(await screen.findByRole('list', { name: 'Roles' })).getByText('Project Manager')).toBeVisible();
    await userEvent.click(screen.getByText('What you may do'));
    expect(screen.getByText('createProject')).toBeVisible();
    server.use(
      http.get('*/api/users/:name', () =>
        HttpResponse.json({
          username: 'ana',
          profilename: 'Ana',
          permissions: ['role:Reader', 'seeUserProfile', 'useSegmenter:rule_sentence'],
        }),
      ),
    );
    await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
    expect(await screen.findByText('Your rights were refreshed')).toBeVisible();
    expect(within(screen.getByRole('list', { name: 'Roles' })).getByText('Reader')).toBeVisible();
    expect(screen.queryByText('createProject')).toBeNull();
    await userEvent.click(screen.getByText('Components: segmenters'));
    expect(screen.getByText('useSegmenter:rule_sentence')).toBeVisible();
  });

  it('shows where the user is signed in, and ends it', async () => {
    const ended: string[] = [];
    server.use(
      http.delete('*/api/users/ana/sign_ins/:id', ({ params }) => {
        ended.push(String(params['id']));
        return HttpResponse.json({ ok: true });
      }),
      http.delete('*/api/users/ana/sign_ins', () => {
        ended.push('others');
        return HttpResponse.json({ ok: true });
      }),
    );
    await renderStudio('/profile');
    const list = await screen.findByRole('list', { name: 'Where you are signed in' });
    expect(within(list).getAllByRole('listitem')[0]).toHaveTextContent(/Firefox, Linux.*10\.0\.0\.7.*here/);
    expect(within(list).getAllByRole('button')).toHaveLength(1);
    await userEvent.click(within(list).getByRole('button', { name: 'Sign out: curl/8.5.0' }));
    await waitFor(() => expect(ended).toEqual(['1']));
    await userEvent.click(screen.getByRole('button', { name: 'Sign out everywhere else' }));
    await waitFor(() => expect(ended).toEqual(['1', 'others']));
  });

  it('changes the language of the web app, for permitted users', async () => {
    const { unmount } = await renderStudio('/profile');
    await userEvent.click(await screen.findByRole('radio', { name: 'Français' }));
    expect(await screen.findByRole('heading', { name: 'Langue du studio' })).toBeVisible();
    unmount();
    server.use(
      http.get('*/api/users/:name', () =>
        HttpResponse.json({ username: 'ana', profilename: 'Ana', permissions: PERMISSIONS.filter((name) => name !== 'seeLanguageBtn') }),
      ),
    );
    await renderStudio('/profile');
    await screen.findByRole('heading', { name: 'Identity' });
    expect(screen.queryByRole('heading', { name: 'Language of the studio' })).toBeNull();
  });
});

describe('texts of the profile', () => {
  it('E-057 logs a role whose type is unknown, and still shows it', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    server.use(
      http.get('*/api/users/:name', () =>
        HttpResponse.json({ username: 'ana', profilename: 'Ana', permissions: ['role:Odd', 'seeUserProfile'] }),
      ),
    );
    await renderStudio('/profile');
    expect(within(await screen.findByRole('list', { name: 'Roles' })).getByText('Odd')).toBeVisible();
    await waitFor(() => expect(warn).toHaveBeenCalledWith('The role Odd has an unknown type', 'galactic'));
    expect(screen.queryByRole('alert')).toBeNull();
    warn.mockClear();
    expect([roleType('A', 'system'), roleType('B', 'functional')]).toEqual(['system', 'functional']);
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });

  it('groups permissions: see, general, projects, then components', () => {
    const groups = groupPermissions([
      'useEngine:*',
      'writeProject:press',
      'seeLabels',
      'createProject',
      'useSearch',
      'useAnnotator:a',
      'readProject:*',
    ]);
    expect(groups.map(({ name, permissions }) => [name, permissions])).toEqual([
      ['ui', ['seeLabels']],
      ['general', ['createProject', 'useSearch']],
      ['projects', ['readProject:*', 'writeProject:press']],
      ['useAnnotator', ['useAnnotator:a']],
      ['useEngine', ['useEngine:*']],
    ]);
  });

  it.each([
    ['Mozilla/5.0 (Windows NT 10.0; Win64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36 Edg/130.0', 'Edge, Windows'],
    ['Mozilla/5.0 (Windows NT 10.0) Chrome/130.0 Safari/537.36 EdgA/130.0', 'Edge, Windows'],
    ['Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/130.0 Safari/537.36', 'Chrome, Linux'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) Version/17 Safari/605', 'Safari, macOS'],
    ['Mozilla/5.0 (Linux; Android 15) Firefox/140.0', 'Firefox, Android'],
    ['python-httpx/0.28', 'python-httpx/0.28'],
    ['', ''],
  ])('%s', (agent, words) => expect(describeUserAgent(agent)).toBe(words));
});
