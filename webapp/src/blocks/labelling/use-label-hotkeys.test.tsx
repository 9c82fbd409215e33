import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import type { ReactNode } from 'react';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createQueryClient } from '@/api/query-client';
import type { Preferences } from '@/api/resources/preferences';
import { useLayoutStore } from '@/state/layout-store';
import { useSessionStore } from '@/state/session-store';
import { errorResponse, server } from '@/test/server';
import { useLabelHotkeys, useLabelHotkeyMigration } from './use-label-hotkeys';

const HERE = 'hotkeys/ana/press';
let stored: Preferences = {};
let changes = 0;

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => server.close());
beforeEach(() => {
  stored = {};
  changes = 0;
  useSessionStore.setState({ principal: { username: 'ana', profilename: 'Ana', ssoLogin: false } });
  useLayoutStore.getState().setChoice(HERE, '{}');
  server.use(
    http.get('*/api/projects/press/_preferences', () => HttpResponse.json(stored as Record<string, never>)),
    http.patch('*/api/projects/press/_preferences', async ({ request }) => {
      changes += 1;
      stored = { ...stored, ...((await request.json()) as Preferences) };
      return HttpResponse.json(stored as Record<string, never>);
    }),
  );
});
afterEach(() => {
  cleanup();
  server.resetHandlers();
});

function open() {
  const client = createQueryClient();
  const wrapper = ({ children }: { readonly children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>;
  return renderHook(
    () => {
      useLabelHotkeyMigration('press');
      return useLabelHotkeys('press');
    },
    { wrapper },
  );
}

describe('hotkeys of a user', () => {
  it('are those of the server, whatever this browser stored', async () => {
    stored = { hotkeys: { person: 'p' } };
    useLayoutStore.getState().setChoice(HERE, '{"person":"x"}');
    const { result } = open();
    await waitFor(() => expect(result.current[0]).toEqual({ person: 'p' }));
    expect(changes).toBe(0);
    expect(useLayoutStore.getState().choices[HERE]).toBe('{}');
  });

  it('are migrated from this browser to the server once', async () => {
    useLayoutStore.getState().setChoice(HERE, '{"person":"x"}');
    const first = open();
    expect(first.result.current[0]).toEqual({ person: 'x' });
    await waitFor(() => expect(useLayoutStore.getState().choices[HERE]).toBe('{}'));
    expect(stored).toEqual({ hotkeys: { person: 'x' } });
    first.unmount();
    const again = open();
    await waitFor(() => expect(again.result.current[0]).toEqual({ person: 'x' }));
    expect(changes).toBe(1);
  });

  it('are saved on the server, and revert when that fails', async () => {
    const { result } = open();
    act(() => result.current[1]({ person: 'p' }));
    await waitFor(() => expect(stored).toEqual({ hotkeys: { person: 'p' } }));
    let answer: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (answer = resolve));
    server.use(http.patch('*/api/projects/press/_preferences', () => asked.then(() => errorResponse(500, 'No.'))));
    act(() => result.current[1]({ person: 'q' }));
    await waitFor(() => expect(result.current[0]).toEqual({ person: 'q' }));
    answer();
    await waitFor(() => expect(result.current[0]).toEqual({ person: 'p' }));
  });
});
