/** Going back and forth in the history, act by act: what is asked of the server, and what its answer changes in what was read. */
import type { QueryClient } from '@tanstack/react-query';
import { notifyFailure } from '@/api/errors';
import { newKey } from '@/api/idempotency';
import { LabellingCache } from '@/api/labelling-cache';
import {
  conflictsOf,
  historyKeys,
  historyStateQuery,
  projectHistoryStateQuery,
  restoreEntry,
  turnBack,
  type Decision,
  type HistoryEntry,
  type ProjectTurn,
  type TurnConflict,
  type Turned,
  type Turning,
} from '@/api/resources/history';
import { editsOf, useEditsStore } from './edits-store';
import { applyTurned } from './turn-edits';

const LONG_MS = 3000;

export type Asked =
  { readonly kind: Turning; readonly act?: string } | { readonly kind: 'restore'; readonly entry: HistoryEntry; readonly whole: boolean };

/** What was done last. */
export interface Done {
  readonly kind: Asked['kind'];
  readonly turned: Turned;
  /** Where it was looked for in the whole project: what was found. */
  readonly found?: ProjectTurn | undefined;
}

/** For screens whose acts do not travel in the queue of the labelling. */
export interface OwnActs {
  /** Resolves when nothing of them is on its way. */
  readonly whenSaved: () => Promise<unknown>;
  /** Identifiers of what was made by one press of a key: they go and come back together. */
  readonly together: (identifier: string) => ReadonlySet<string>;
}

/**
 * Resolves when nothing of the document (of none named: of any) is on its way to the server any more. Where that takes long, or the server was
 * not reached the last time, `onWait` is told so once.
 */
export function whenSaved(project: string, document: string | undefined, onWait: () => void): Promise<void> {
  const busy = () =>
    editsOf(project).some((edit) => (document === undefined || edit.documentIdentifier === document) && edit.state === 'saving');
  if (!busy()) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(onWait, useEditsStore.getState().away.has(project) ? 0 : LONG_MS);
    const stop = useEditsStore.subscribe(() => {
      if (busy()) return;
      clearTimeout(timer);
      stop();
      resolve();
    });
  });
}

async function ask(project: string, document: string, asked: Asked, decision: Decision | undefined): Promise<Turned> {
  if (asked.kind === 'restore')
    return restoreEntry(project, document, asked.entry.identifier, { whole: asked.whole, decision, key: newKey() });
  const body = { ...(asked.act !== undefined && { act: asked.act }), ...(decision !== undefined && { decision }) };
  return turnBack(project, document, asked.kind, body, newKey());
}

interface Place {
  readonly document: string;
  readonly asked: Asked;
  readonly found?: ProjectTurn;
}

/** On which document it is to be done, and which act; undefined: there is nothing to be done. */
async function placeOf(client: QueryClient, project: string, { kind }: Asked): Promise<Place | undefined> {
  if (kind === 'restore') return undefined;
  const state = await client.fetchQuery({ ...projectHistoryStateQuery(project, true), staleTime: 0 });
  const found = state[kind];
  return found && { document: found.documentIdentifier, asked: { kind, act: found.act }, found };
}

export interface Standing extends Place {
  readonly conflicts: readonly TurnConflict[];
}

const ALONE: ReadonlySet<string> = new Set();

/** Takes back one act, or does it again; what was changed is written into what was read. */
async function turnOne(
  client: QueryClient,
  project: string,
  own: string | undefined,
  { document, asked }: Place,
  decision?: Decision,
): Promise<Turned> {
  try {
    const turned = await ask(project, document, asked, decision);
    applyTurned(new LabellingCache(client, project), document, turned);
    if (own !== undefined) client.setQueryData(historyStateQuery(project, document, true).queryKey, nextOf(turned));
    return turned;
  } finally {
    void client.invalidateQueries({ queryKey: historyKeys.of(project, document) });
  }
}

const groupOf = (place: Place | undefined, acts: OwnActs | undefined): ReadonlySet<string> =>
  (place?.found && acts?.together(place.found.entry.entityIdentifier)) ?? ALONE;

/** The next one of the group, if it is what comes next. */
async function nextTogether(client: QueryClient, project: string, wanted: Asked, group: ReadonlySet<string>): Promise<Place | undefined> {
  if (group.size < 2) return undefined;
  const next = await placeOf(client, project, wanted);
  return next?.found !== undefined && group.has(next.found.entry.entityIdentifier) ? next : undefined;
}

export interface Wanted {
  readonly asked: Asked;
  /** The document of the screen; undefined: any of the project. */
  readonly own: string | undefined;
  readonly decided: (Place & { readonly decision: Decision }) | undefined;
  readonly acts: OwnActs | undefined;
}

export interface Outcome {
  readonly done: Done | undefined;
  readonly standing?: Standing | undefined;
}

/** What one press of a key made, act by act; ends at what stands against it. */
export async function turnAll(client: QueryClient, project: string, { asked, own, decided, acts }: Wanted): Promise<Outcome> {
  let place: Place | undefined = decided ?? (own === undefined ? await placeOf(client, project, asked) : { document: own, asked });
  const group = groupOf(place, acts);
  let done: Done | undefined;
  while (place !== undefined) {
    const here: Place = place;
    try {
      const turned = await turnOne(client, project, own, here, decided?.decision);
      done = { kind: asked.kind, turned: withMore(done?.turned, turned), found: done?.found ?? here.found };
      place = await nextTogether(client, project, asked, group);
    } catch (error) {
      const conflicts = conflictsOf(error);
      if (conflicts === undefined) notifyFailure(error, 'history');
      return { done, standing: conflicts && { ...here, conflicts } };
    }
  }
  return { done };
}

/** Of several acts what all of them did; what comes next is said by the last one. */
function withMore(before: Turned | undefined, { changed, ...turned }: Turned): Turned {
  const both = (part: 'removed' | 'suggestions') => [...(before?.[part] ?? []), ...(turned[part] ?? [])];
  return { ...turned, changed: changed + (before?.changed ?? 0), removed: both('removed'), suggestions: both('suggestions') };
}

/** What comes next after a turn. */
export const nextOf = ({ undo, redo }: Turned) => ({ ...(undo && { undo }), ...(redo && { redo }) });
