/**
 * What was changed a moment ago, by anybody: an answer that left the server before the change must not hide it again,
 * and what was deleted must not come back with a late answer. One memory per cache; it forgets.
 */
import type { QueryClient } from '@tanstack/react-query';
import type { Annotation } from './resources/annotations';

const KEPT_MS = 15_000;
const MAX = 4000;

interface Change {
  readonly at: number;
  readonly document: string;
  readonly version: number;
  /** Undefined: deleted. */
  readonly annotation: Annotation | undefined;
}

const memories = new WeakMap<QueryClient, Map<string, Change>>();

function memoryOf(client: QueryClient): Map<string, Change> {
  const known = memories.get(client) ?? new Map<string, Change>();
  memories.set(client, known);
  return known;
}

const placeOf = (project: string, document: string) => `${project}/${document}`;

/** False when something newer is known: the change is late and must be left out. */
export function noteChange(
  client: QueryClient,
  project: string,
  document: string,
  id: string,
  version: number,
  annotation?: Annotation,
): boolean {
  const memory = memoryOf(client);
  const known = memory.get(id);
  if (known !== undefined && (known.version > version || (known.version === version && known.annotation === undefined))) return false;
  memory.delete(id);
  memory.set(id, { at: Date.now(), document: placeOf(project, document), version, annotation });
  if (memory.size > MAX) memory.delete(memory.keys().next().value ?? '');
  return true;
}

/** Annotations as read, with what was changed while they were on their way. */
export function withRecentChanges(
  client: QueryClient,
  project: string,
  document: string,
  annotations: readonly Annotation[],
  now = Date.now(),
): readonly Annotation[] {
  const place = placeOf(project, document);
  const recent = [...memoryOf(client)].filter(([, change]) => change.document === place && now - change.at < KEPT_MS);
  if (recent.length === 0) return annotations;
  const byId = new Map(annotations.map((annotation) => [annotation.identifier, annotation]));
  for (const [id, { version, annotation }] of recent) {
    const read = byId.get(id);
    if (read !== undefined && read.version >= version) continue;
    if (annotation === undefined) byId.delete(id);
    else byId.set(id, annotation);
  }
  return [...byId.values()];
}
