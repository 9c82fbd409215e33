/** T-001, T-004: from unknown to ready, in order. */
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '@/api/query-client';
import { useSessionStore } from '@/state/session-store';
import { startTestI18n } from '@/test/render';
import { PERMISSIONS, errorResponse, server } from '@/test/server';
import { clearSession, ensureStarted, resetStart, signIn, signOut } from './session-lifecycle';

const status = () => useSessionStore.getState().status;
let requests: string[] = [];
const note = ({ request }: { request: Request }) => requests.push(new URL(request.url).pathname.replace('/api', ''));

beforeAll(async () => {
  await startTestI18n();
  server.listen({ onUnhandledRequest: 'error' });
});
beforeEach(() => {
  requests = [];
  server.events.on('request:start', note);
  clearSession();
  queryClient.clear();
  resetStart();
  useSessionStore.setState({ status: 'unknown', config: {} });
});
afterEach(() => {
  server.events.removeAllListeners();
  clearSession();
  server.resetHandlers();
});
afterAll(() => server.close());

describe('the start (T-004)', () => {
  it('fetches the configuration, then the signed-in user, then projects and theme, before it is ready', async () => {
    const start = ensureStarted();
    expect(status()).toBe('unknown');
    await start;
    expect(status()).toBe('signedIn');
    expect(requests.slice(0, 3)).toEqual(['/ui-config', '/current_user', '/users/ana']);
    expect(requests.slice(3, 5).sort()).toEqual(['/projects', '/themes/_favorite']);
    expect(useSessionStore.getState().config.session).toEqual({ expiresInMinutes: 60 });
    expect(useSessionStore.getState().principal?.profilename).toBe('Ana Roth');
  });
  it('requests nothing more for an anonymous user', async () => {
    server.use(http.get('*/api/current_user', () => errorResponse(401, 'nobody')));
    await ensureStarted();
    expect(status()).toBe('anonymous');
    expect(requests).toEqual(['/ui-config', '/current_user']);
  });
  it('runs once, however many pages wait for it', async () => {
    await Promise.all([ensureStarted(), ensureStarted(), ensureStarted()]);
    expect(requests.filter((path) => path === '/ui-config')).toHaveLength(1);
  });
});

describe('authentication (T-001): unknown, then signed in or not', () => {
  it('is unknown when the server gave no answer', async () => {
    server.use(http.get('*/api/current_user', () => errorResponse(503, 'starting')));
    await expect(ensureStarted()).rejects.toThrow('starting');
    expect(status()).toBe('unknown');
  });
  it('changes from anonymous to signed in and back', async () => {
    server.use(http.get('*/api/current_user', () => errorResponse(401, 'nobody')));
    await ensureStarted();
    expect(status()).toBe('anonymous');
    server.use(http.get('*/api/users/:name', () => HttpResponse.json({ username: 'ana', profilename: 'Ana', permissions: PERMISSIONS })));
    await signIn('ana', 'secret');
    expect(status()).toBe('signedIn');
    clearSession();
    expect(status()).toBe('anonymous');
  });
});

describe('signing in (T-002)', () => {
  it('closes the existing session first', async () => {
    await ensureStarted();
    server.use(http.post('*/api/auth/logout', () => new HttpResponse(null, { status: 204 })));
    requests = [];
    await signIn('bo', 'secret');
    expect(requests.slice(0, 2)).toEqual(['/auth/logout', '/users/bo']);
    expect(status()).toBe('signedIn');
  });
  it('leaves nobody signed in after a failure', async () => {
    await ensureStarted();
    server.use(
      http.post('*/api/auth/logout', () => new HttpResponse(null, { status: 204 })),
      http.get('*/api/users/:name', () => errorResponse(401, 'wrong')),
    );
    await expect(signIn('bo', 'wrong')).rejects.toThrow('wrong');
    expect([status(), useSessionStore.getState().principal]).toEqual(['anonymous', null]);
  });
});

describe('signing out (T-003)', () => {
  const out = async () => {
    await ensureStarted();
    useSessionStore.getState().openProject('press');
    const went: string[] = [];
    await signOut((path) => went.push(path));
    return went;
  };
  afterEach(() => vi.unstubAllGlobals());

  it.each([401, 405, 503])('E-049 a status %i means already signed out: nothing is logged', async (code) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    server.use(http.post('*/api/auth/logout', () => errorResponse(code, 'no')));
    expect(await out()).toEqual(['/signin']);
    expect(warn).not.toHaveBeenCalled();
    expect([status(), useSessionStore.getState().projectName]).toEqual(['anonymous', null]);
    warn.mockRestore();
  });
  it('any other failure is logged, and the user is signed out anyway', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    server.use(http.post('*/api/auth/logout', () => errorResponse(500, 'no')));
    expect(await out()).toEqual(['/signin']);
    expect(warn).toHaveBeenCalledOnce();
    expect(status()).toBe('anonymous');
    warn.mockRestore();
  });
  it.each([
    ['the page that is configured', { logoutRedirectUrl: 'https://example.org/bye' }, false, 'https://example.org/bye'],
    ['the page of single sign-on', { logoutRedirectUrl: 'https://example.org/bye' }, true, '/oauth2/logout'],
  ])('leads to %s', async (_where, config, ssoLogin, address) => {
    server.use(
      http.get('*/api/ui-config', () => HttpResponse.json(config)),
      http.get('*/api/users/:name', () => HttpResponse.json({ username: 'ana', profilename: 'Ana', permissions: PERMISSIONS, ssoLogin })),
      http.post('*/api/auth/logout', () => new HttpResponse(null, { status: 204 })),
    );
    const assign = vi.fn();
    vi.stubGlobal('location', { ...location, href: location.href, origin: location.origin, assign });
    expect(await out()).toEqual([]);
    expect(assign).toHaveBeenCalledExactlyOnceWith(address);
    expect(status()).toBe('anonymous');
  });
});
