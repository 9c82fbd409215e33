/** The import page as a whole: who may restrict documents to a group, disabled controls while it works, the upload timeout. */
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import * as upload from '@/api/chunked-upload';
import { useSessionStore } from '@/state/session-store';
import { renderStudio } from '@/test/render';
import { job, PERMISSIONS, server } from '@/test/server';

vi.mock('@/api/chunked-upload', { spy: true });

let requests: URLSearchParams[] = [];
const page = async () => {
  await renderStudio('/addDocuments');
  const file = new File(['[]'], 'a.json', { type: 'application/json' });
  await userEvent.upload(await screen.findByLabelText(/choose them/), file);
  return screen.findByRole('button', { name: 'Import 1 file' });
};

beforeAll(() => server.listen({ onUnhandledRequest: 'bypass' }));
beforeEach(() => {
  requests = [];
  useSessionStore.setState({ projectName: 'press' });
  server.use(
    http.get('*/api/users/:name', () =>
      HttpResponse.json({ username: 'ana', profilename: 'Ana', permissions: [...PERMISSIONS, 'importDocuments'] }),
    ),
    http.get('*/api/projects/:name/services', () => HttpResponse.json([{ metadata: { extensions: 'json_converter: json/jsonl' } }])),
    http.post('*/api/uploads', () => HttpResponse.json([{ id: 'u1', filename: 'a.json' }])),
    http.post('*/api/projects/:name/documents/_load', ({ request }) => {
      requests.push(new URL(request.url).searchParams);
      return HttpResponse.json(job('j1', { status: 'STARTED' }));
    }),
  );
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

describe('documents restricted to a group (V-037)', () => {
  const signedIn = (enabled: boolean, ssoLogin: boolean) =>
    server.use(
      http.get('*/api/ui-config', () => HttpResponse.json({ documentLevelAccessControl: { enabled, showWarningMessage: false } })),
      http.get('*/api/users/:name', () =>
        HttpResponse.json({ username: 'ana', profilename: 'Ana', ssoLogin, permissions: [...PERMISSIONS, 'importDocuments'] }),
      ),
      http.get('*/api/users/:name/groups', () => HttpResponse.json([{ name: 'legal', label: 'Legal' }])),
      http.get('*/api/oauth2/me/idp-groups', () => HttpResponse.json([{ identifier: 'idp-7', name: 'Partners' }])),
    );

  it.each([
    ['a password', false, 'Legal', { groupName: 'legal', idpGroupIdentifier: null }],
    ['single sign-on', true, 'Partners', { groupName: null, idpGroupIdentifier: 'idp-7' }],
  ])('after a sign-in by %s the groups of that sign-in are offered and sent', async (_how, sso, label, sent) => {
    signedIn(true, sso);
    const button = await page();
    await userEvent.click(screen.getByRole('button', { name: /Advanced settings/ }));
    await userEvent.click(await screen.findByRole('switch', { name: /Restrict to a group/ }));
    expect(await screen.findByText('Originating group is mandatory')).toBeVisible();
    expect(button).toBeDisabled();
    await userEvent.click(screen.getByRole('combobox', { name: /Originating group/i }));
    const options = await screen.findAllByRole('option');
    expect(options.map((one) => one.textContent)).toEqual([label]);
    await userEvent.click(options[0] as HTMLElement);
    await waitFor(() => expect(button).toBeEnabled());
    await userEvent.click(button);
    await waitFor(() => expect(requests).toHaveLength(1));
    expect({ groupName: requests[0]?.get('groupName'), idpGroupIdentifier: requests[0]?.get('idpGroupIdentifier') }).toEqual(sent);
  });

  it('is not offered where documents are not controlled by group', async () => {
    signedIn(false, false);
    await page();
    await userEvent.click(screen.getByRole('button', { name: /Advanced settings/ }));
    expect((await screen.findAllByRole('switch')).length).toBeGreaterThan(1);
    expect(screen.queryByRole('switch', { name: /Restrict to a group/ })).toBeNull();
  });
});

describe('while the import starts', () => {
  it('V-012 Import and Cancel are disabled', async () => {
    let answer: (() => void) | undefined;
    server.use(
      http.post('*/api/projects/:name/documents/_load', async () => {
        await new Promise<void>((go) => (answer = go));
        return HttpResponse.json(job('j1', { status: 'STARTED' }));
      }),
    );
    const button = await page();
    await waitFor(() => expect(button).toBeEnabled());
    expect(screen.getByRole('button', { name: 'Cancel' })).toBeEnabled();
    await userEvent.click(button);
    await waitFor(() => expect(answer).toBeDefined());
    expect(screen.getByRole('button', { name: 'Cancel' })).toBeDisabled();
    expect(button).toBeDisabled();
    answer?.();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Import 1 file' })).toBeNull());
  });

  it('C-044 gives up an upload after 180 s', async () => {
    await page();
    expect(vi.mocked(upload.uploadFile).mock.calls.at(-1)?.[1]).toMatchObject({ timeoutMs: 180_000 });
  });
});
