/** The edit queues of all projects in use; they live as long as the session, independent of screens. */
import type { QueryClient } from '@tanstack/react-query';
import { newKey } from '@/api/idempotency';
import { LabellingCache } from '@/api/labelling-cache';
import { useLiveStore } from '@/state/live-store';
import { useSessionStore } from '@/state/session-store';
import { EditQueue } from './edit-queue';
import { useEditsStore } from './edits-store';
import { openOutbox, type StoredEdit } from './outbox';

const TAB_KEY = 'annotarium-tab';
const LOCK = 'annotarium-tab-';

/** Survives a reload of this window. */
function tabName(): string {
  const known = sessionStorage.getItem(TAB_KEY);
  if (known !== null) return known;
  const name = newKey();
  sessionStorage.setItem(TAB_KEY, name);
  return name;
}

const outbox = openOutbox();
const queues = new Map<string, EditQueue>();
let tab = '';

const userName = () => useSessionStore.getState().principal?.username ?? '';

/** The one queue of a project in this window. */
export function editQueue(project: string, client: QueryClient): EditQueue {
  const known = queues.get(project);
  if (known !== undefined) return known;
  tab ||= tabName();
  const queue = new EditQueue(project, new LabellingCache(client, project), outbox, { user: userName(), tab });
  queues.set(project, queue);
  return queue;
}

/** Names of the open windows; undefined where the browser has no lock API (plain http). */
async function openTabNames(): Promise<ReadonlySet<string> | undefined> {
  if (!('locks' in navigator)) return undefined;
  const { held = [] } = await navigator.locks.query();
  return new Set(held.flatMap(({ name = '' }) => (name.startsWith(LOCK) ? [name.slice(LOCK.length)] : [])));
}

/**
 * Sends the edits that an earlier page or a closed window left. Where open windows are unknown, takes over all edits: an edit that is sent
 * twice is still applied once.
 */
export async function resumeEdits(client: QueryClient): Promise<void> {
  tab ||= tabName();
  try {
    const others = await openTabNames();
    const records = (await outbox.load(userName())).filter((record) => record.tab === tab || others?.has(record.tab) !== true);
    const byProject = new Map<string, StoredEdit[]>();
    for (const record of records) byProject.set(record.project, [...(byProject.get(record.project) ?? []), record]);
    for (const [project, own] of byProject) editQueue(project, client).adopt(own);
  } catch (error) {
    console.warn('Edits of earlier pages could not be read', error);
  }
}

/** The session expired: edits wait until the same user has signed in again. */
export function pauseEdits(paused: boolean): void {
  for (const queue of queues.values()) queue.setPaused(paused);
}

/** After signing out: waiting edits stay stored for the next session of the same user. */
export function stopEdits(): void {
  for (const queue of queues.values()) queue.stop();
  queues.clear();
  useEditsStore.getState().clear();
}

const sendAllNow = () => {
  for (const queue of queues.values()) queue.sendNow();
};

const hasUnsavedEdits = () => Object.values(useEditsStore.getState().byProject).some((edits) => edits.length > 0);

/** Called once, at start. Sends edits as soon as the server is reachable again, and asks before a page with unsaved edits is left. */
export function installEditListeners(): void {
  window.addEventListener('online', sendAllNow);
  useLiveStore.subscribe(({ status }, before) => {
    if (status === 'live' && before.status !== 'live') sendAllNow();
  });
  window.addEventListener('beforeunload', (event) => {
    if (hasUnsavedEdits()) event.preventDefault();
  });
  if ('locks' in navigator) void navigator.locks.request(`${LOCK}${(tab ||= tabName())}`, () => new Promise(() => undefined));
}
