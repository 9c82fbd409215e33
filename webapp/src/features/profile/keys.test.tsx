import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clearSession } from '@/app/session-lifecycle';
import { renderStudio } from '@/test/render';
import { server } from '@/test/server';
import { apiKeyLimits } from '@/blocks/api-keys/key-limits';
import { apiKeyDraftErrors, NEW_KEY, offeredPermissions, toApiKeyRequest } from './api-key-draft';

const key = (label: string, change: object = {}) => ({
  identifier: label,
  label,
  createdAt: '2026-11-22T00:00:00Z',
  createdBy: 'ana',
  expired: false,
  annotateOnly: false,
  noPermissions: false,
  ...change,
});

let sent: Record<string, unknown> | undefined;
let storedKeys: object[];

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => {
  sent = undefined;
  storedKeys = [
    key('nightly', { projectFilter: 'press', projectAccessMode: 'read' }),
    key('old', { expired: true, expiresAt: '2026-11-21T00:00:00Z' }),
  ];
  server.use(
    http.get('*/api/users/:name/profile', () => HttpResponse.json({ username: 'ana', profilename: 'Ana Roth', email: 'ana@example.org' })),
    http.get('*/api/users/ana/sign_ins', () => HttpResponse.json([])),
    http.get('*/api/roles', () => HttpResponse.json([])),
    http.get('*/api/users/ana/keys', () => HttpResponse.json(storedKeys)),
    http.post('*/api/users/ana/keys', async ({ request }) => {
      sent = (await request.json()) as Record<string, unknown>;
      storedKeys = [...storedKeys, key(String(sent['label']))];
      return HttpResponse.json({ ...key(String(sent['label'])), key: 'ann_secret-of-the-test' });
    }),
    http.delete('*/api/users/ana/keys/:id', ({ params }) => {
      storedKeys = storedKeys.filter((one) => (one as { identifier: string }).identifier !== params['id']);
      return HttpResponse.json({ ok: true });
    }),
  );
});
afterEach(() => {
  clearSession();
  server.resetHandlers();
});
afterAll(() => server.close());

const open = async () => {
  await renderStudio('/profile');
  await userEvent.click(await screen.findByRole('button', { name: 'New key' }));
  return within(await screen.findByRole('dialog', { name: 'New API key' }));
};

describe('API keys in the profile', () => {
  it('lists keys with their restrictions as text, and revokes one after a confirmation', async () => {
    await renderStudio('/profile');
    expect(await screen.findByText('Only reads projects, only projects press')).toBeVisible();
    expect(screen.getByText(/Expired/)).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Revoke: nightly' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Revoke “nightly”?' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Revoke key' }));
    expect(await screen.findByText('The key nightly is revoked')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Revoke: nightly' })).toBeNull());
  });

  it('creates a restricted key and shows it once', async () => {
    const dialog = await open();
    await userEvent.click(dialog.getByRole('button', { name: 'Create key' }));
    expect(await dialog.findByText('Enter a name for the key')).toBeVisible();
    expect(sent).toBeUndefined();
    await userEvent.type(dialog.getByLabelText(/^Name/), 'import script');
    await userEvent.click(dialog.getByRole('combobox', { name: 'In which projects?' }));
    await userEvent.click(await screen.findByRole('option', { name: 'Selected projects' }));
    await userEvent.click(await dialog.findByRole('checkbox', { name: 'Regional press' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Create key' }));
    const shown = within(await screen.findByRole('dialog', { name: 'Key “import script” is made' }));
    expect(shown.getByText('ann_secret-of-the-test')).toBeVisible();
    expect(sent).toMatchObject({ label: 'import script', projectAccessMode: 'read', projectFilter: 'press', annotateOnly: false });
    expect(String(sent?.['expiresAt'])).toMatch(/^20\d\d-/);
    await userEvent.keyboard('{Escape}');
    expect(shown.getByText('ann_secret-of-the-test')).toBeVisible();
    await userEvent.click(shown.getByRole('button', { name: 'I have copied it' }));
    await waitFor(() => expect(screen.queryByText('ann_secret-of-the-test')).toBeNull());
    expect(await screen.findByRole('button', { name: 'Revoke: import script' })).toBeVisible();
  });

  it('keeps the input when the server refuses, and shows the error at the field', async () => {
    server.use(
      http.post('*/api/users/ana/keys', () =>
        HttpResponse.json(
          { code: 400, message: 'No', cause: 'unclosed group', details: [{ field: 'projectFilter', message: 'unclosed group' }] },
          { status: 400 },
        ),
      ),
    );
    const dialog = await open();
    await userEvent.type(dialog.getByLabelText(/^Name/), 'x');
    await userEvent.click(dialog.getByRole('combobox', { name: 'In which projects?' }));
    await userEvent.click(await screen.findByRole('option', { name: 'By name' }));
    await userEvent.type(dialog.getByLabelText('Expression for internal names'), '(');
    await userEvent.click(dialog.getByRole('button', { name: 'Create key' }));
    expect(await dialog.findByText('unclosed group')).toBeVisible();
    expect(dialog.getByLabelText('Expression for internal names')).toHaveValue('(');
  });
});

describe('rules of keys', () => {
  it('requests what was chosen', () => {
    const draft = {
      ...NEW_KEY,
      label: ' x ',
      may: 'annotate' as const,
      where: 'chosen' as const,
      projects: ['a.b', 'c'],
      days: '0' as const,
    };
    expect(toApiKeyRequest(draft)).toEqual({ label: 'x', annotateOnly: true, noPermissions: false, projectFilter: 'a\\.b|c' });
    expect(toApiKeyRequest({ ...NEW_KEY, label: 'x', may: 'all', which: 'none', days: '30' }, 0)).toEqual({
      label: 'x',
      annotateOnly: false,
      noPermissions: true,
      expiresAt: '1970-01-31T00:00:00.000Z',
    });
    expect(apiKeyDraftErrors({ ...NEW_KEY, where: 'chosen', which: 'chosen' })).toEqual({
      label: 'labelMissing',
      projects: 'chosenMissing',
      permissions: 'permissionsMissing',
    });
    expect(apiKeyDraftErrors({ ...NEW_KEY, label: 'x', where: 'pattern' })).toEqual({ pattern: 'patternMissing' });
  });

  it('offers no permissions for administration and none for single projects', () => {
    const held = ['createUserIn:*', 'assignRole:x', 'role:Reader', 'useSearch', 'readProject:a', 'readProject:*'];
    expect(offeredPermissions(held)).toEqual(['readProject:*', 'useSearch']);
  });

  it('determines the access of a key', () => {
    expect(apiKeyLimits(key('a') as never)).toEqual({ may: 'all', limited: false });
    expect(apiKeyLimits(key('a', { noPermissions: true }) as never)).toEqual({ may: 'chmod', limited: true });
    expect(apiKeyLimits(key('a', { annotateOnly: true, projectAccessMode: 'write' }) as never).may).toBe('annotate');
    expect(apiKeyLimits(key('a', { projectAccessMode: 'write' }) as never).may).toBe('write');
  });
});
