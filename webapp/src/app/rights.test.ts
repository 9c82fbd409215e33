/** Effects of changed rights while the web app is open. */
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { dispatchLiveEvent } from '@/api/live-connection';
import { queryClient } from '@/api/query-client';
import { useNotificationsStore } from '@/state/notifications-store';
import { useSessionStore } from '@/state/session-store';
import { startTestI18n } from '@/test/render';
import { project, errorResponse, server } from '@/test/server';
import { registerLiveNotifications } from './live-handlers';
import { refreshAfterReconnect, refreshRights } from './rights';

const session = () => useSessionStore.getState();
const notifications = () => useNotificationsStore.getState().items.map(({ message }) => message);
const gone = () => server.use(http.get('*/api/projects/:name/_info', () => errorResponse(404, 'There is no project')));
const sendEvent = (visible: boolean, name = 'press') =>
  dispatchLiveEvent(
    { user: 'ana', project: name, mutation: 'visibility', arg: { type: 'changed', name, label: `The ${name}`, visible } },
    queryClient,
  );

let forget: () => void = () => undefined;

beforeAll(async () => {
  await startTestI18n();
  server.listen({ onUnhandledRequest: 'error' });
  forget = registerLiveNotifications();
});
beforeEach(() => {
  queryClient.clear();
  useNotificationsStore.setState({ items: [] });
  useSessionStore.setState({ status: 'signedIn', principal: { username: 'ana', profilename: 'Ana', ssoLogin: false }, kicked: false });
  session().setRights(['seeLabels']);
  session().openProject('press');
});
afterEach(() => server.resetHandlers());
afterAll(() => {
  forget();
  server.close();
});

describe('T-020 categories are no longer exclusive', () => {
  const exclusive = (project: string, arg: object) =>
    dispatchLiveEvent({ project, mutation: 'project', arg: { type: 'updated', by: 'bob', ...arg } }, queryClient);
  it('notifies in the open project, with a link to its settings for permitted users', () => {
    exclusive('press', { classification: { exclusive_classes: false }, cause: 'severalCategories' });
    const [told] = useNotificationsStore.getState().items;
    expect(told?.message).toBe('Imported documents have several categories: the categories of this project are no longer exclusive.');
    expect([told?.type, told?.link]).toEqual(['warning', undefined]);
    useNotificationsStore.setState({ items: [] });
    session().setRights(['changeProjectConfig', 'seeUiSettings', 'seeAdvancedSettings']);
    exclusive('press', { cause: 'severalCategories' });
    expect(useNotificationsStore.getState().items[0]?.link).toBe('/settings');
  });
  it('does not notify for another project, nor for a change in the settings', () => {
    exclusive('other', { cause: 'severalCategories' });
    exclusive('press', { classification: { exclusive_classes: false } });
    expect(notifications()).toEqual([]);
  });
});

describe('B-005 fetches rights again', () => {
  it('including roles', async () => {
    server.use(
      http.get('*/api/users/ana', () =>
        HttpResponse.json({ username: 'ana', profilename: 'Ana', permissions: ['role:Annotator', 'seeTest'] }),
      ),
    );
    await refreshRights();
    expect([...session().permissions]).toEqual(['seeTest']);
    expect(session().roles).toEqual(['Annotator']);
  });
  it('and keeps them when the server does not respond', async () => {
    server.use(http.get('*/api/users/ana', () => errorResponse(503, 'away')));
    vi.spyOn(console, 'info').mockImplementation(() => undefined);
    await refreshRights();
    expect([...session().permissions]).toEqual(['seeLabels']);
  });
});

describe('T-007, E-035 access to a project is granted or removed', () => {
  it('open project: its rights changed', async () => {
    sendEvent(true);
    await vi.waitFor(() => expect(notifications()).toEqual(['Your rights on the project have changed']));
    expect(session().kicked).toBe(false);
  });
  it('another project: it was shared', async () => {
    sendEvent(true, 'tickets');
    await vi.waitFor(() => expect(notifications()).toEqual(['The project The tickets was shared with you']));
  });
  it('the open project is no longer accessible: shows a dialog (D-007), no notification', async () => {
    gone();
    sendEvent(false);
    await vi.waitFor(() => expect(session().kicked).toBe(true));
    expect(notifications()).toEqual([]);
  });
  it('another project is no longer accessible: it was unshared', async () => {
    gone();
    sendEvent(false, 'tickets');
    await vi.waitFor(() => expect(notifications()).toEqual(['The project The tickets is no longer shared with you']));
    expect(session().kicked).toBe(false);
  });
  it('one of several shares ended: no notification', async () => {
    let asked = 0;
    server.use(
      http.get('*/api/projects/:name/_info', () => {
        asked += 1;
        return HttpResponse.json(project('press'));
      }),
    );
    sendEvent(false);
    await vi.waitFor(() => expect(asked).toBe(1));
    expect(session().kicked).toBe(false);
    expect(notifications()).toEqual([]);
  });
  it('an unreachable server does not remove access', async () => {
    server.use(http.get('*/api/projects/:name/_info', () => errorResponse(503, 'away')));
    await refreshAfterReconnect();
    expect(session().kicked).toBe(false);
  });
  it('notifies of a deletion, except its author', async () => {
    gone();
    const deleted = (by: string) => dispatchLiveEvent({ project: 'press', mutation: 'project', arg: { type: 'deleted', by } }, queryClient);
    deleted('ana');
    await new Promise((done) => setTimeout(done, 30));
    expect(session().kicked).toBe(false);
    deleted('lea');
    await vi.waitFor(() => expect(session().kicked).toBe(true));
  });
  it('is also noticed after the live connection was lost', async () => {
    gone();
    await refreshAfterReconnect();
    expect(session().kicked).toBe(true);
  });
});

describe('E-038 new suggestions', () => {
  const suggested = (count: number, type = 'new', name = 'press') =>
    dispatchLiveEvent({ user: '', project: name, mutation: 'suggestions', arg: { type, count, name: 'finder' } }, queryClient);

  it('shows a notification with a link to permitted users in the project', () => {
    session().setRights(['seeSuggestions']);
    suggested(0);
    suggested(3, 'cleared');
    suggested(3, 'new', 'other');
    expect(notifications()).toEqual([]);
    suggested(12);
    const [told] = useNotificationsStore.getState().items;
    expect(told).toMatchObject({ message: '12 new suggestions', link: '/suggestions', linkmessage: 'See the suggestions' });
  });

  it('is not shown to other users, nor on the suggestions screen', () => {
    suggested(12);
    session().setRights(['seeSuggestions']);
    window.history.replaceState(null, '', '/suggestions');
    suggested(12);
    window.history.replaceState(null, '', '/');
    expect(notifications()).toEqual([]);
  });
});
