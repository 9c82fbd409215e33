/**
 * Edits that an earlier version of the web app stored in the browser are restored and sent. `testing/stored-edits.json` is the stored
 * format; reading one of its records differently would lose work.
 */
import { QueryClient } from '@tanstack/react-query';
import { http, HttpResponse } from 'msw';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { useSessionStore } from '@/state/session-store';
import { server } from '@/test/server';
import { editsOf, useEditsStore } from './edits-store';
import type { StoredEdit } from './outbox';
import stored from '@/labelling-sync/testing/stored-edits.json';

const KINDS = [
  ...['create', 'change', 'remove', 'restore', 'category', 'decideCategory', 'dropCategory'],
  ...['link', 'changeLink', 'unlink', 'restoreLink', 'turn'],
];

const records = new Map<string, StoredEdit>();

/** The part of IndexedDB that the outbox uses. */
function answered<T>(result: T) {
  const request = { result, onsuccess: undefined as (() => void) | undefined };
  void Promise.resolve().then(() => request.onsuccess?.());
  return request;
}
function transaction(name: string) {
  expect(name).toBe('acts');
  const steps: (() => void)[] = [];
  const done = { oncomplete: undefined as (() => void) | undefined };
  void Promise.resolve().then(() => {
    for (const step of steps) step();
    done.oncomplete?.();
  });
  const getAll = (user: string) => answered(structuredClone([...records.values()].filter((record) => record.user === user)));
  const objectStore = () => ({
    index: (field: string) => (expect(field).toBe('user'), { getAll }),
    put: (record: StoredEdit) => steps.push(() => void records.set(record.key, structuredClone(record))),
    delete: (key: string) => steps.push(() => void records.delete(key)),
  });
  return Object.assign(done, { objectStore });
}
const browserDatabase = {
  open: (name: string, version: number) => {
    expect([name, version]).toEqual(['annotarium-acts', 1]);
    return answered({ transaction });
  },
};

type Call = readonly [method: string, path: string, key: string | null, version: string | null, body: unknown];
const calls: Call[] = [];
const PROJECT = '/api/projects/press/';

function answer(method: string, path: string, body: object): object {
  if (path.includes('_history')) {
    const target = { act: 'act-9', count: 1, documentIdentifier: 'd9', entry: { identifier: 'h9' } };
    return method === 'GET' ? { undo: target } : { act: 'act-9', changed: 1 };
  }
  const [list = '', id] = path.split('/');
  return { ...body, identifier: id ?? `new-${list}`, version: 9 };
}

beforeAll(() => {
  vi.stubGlobal('indexedDB', browserDatabase);
  server.listen({ onUnhandledRequest: 'bypass' });
});
afterAll(() => {
  server.close();
  vi.unstubAllGlobals();
});
beforeEach(() => {
  for (const record of stored as unknown as StoredEdit[]) records.set(record.key, record);
  server.use(
    http.all('*/api/projects/press/*', async ({ request }) => {
      const path = new URL(request.url).pathname.slice(PROJECT.length);
      const text = await request.text();
      const body: unknown = text === '' ? undefined : JSON.parse(text);
      calls.push([request.method, path, request.headers.get('Idempotency-Key'), request.headers.get('If-Match'), body]);
      return request.method === 'DELETE'
        ? new HttpResponse(null, { status: 204 })
        : HttpResponse.json(answer(request.method, path, body ?? {}));
    }),
  );
});

it('covers every kind with at least one record', () => {
  expect(new Set(stored.map(({ edit }) => edit.kind))).toEqual(new Set(KINDS));
});

it('is restored for its user and sent in order, with its original meaning', async () => {
  sessionStorage.setItem('annotarium-tab', 'tab-1');
  useSessionStore.setState({ principal: { username: 'marie' } as never });
  const { editQueue, resumeEdits, stopEdits } = await import('./edit-queues');
  const client = new QueryClient();
  await resumeEdits(client);
  expect(editsOf('press').map(({ idempotencyKey }) => idempotencyKey)).toEqual(
    stored.filter(({ user }) => user === 'marie').map(({ key }) => key),
  );
  await vi.waitFor(() => expect(editsOf('press').filter(({ state }) => state === 'saving')).toHaveLength(1), { timeout: 30_000 });

  const body = (key: string) => {
    const edit = stored.find((record) => record.key === key)?.edit;
    return edit?.body ?? edit?.patch;
  };
  expect(calls).toEqual([
    ['POST', 'annotations', 'key-01', null, body('key-01')],
    ['PATCH', 'annotations/new-annotations', 'key-02', '"9"', { labelName: 'place' }],
    ['PATCH', 'annotations/a2', 'key-03', '"3"', body('key-03')],
    ['DELETE', 'annotations/a3', 'key-04', '"2"', undefined],
    ['POST', 'annotations/a4/_restore', 'key-05', null, undefined],
    ['POST', 'categories', 'key-06', null, body('key-06')],
    ['PATCH', 'categories/c1', 'key-07', '"1"', { status: 'OK' }],
    ['DELETE', 'categories/c2', 'key-08', '"4"', undefined],
    ['POST', 'relations', 'key-09', null, { documentIdentifier: 'd1', name: 'causes', source: 'new-annotations', target: 'a2' }],
    ['PATCH', 'relations/r1', 'key-10', '"1"', { name: 'cures', source: 'a2', target: 'a4' }],
    ['DELETE', 'relations/r2', 'key-11', '"2"', undefined],
    ['POST', 'relations/r3/_restore', 'key-12', null, undefined],
    ['POST', 'documents/d2/_history/_undo', 'key-13', null, {}],
    ['POST', 'documents/d3/_history/_redo', 'key-14', null, { act: 'act-5', decision: 'mine' }],
    ['GET', '_history/_state', null, null, undefined],
    ['POST', 'documents/d9/_history/_undo', 'key-15', null, { act: 'act-9' }],
  ]);

  // Edits that wait for a decision still wait, and no edit of another user was touched.
  const waiting = ['key-16', 'key-17', 'key-18', 'key-19'];
  expect(editsOf('press')).toEqual(stored.filter(({ key }) => waiting.includes(key)).map(({ edit }) => edit));
  await editQueue('press', client).flush();
  expect([...records.keys()].sort()).toEqual([...waiting, 'key-20']);
  stopEdits();
  useEditsStore.getState().clear();
}, 40_000);
