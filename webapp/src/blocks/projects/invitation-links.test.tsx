/** Invitation links in the share dialog: created, shown once, listed, revoked, sent by e-mail. */
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { MemoryRouter } from 'react-router';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { queryClient } from '@/api/query-client';
import { useNotificationsStore } from '@/state/notifications-store';
import { startTestI18n } from '@/test/render';
import { errorResponse, server } from '@/test/server';
import { ShareDialog } from './share-dialog';

const AT = '*/api/projects/press/invitations';
const user = userEvent.setup();
const invitation = (id: string, change: object = {}) => ({
  id,
  right: 'read',
  createdBy: 'ana',
  createdAt: '2026-11-23T10:00:00Z',
  expiresAt: '2026-12-07T10:00:00Z',
  usable: true,
  ...change,
});

async function open(may = true, language = 'en') {
  await startTestI18n(language);
  render(
    <MemoryRouter>
      <QueryClientProvider client={queryClient}>
        <ShareDialog project="press" label="Press" may={may} onClose={() => undefined} />
      </QueryClientProvider>
    </MemoryRouter>,
  );
  return screen.findByRole('dialog');
}

beforeAll(() => server.listen({ onUnhandledRequest: 'bypass' }));
beforeEach(() => {
  queryClient.clear();
  useNotificationsStore.setState({ items: [] });
  server.use(
    http.get('*/api/projects/press/shares/users', () => HttpResponse.json([])),
    http.get('*/api/projects/press/shares/groups', () => HttpResponse.json([])),
    http.get('*/api/groups', () => HttpResponse.json([])),
    http.get('*/api/users', () => HttpResponse.json({ users: [{ username: 'ana', profilename: 'Ana Roth' }] })),
  );
});
afterEach(() => {
  cleanup();
  server.resetHandlers();
});
afterAll(() => server.close());

describe('invitation links', () => {
  it('creates a link with right, duration and number of people, and shows it once', async () => {
    let body: unknown = null;
    server.use(
      http.post(AT, async ({ request }) => {
        body = await request.json();
        return HttpResponse.json({ ...invitation('1', { right: 'write' }), token: 'secret-token' });
      }),
    );
    const dialog = await open();
    await user.click(await within(dialog).findByRole('combobox', { name: /^For/ }));
    await user.click(await screen.findByRole('option', { name: 'One person' }));
    await user.click(within(dialog).getByRole('combobox', { name: /^Expires after/ }));
    await user.click(await screen.findByRole('option', { name: '90 days' }));
    await user.click(within(dialog).getByRole('button', { name: 'Create a link' }));
    expect(await within(dialog).findByText(`${location.origin}/invitation#secret-token`)).toBeVisible();
    expect(within(dialog).getByText('Copy the link now: it is not shown again.')).toBeVisible();
    expect(body).toEqual({ right: 'read', days: 90, uses: 1 });
  });

  it('sends no number of uses for any number of people', async () => {
    let body: unknown = null;
    server.use(
      http.post(AT, async ({ request }) => {
        body = await request.json();
        return HttpResponse.json({ ...invitation('1'), token: 'secret-token' });
      }),
    );
    const dialog = await open();
    await user.click(await within(dialog).findByRole('button', { name: 'Create a link' }));
    await waitFor(() => expect(body).toEqual({ right: 'read', days: 14 }));
  });

  it('lists the open links with what they permit, and revokes one', async () => {
    let rows = [
      invitation('7', { right: 'write', usesLeft: 3 }),
      invitation('8', { sentTo: 'bob@example.org', usesLeft: 1, usable: false, expiresAt: '2026-12-01T10:00:00Z' }),
    ];
    server.use(
      http.get(AT, () => HttpResponse.json({ invitations: rows, sendsMail: false })),
      http.delete(`${AT}/:id`, ({ params }) => {
        rows = rows.filter(({ id }) => id !== params['id']);
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const dialog = await open();
    const list = await within(dialog).findByRole('list', { name: 'Invitation links' });
    const [first, second] = within(list).getAllByRole('listitem');
    expect(first).toHaveTextContent('Can write');
    expect(first).toHaveTextContent('for 3 people');
    expect(second).toHaveTextContent('for 1 person');
    expect(second).toHaveTextContent('sent to bob@example.org');
    expect(second).toHaveTextContent('does not work: Ana Roth may no longer share the project');
    await user.click(within(first as HTMLElement).getByRole('button', { name: /^Revoke the link of Ana Roth/ }));
    await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(1));
    expect(within(dialog).queryByLabelText('E-mail address')).toBeNull();
  });

  it('sends an invitation by e-mail where the server can', async () => {
    let body: unknown = null;
    server.use(
      http.get(AT, () => HttpResponse.json({ invitations: [], sendsMail: true })),
      http.post(`${AT}/_send`, async ({ request }) => {
        body = await request.json();
        return HttpResponse.json(invitation('9', { sentTo: 'bob@example.org' }));
      }),
    );
    const dialog = await open();
    const field = await within(dialog).findByLabelText('E-mail address');
    await user.type(field, 'bob');
    await user.click(within(dialog).getByRole('button', { name: 'Send by e-mail' }));
    expect(within(dialog).getByText('Enter one e-mail address')).toBeVisible();
    expect(body).toBeNull();
    await user.type(field, '@example.org{Enter}');
    await waitFor(() => expect(body).toEqual({ address: 'bob@example.org', language: 'en', right: 'read', days: 14 }));
    await waitFor(() => expect(field).toHaveValue(''));
    expect(useNotificationsStore.getState().items.map(({ message }) => message)).toEqual(['Invitation sent to bob@example.org']);
  });

  it('is not offered to those who may not share, and asks the server nothing for them', async () => {
    let asked = 0;
    server.use(
      http.get(AT, () => {
        asked += 1;
        return errorResponse(403, 'Denied');
      }),
    );
    const dialog = await open(false);
    expect(await within(dialog).findByText(/^Its owner and those who may share it/)).toBeVisible();
    expect(within(dialog).queryByRole('button', { name: 'Create a link' })).toBeNull();
    expect(asked).toBe(0);
  });
});
