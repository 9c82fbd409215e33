/** Applies one labelling event of the live connection to the cached data, instead of fetching documents again. */
import type { QueryClient } from '@tanstack/react-query';
import { LabellingCache } from './labelling-cache';
import { applyLabellingWith } from './live-connection';
import type { Annotation } from '@/api/resources/annotations';
import type { Category } from '@/api/resources/categories';
import { relationKeys, type Relation } from '@/api/resources/relations';
import { documentKeys } from '@/api/resources/documents';

interface Labelled {
  readonly type?: string;
  readonly documentIdentifier?: string;
  readonly identifier?: string;
  readonly version?: number;
  readonly key?: string;
  readonly state?: Annotation | Category | Relation;
}

/** Keys of our own unsaved edits: what they create is stored with their responses. */
export const ownKeys = new Set<string>();

const REFRESH_MS = 1000;
const REFRESH_AT_LATEST_MS = 5000;

interface PendingRefresh {
  readonly topics: Set<string>;
  readonly since: number;
  timer: ReturnType<typeof setTimeout>;
}

const pendingRefresh = new WeakMap<QueryClient, PendingRefresh>();

/** Refreshes lists and counts after a quiet period; open documents already have the change. */
function scheduleRefresh(client: QueryClient, topics: readonly string[]): void {
  const waiting = pendingRefresh.get(client);
  clearTimeout(waiting?.timer);
  const all = new Set([...(waiting?.topics ?? []), ...topics]);
  const since = waiting?.since ?? Date.now();
  const wait = Math.max(0, Math.min(REFRESH_MS, since + REFRESH_AT_LATEST_MS - Date.now()));
  const timer = setTimeout(() => {
    pendingRefresh.delete(client);
    const isOpenDocument = (key: readonly unknown[]) => key[0] === documentKeys.all[0] && key[2] === 'one';
    const isTouched = (key: readonly unknown[]) => all.has(String(key[0])) && !isOpenDocument(key);
    void client.invalidateQueries({ predicate: ({ queryKey }) => isTouched(queryKey) });
  }, wait);
  pendingRefresh.set(client, { topics: all, since, timer });
}

const NAMES: ReadonlySet<string> = new Set(['annotations', 'categories', 'relations']);

/**
 * Skips what our own edit created, as its response follows; its side effects (the relations of a removed annotation) are only reported
 * here.
 */
function applyRelationEvent(
  project: string,
  document: string,
  identifier: string,
  { type, version, key, state }: Labelled,
  client: QueryClient,
) {
  void client.invalidateQueries({ queryKey: relationKeys.names(project) });
  if (key !== undefined && ownKeys.has(key) && type === 'created' && version === 1) return;
  const cache = new LabellingCache(client, project);
  if (type === 'deleted') cache.dropRelation(document, identifier, version);
  else if (state === undefined) {
    void client.invalidateQueries({ queryKey: documentKeys.one(project, document) });
    void client.invalidateQueries({ queryKey: relationKeys.of(project, document) });
  } else cache.storeRelation(document, state as Relation);
}

/** Applies the change of one annotation, category or relation; returns false for all other events, whose data is fetched again. */
export function applyLabellingEvent(
  name: string,
  project: string | undefined,
  arg: unknown,
  client: QueryClient,
  topics: readonly string[],
): boolean {
  const labelled = (arg ?? {}) as Labelled;
  const { documentIdentifier: document, identifier, key } = labelled;
  if (!NAMES.has(name) || project === undefined || document === undefined || identifier === undefined) return false;
  // The footer of every screen shows counts of the project.
  scheduleRefresh(client, [...topics, 'projects']);
  if (name === 'relations') applyRelationEvent(project, document, identifier, labelled, client);
  else if (key === undefined || !ownKeys.has(key))
    applyAnnotationOrCategoryEvent(project, document, identifier, labelled, client, name === 'annotations');
  return true;
}

function applyAnnotationOrCategoryEvent(
  project: string,
  document: string,
  identifier: string,
  { type, version, state }: Labelled,
  client: QueryClient,
  isAnnotation: boolean,
): void {
  const cache = new LabellingCache(client, project);
  if (type === 'deleted') {
    if (isAnnotation) cache.dropAnnotation(document, identifier, version);
    else cache.dropCategory(document, identifier);
  } else if (state === undefined) void client.invalidateQueries({ queryKey: documentKeys.one(project, document) });
  else if (isAnnotation) cache.storeAnnotation(document, state as Annotation);
  else cache.storeCategory(document, state as Category);
}

applyLabellingWith(applyLabellingEvent);
