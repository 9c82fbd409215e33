/**
 * Remembers recent changes by any user, so that a response sent by the server before a change does not hide the change, and a late response
 * does not restore what was deleted. One memory per query client; entries expire.
 */
import type { QueryClient } from '@tanstack/react-query';

const MEMORY_MS = 15_000;
const MAX_CHANGES = 4000;

/** Annotations and relations are remembered separately. */
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

/** False when a newer change is known: this one is late and must be ignored. */
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

/** Applies changes made during the request to the fetched annotations or relations. */
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
