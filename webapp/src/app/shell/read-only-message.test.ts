import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { useNotificationsStore } from '@/state/notifications-store';
import { useSessionStore } from '@/state/session-store';
import { startTestI18n } from '@/test/render';
import { useReadOnlyMessage } from './read-only-message';

beforeAll(() => startTestI18n());
beforeEach(() => {
  vi.useFakeTimers();
  useNotificationsStore.setState({ items: [] });
  useSessionStore.setState({ projectName: null, projectReadOnly: null, permissions: new Set(['readProject:*']) });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const notifications = () => useNotificationsStore.getState().items.map(({ message }) => message);
const wait = (ms: number) =>
  act(() => {
    vi.advanceTimersByTime(ms);
  });

it('notifies after 1 s that a project is read-only, once per opening (C-015)', () => {
  const { rerender } = renderHook(() => useReadOnlyMessage());
  wait(5000);
  expect(notifications()).toEqual([]);
  act(() => useSessionStore.setState({ projectName: 'press' }));
  wait(999);
  expect(notifications()).toEqual([]);
  wait(1);
  expect(notifications()).toEqual(['The project is read-only']);
  rerender();
  wait(5000);
  expect(notifications()).toHaveLength(1);
});

it('does not notify if the server allows writing before that', () => {
  renderHook(() => useReadOnlyMessage());
  act(() => useSessionStore.setState({ projectName: 'press' }));
  wait(500);
  act(() => useSessionStore.setState({ projectReadOnly: false }));
  wait(5000);
  expect(notifications()).toEqual([]);
});
