/** For tests of the studio against msw: what each of them must find and leave. */
import { afterAll, afterEach, beforeAll } from 'vitest';
import { clearSession } from '@/app/session-lifecycle';
import { useNotificationsStore } from '@/state/notifications-store';
import { server } from './server';

/** Registers the hooks: the server answers, and after each test nobody is signed in and nothing is told any more. */
export function serveStudio(): void {
  beforeAll(() => server.listen({ onUnhandledRequest: 'bypass' }));
  afterEach(() => {
    clearSession();
    useNotificationsStore.getState().clear();
    server.resetHandlers();
  });
  afterAll(() => server.close());
}
