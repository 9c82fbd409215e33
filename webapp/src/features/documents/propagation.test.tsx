/** Copies of an annotation: made at once with the undo of the document, or by a job whose end offers to undo it. */
import { QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '@/api/query-client';
import { useNotificationsStore } from '@/state/notifications-store';
import { startTestI18n } from '@/test/render';
import { job, server } from '@/test/server';
import { usePropagation } from './propagation';

const notices = () => useNotificationsStore.getState().items;
const Provider = ({ children }: { readonly children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
);

function propagate(answer: object) {
  const [onDone, onClose] = [vi.fn(), vi.fn()];
  const { result } = renderHook(
    () =>
      usePropagation({
        ...{ project: 'press', document: 'd1', errorTitle: 'propagate', onDone, onClose },
        propagate: () => Promise.resolve(answer as { created: number }),
        store: () => ['a1', 'a2'],
        text: (key, values) => `${key} ${String(values?.['count'] ?? '')}`.trim(),
      }),
    { wrapper: Provider },
  );
  act(() => result.current.mutate());
  return { onDone, onClose };
}

beforeAll(() => server.listen({ onUnhandledRequest: 'bypass' }));
beforeEach(async () => {
  await startTestI18n();
  queryClient.clear();
  useNotificationsStore.setState({ items: [] });
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

describe('copies of an annotation', () => {
  it('made at once are reported with the undo of the document', async () => {
    const { onDone, onClose } = propagate({ created: 2 });
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(onDone).toHaveBeenCalledExactlyOnceWith('done 2', ['a1', 'a2']);
    expect(notices()).toEqual([]);
  });

  it('made by a job are reported when it ends, with its undo', async () => {
    let undone = '';
    server.use(
      http.get('*/api/projects/press/job/p', () => HttpResponse.json(job('p', { undoable: true, result: { documents: 7 } }))),
      http.post('*/api/projects/press/job/:id/_undo', ({ params }) => {
        undone = String(params['id']);
        return HttpResponse.json(job('u', { result: { undone: 7, kept: 0 } }));
      }),
    );
    const { onDone, onClose } = propagate({ created: 0, job: job('p', { status: 'STARTED' }) });
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(notices()).toMatchObject([{ type: 'info', message: 'started' }]);
    await waitFor(() => expect(notices().at(-1)).toMatchObject({ message: 'Job p: done, 7 documents changed', action: { label: 'Undo' } }));
    notices().at(-1)?.action?.run();
    await waitFor(() => expect(notices().at(-1)).toMatchObject({ type: 'success', message: '7 changes undone' }));
    expect(undone).toBe('p');
    expect(onDone).not.toHaveBeenCalled();
  });
});
