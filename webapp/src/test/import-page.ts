/** For tests of the import page: who may import into project `press`, and its one reader of files, for each test of a `describe`. */
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { useSessionStore } from '@/state/session-store';
import { PERMISSIONS, server } from './server';

export function serveImportPageForEachTest(): void {
  beforeAll(() => server.listen({ onUnhandledRequest: 'bypass' }));
  beforeEach(() => {
    useSessionStore.setState({ projectName: 'press' });
    server.use(
      http.get('*/api/users/:name', () =>
        HttpResponse.json({ username: 'ana', profilename: 'Ana', permissions: [...PERMISSIONS, 'importDocuments'] }),
      ),
      http.get('*/api/projects/:name/services', () => HttpResponse.json([{ metadata: { extensions: 'json_converter: json/jsonl' } }])),
    );
  });
  afterEach(() => server.resetHandlers());
  afterAll(() => server.close());
}
