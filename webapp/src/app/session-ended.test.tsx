/** T-005: an expired session is continued on top of the screen. */
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { createMemoryRouter } from 'react-router';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { call, client } from '@/api/client';
import { useSessionStore } from '@/state/session-store';
import { startTestI18n } from '@/test/render';
import { PERMISSIONS, errorResponse, server } from '@/test/server';
import { RootLayout } from './root-layout';
import { clearSession, ensureStarted, resetStart } from './session-lifecycle';
import { Studio } from './studio';

let signedIn = true;
let saved = 0;
let requests: (string | null)[] = [];

const principal = (request: Request) => {
  if (request.headers.has('authorization')) {
    const right = atob((request.headers.get('authorization') ?? '').replace('Basic ', '')) === 'ana:right';
    signedIn ||= right;
    if (!right) return errorResponse(401, 'wrong');
  }
  return signedIn ? HttpResponse.json({ username: 'ana', profilename: 'Ana Roth', permissions: PERMISSIONS }) : errorResponse(401, 'ended');
};

/** A form of any screen, whose input exists only in the page. */
function Form() {
  const save = () =>
    void call(client.PATCH('/projects/{projectName}/config', { params: { path: { projectName: 'press' } }, body: {} })).then(
      () => (saved += 1),
      () => undefined,
    );
  return (
    <>
      <label>
        Words <input />
      </label>
      <button onClick={save}>Save</button>
    </>
  );
}

beforeAll(async () => {
  await startTestI18n();
  server.listen({ onUnhandledRequest: 'error' });
});
beforeEach(() => {
  signedIn = true;
  saved = 0;
  requests = [];
  server.use(
    http.get('*/api/users/:name', ({ request }) => principal(request)),
    http.patch('*/api/projects/press/config', ({ request }) => {
      requests.push(request.headers.get('x-annotarium-user'));
      return signedIn ? new HttpResponse(null, { status: 204 }) : errorResponse(401, 'ended');
    }),
  );
});
afterEach(() => {
  clearSession();
  server.resetHandlers();
});
afterAll(() => server.close());

const textField = () => screen.getByLabelText<HTMLInputElement>('Words');
const cover = () => screen.queryByText('Your session has ended');
const signInAs = (password: string) => {
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: password } });
  fireEvent.click(screen.getByText('Sign in and continue'));
};

async function openForm() {
  resetStart();
  await ensureStarted();
  const routes = [
    {
      element: <RootLayout />,
      children: [
        { path: '/form', element: <Form /> },
        { path: '/signin', element: <h1>Sign in</h1> },
      ],
    },
  ];
  const router = createMemoryRouter(routes, { initialEntries: ['/form'] });
  render(<Studio router={router} />);
  fireEvent.change(await screen.findByLabelText('Words'), { target: { value: 'Gardens of Nancy' } });
  return router;
}

/** Enters and sends text after the session has expired. */
async function typedAndEnded() {
  const router = await openForm();
  signedIn = false;
  fireEvent.click(screen.getByText('Save'));
  await screen.findByText('Your session has ended');
  return router;
}

describe('a session that expires in the middle of a form (T-005)', () => {
  it('continues in place: the input is preserved, and sent as the same user', async () => {
    const router = await typedAndEnded();
    expect(screen.getByText('Ana Roth')).toBeVisible();
    expect(document.body).toHaveAttribute('data-covered');
    signInAs('wrong');
    expect(await screen.findByText('The password is wrong')).toBeVisible();
    signInAs('right');
    await waitFor(() => expect(cover()).toBeNull());
    expect(document.body).not.toHaveAttribute('data-covered');
    expect(router.state.location.pathname).toBe('/form');
    expect(textField()).toHaveValue('Gardens of Nancy');
    fireEvent.click(screen.getByText('Save'));
    await waitFor(() => expect(saved).toBe(1));
    expect(requests).toEqual(['ana', 'ana']);
  });

  it('continues when the user signed in again in another window', async () => {
    await typedAndEnded();
    act(() => void window.dispatchEvent(new Event('focus')));
    expect(cover()).toBeVisible();
    signedIn = true;
    act(() => void window.dispatchEvent(new Event('focus')));
    await waitFor(() => expect(cover()).toBeNull());
    expect(textField()).toHaveValue('Gardens of Nancy');
  });

  it('can be left by another user, who sees nothing of it', async () => {
    const router = await typedAndEnded();
    fireEvent.click(screen.getByText('Leave this screen and sign in as somebody else'));
    await waitFor(() => expect(screen.queryByLabelText('Words')).toBeNull());
    expect(router.state.location.pathname + router.state.location.search).toBe('/signin');
    expect(cover()).toBeNull();
    expect(useSessionStore.getState()).toMatchObject({ status: 'anonymous', principal: null, projectName: null, ended: false });
  });
});
