/**
 * What was changed a moment ago, by anybody: an answer that left the server before the change must not hide it again,
 * and what was deleted must not come back with a late answer. One memory per cache; it forgets.
 */
import type { QueryClient } from '@tanstack/react-query';

const MEMORY_MS = 15_000;
const MAX_CHANGES = 4000;

/** What is remembered: annotations and relations, each among its own. */
export type ChangeKind = 'annotation' | 'relation';

interface Versioned {
  readonly identifier: string;
  readonly version: number;
}

interface Change {
  readonly kind: ChangeKind;
  readonly id: string;
  readonly at: number;
  readonly document: string;
  readonly version: number;
  /** Undefined: deleted. */
  readonly state: Versioned | undefined;
}

const memories = new WeakMap<QueryClient, Map<string, Change>>();

function recentChangesOf(client: QueryClient): Map<string, Change> {
  const known = memories.get(client) ?? new Map<string, Change>();
  memories.set(client, known);
  return known;
}

const documentKey = (project: string, document: string) => `${project}/${document}`;

/** False when something newer is known: the change is late and must be left out. */
export function rememberChange(
  client: QueryClient,
  project: string,
  document: string,
  kind: ChangeKind,
  id: string,
  version: number,
  state?: Versioned,
): boolean {
  const memory = recentChangesOf(client);
  const place = `${kind} ${id}`;
  const known = memory.get(place);
  if (known !== undefined && (known.version > version || (known.version === version && known.state === undefined))) return false;
  memory.delete(place);
  memory.set(place, { kind, id, at: Date.now(), document: documentKey(project, document), version, state });
  if (memory.size > MAX_CHANGES) memory.delete(memory.keys().next().value ?? '');
  return true;
}

/** Annotations or relations as read, with what was changed while they were on their way. */
export function withRecentChanges<T extends Versioned>(
  client: QueryClient,
  project: string,
  document: string,
  kind: ChangeKind,
  read: readonly T[],
  now = Date.now(),
): readonly T[] {
  const place = documentKey(project, document);
  const recent = [...recentChangesOf(client).values()].filter(
    (change) => change.kind === kind && change.document === place && now - change.at < MEMORY_MS,
  );
  if (recent.length === 0) return read;
  const byId = new Map(read.map((one) => [one.identifier, one]));
  for (const { id, version, state } of recent) {
    const known = byId.get(id);
    if (known !== undefined && known.version >= version) continue;
    if (state === undefined) byId.delete(id);
    else byId.set(id, state as T);
  }
  return [...byId.values()];
}
