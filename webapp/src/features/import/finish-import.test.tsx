/** The end of an import: what replaced documents can be undone in its notice. */
import { QueryClientProvider } from '@tanstack/react-query';
import { renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '@/api/query-client';
import type { Job } from '@/api/resources/jobs';
import { useNotificationsStore } from '@/state/notifications-store';
import { startTestI18n } from '@/test/render';
import { job, server } from '@/test/server';
import { useFinishImport } from './import-dialog';
import type { ImportState } from './use-import';

const notices = () => useNotificationsStore.getState().items;
const Provider = ({ children }: { readonly children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
);
const stateOf = (ended: Job, more: object = {}) => ({ job: ended, running: false, isCheck: false, ...more }) as unknown as ImportState;

function finish(state: ImportState) {
  const onDone = vi.fn();
  renderHook(() => useFinishImport(state, onDone), { wrapper: Provider });
  return onDone;
}

beforeAll(() => server.listen({ onUnhandledRequest: 'bypass' }));
beforeEach(async () => {
  await startTestI18n();
  useNotificationsStore.setState({ items: [] });
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

describe('the end of an import', () => {
  it('that replaced documents offers to undo it', async () => {
    let undone = '';
    server.use(
      http.post('*/api/projects/press/job/:id/_undo', ({ params }) => {
        undone = String(params['id']);
        return HttpResponse.json(job('u', { result: { undone: 2, kept: 1 } }));
      }),
    );
    const onDone = finish(stateOf(job('i', { undoable: true })));
    expect(onDone).toHaveBeenCalledOnce();
    expect(notices()).toMatchObject([{ type: 'success', action: { label: 'Undo' } }]);
    notices()[0]?.action?.run();
    await waitFor(() => expect(notices().at(-1)).toMatchObject({ type: 'warning', message: '2 changes undone' }));
    expect(undone).toBe('i');
  });

  it('that only added documents has no undo', () => {
    expect(finish(stateOf(job('i')))).toHaveBeenCalledOnce();
    expect(notices()).toHaveLength(1);
    expect(notices()[0]?.action).toBeUndefined();
  });

  it.each([
    ['of a check', stateOf(job('i', { undoable: true }), { isCheck: true })],
    ['with refused items', stateOf(job('i', { undoable: true, result: { refused: 1 } }))],
    ['that failed', stateOf(job('i', { undoable: true, status: 'FAILED' }))],
    ['that still runs', stateOf(job('i', { undoable: true, status: 'STARTED' }), { running: true })],
  ])('%s says nothing, as its dialog stays open', (_name, state) => {
    expect(finish(state)).not.toHaveBeenCalled();
    expect(notices()).toEqual([]);
  });
});
