/** T-001, T-004: from nothing known to ready, in order. */
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { queryClient } from '@/api/query-client';
import { useSessionStore } from '@/state/session-store';
import { startTestI18n } from '@/test/render';
import { PERMISSIONS, refuse, server } from '@/test/server';
import { clearSession, ready, resetStart, signIn } from './start';

const status = () => useSessionStore.getState().status;
let asked: string[] = [];
const note = ({ request }: { request: Request }) => asked.push(new URL(request.url).pathname.replace('/api', ''));

beforeAll(async () => {
  await startTestI18n();
  server.listen({ onUnhandledRequest: 'error' });
});
beforeEach(() => {
  asked = [];
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
  it('reads the configuration, then who is signed in, then projects and theme; only then it is ready', async () => {
    const start = ready();
    expect(status()).toBe('unknown');
    await start;
    expect(status()).toBe('signedIn');
    expect(asked.slice(0, 3)).toEqual(['/ui-config', '/current_user', '/users/ana']);
    expect(asked.slice(3, 5).sort()).toEqual(['/projects', '/themes/_favorite']);
    expect(useSessionStore.getState().config.session).toEqual({ expiresInMinutes: 60 });
    expect(useSessionStore.getState().principal?.profilename).toBe('Ana Roth');
  });
  it('asks nothing more for somebody who is not signed in', async () => {
    server.use(http.get('*/api/current_user', () => refuse(401, 'nobody')));
    await ready();
    expect(status()).toBe('anonymous');
    expect(asked).toEqual(['/ui-config', '/current_user']);
  });
  it('runs once, however many pages wait for it', async () => {
    await Promise.all([ready(), ready(), ready()]);
    expect(asked.filter((path) => path === '/ui-config')).toHaveLength(1);
  });
});

describe('authentication (T-001): not known, then signed in or not', () => {
  it('is not known when the server could not say', async () => {
    server.use(http.get('*/api/current_user', () => refuse(503, 'starting')));
    await expect(ready()).rejects.toThrow('starting');
    expect(status()).toBe('unknown');
  });
  it('goes from nobody to somebody and back', async () => {
    server.use(http.get('*/api/current_user', () => refuse(401, 'nobody')));
    await ready();
    expect(status()).toBe('anonymous');
    server.use(http.get('*/api/users/:name', () => HttpResponse.json({ username: 'ana', profilename: 'Ana', permissions: PERMISSIONS })));
    await signIn('ana', 'secret');
    expect(status()).toBe('signedIn');
    clearSession();
    expect(status()).toBe('anonymous');
  });
});
