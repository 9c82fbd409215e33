// @vitest-environment node
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { usePresenceStore } from '@/state/presence-store';
import { dispatchLiveEvent } from './live-connection';
import { ownKeys } from './live-labelling';
import { withRecentChanges } from './recent-changes';
import { documentKeys, type AnnotatedDocument } from '@/api/resources/documents';

const KNOWN = { identifier: '7', labelName: 'person', start: 0, end: 4, version: 2 };
const ONE = documentKeys.one('p', 'd');
let client: QueryClient;

beforeEach(() => {
  vi.useFakeTimers();
  client = new QueryClient();
  client.setQueryData(ONE, { identifier: 'd', text: 'Anna lives here', annotations: [KNOWN] });
});
afterEach(() => {
  ownKeys.clear();
  vi.useRealTimers();
});

const shown = () => client.getQueryData<AnnotatedDocument>(ONE)?.annotations ?? [];
const sendEvent = (arg: object, mutation = 'annotations', project = 'p') =>
  dispatchLiveEvent({ project, mutation, arg: { documentIdentifier: 'd', identifier: '7', ...arg } }, client);

describe('a live labelling event', () => {
  it('is written into the open document, which is not fetched again', () => {
    sendEvent({ type: 'created', identifier: '8', version: 1, state: { ...KNOWN, identifier: '8', version: 1 } });
    sendEvent({ type: 'updated', version: 3, state: { ...KNOWN, version: 3, labelName: 'place' } });
    expect(shown().map(({ identifier, labelName }) => [identifier, labelName])).toEqual([
      ['7', 'place'],
      ['8', 'person'],
    ]);
    sendEvent({ type: 'deleted', version: 4 });
    vi.advanceTimersByTime(10_000);
    expect(shown().map(({ identifier }) => identifier)).toEqual(['8']);
    expect(client.getQueryState(ONE)?.isInvalidated).toBe(false);
  });

  it('leaves the arrays of everything else unchanged', () => {
    const before = shown()[0];
    sendEvent({ type: 'created', identifier: '8', version: 1, state: { ...KNOWN, identifier: '8', version: 1 } });
    expect(shown()[0]).toBe(before);
  });

  it('adds a relation to the open document; skips the one our edit created, but not those it deleted', () => {
    const relation = { identifier: 'r', version: 1, name: 'causes', source: '7', target: '8' };
    const relations = () => client.getQueryData<AnnotatedDocument>(ONE)?.relations ?? [];
    ownKeys.add('mine');
    sendEvent({ type: 'created', identifier: 'r', version: 1, key: 'mine', state: relation }, 'relations');
    expect(relations()).toEqual([]);
    sendEvent({ type: 'created', identifier: 'r', version: 1, key: 'theirs', state: relation }, 'relations');
    sendEvent({ type: 'updated', identifier: 'r', version: 2, state: { ...relation, version: 2, name: 'cures' } }, 'relations');
    expect(relations().map(({ name }) => name)).toEqual(['cures']);
    // Deleted together with an annotation, and restored with it.
    sendEvent({ type: 'deleted', identifier: 'r', version: 2, key: 'mine' }, 'relations');
    sendEvent({ type: 'restored', identifier: 'r', version: 2, state: { ...relation, version: 2, name: 'cures' } }, 'relations');
    expect(relations()).toHaveLength(1);
    sendEvent({ type: 'deleted', identifier: 'r', version: 3, key: 'mine' }, 'relations');
    expect(relations()).toEqual([]);
    sendEvent({ type: 'updated', identifier: 'r', version: 2, state: relation }, 'relations');
    expect(client.getQueryState(ONE)?.isInvalidated).toBe(false);
    // Bulk changes are reported without their objects, so open data is fetched again.
    dispatchLiveEvent({ project: 'p', mutation: 'relations', arg: { type: 'changed', documentIdentifier: 'd' } }, client);
    expect(client.getQueryState(ONE)?.isInvalidated).toBe(true);
    expect([relations(), shown()]).toEqual([[], [KNOWN]]);
  });

  it('that arrives late changes nothing, and restores nothing', () => {
    sendEvent({ type: 'updated', version: 1, state: { ...KNOWN, version: 1, labelName: 'old' } });
    expect(shown()).toEqual([KNOWN]);
    sendEvent({ type: 'deleted', version: 4 });
    sendEvent({ type: 'updated', version: 3, state: { ...KNOWN, version: 3 } });
    expect(shown()).toEqual([]);
    sendEvent({ type: 'restored', version: 5, state: { ...KNOWN, version: 5 } });
    expect(shown()).toEqual([{ ...KNOWN, version: 5 }]);
  });

  it('is not hidden by a document that was fetched before it', () => {
    sendEvent({ type: 'updated', version: 3, state: { ...KNOWN, version: 3, labelName: 'place' } });
    expect(withRecentChanges(client, 'p', 'd', 'annotation', [KNOWN])[0]?.labelName).toBe('place');
    sendEvent({ type: 'deleted', version: 4 });
    expect(withRecentChanges(client, 'p', 'd', 'annotation', [KNOWN])).toEqual([]);
    expect(withRecentChanges(client, 'p', 'other', 'annotation', [KNOWN])).toEqual([KNOWN]);
    expect(withRecentChanges(client, 'p', 'd', 'annotation', [KNOWN], Date.now() + 60_000)).toEqual([KNOWN]);
  });

  it('of our own edit is skipped, as the response to the edit follows', () => {
    ownKeys.add('mine');
    sendEvent({ type: 'created', identifier: '8', version: 1, key: 'mine', state: { ...KNOWN, identifier: '8', version: 1 } });
    expect(shown()).toEqual([KNOWN]);
  });

  it('without its state invalidates the document', () => {
    sendEvent({ type: 'updated', version: 3 });
    expect(client.getQueryState(ONE)?.isInvalidated).toBe(true);
  });

  it('refreshes lists and counts after a quiet period', () => {
    client.setQueryData(['metrics', 'p'], {});
    const stale = () => client.getQueryState(['metrics', 'p'])?.isInvalidated;
    for (let at = 0; at < 4; at += 1) {
      sendEvent({ type: 'updated', version: 3 + at, state: { ...KNOWN, version: 3 + at } });
      vi.advanceTimersByTime(900);
      expect(stale()).toBe(false);
    }
    vi.advanceTimersByTime(200);
    expect(stale()).toBe(true);
  });
});

describe('presence', () => {
  const sendPresence = (type: string, user: string, session: string, documentIdentifier = 'd') =>
    sendEvent({ type, user, session, documentIdentifier }, 'presence');
  const users = () => [...usePresenceStore.getState().people.values()].map(({ user }) => user);

  it('is added, removed a little later, and expires without renewal', () => {
    usePresenceStore.getState().enter({ project: 'p', document: 'd' });
    sendPresence('here', 'paul', 's1');
    sendPresence('here', 'zoe', 's2', 'other');
    sendPresence('here', 'me', usePresenceStore.getState().session);
    expect(users()).toEqual(['paul']);
    sendPresence('gone', 'paul', 's1');
    sendPresence('here', 'paul', 's1');
    vi.advanceTimersByTime(10_000);
    usePresenceStore.getState().prune();
    expect(users()).toEqual(['paul']);
    sendPresence('gone', 'paul', 's1');
    vi.advanceTimersByTime(3001);
    usePresenceStore.getState().prune();
    expect(users()).toEqual([]);
    sendPresence('here', 'paul', 's1');
    vi.advanceTimersByTime(76_000);
    usePresenceStore.getState().prune();
    expect(users()).toEqual([]);
    usePresenceStore.getState().leave();
  });
});
