/**
 * Undo, redo and restore on one document, or undo and redo of the newest act of the project: the server knows what comes next, so it holds after a reload and in every window. What is still
 * on its way is waited for; what was changed is written into the cached document.
 */
import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import i18next from 'i18next';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { notifyFailure } from '@/api/errors';
import { newKey } from '@/api/idempotency';
import { LabellingCache } from '@/api/labelling-cache';
import { onLiveEvent } from '@/api/live';
import {
  conflictsOf,
  historyKeys,
  historyStateQuery,
  projectHistoryStateQuery,
  restoreEntry,
  turnBack,
  type Decision,
  type HistoryEntry,
  type NextTurn,
  type ProjectTurn,
  type TurnConflict,
  type Turned,
  type Turning,
} from '@/api/resources/history';
import { notify } from '@/state/notifications-store';
import { editsOf, useEditsStore } from './edits-store';
import { rememberOffer, withdrawOffer } from './restore-offers';

type Asked =
  { readonly kind: Turning; readonly act?: string } | { readonly kind: 'restore'; readonly entry: HistoryEntry; readonly whole: boolean };

/** What was done last. */
interface Done {
  readonly kind: Asked['kind'];
  readonly turned: Turned;
  /** Where it was looked for in the whole project: what was found. */
  readonly found?: ProjectTurn | undefined;
}

export interface Turns {
  readonly undo: NextTurn | undefined;
  readonly redo: NextTurn | undefined;
  /** Said to screen readers after each turn. */
  readonly last: Done | undefined;
  readonly conflicts: readonly TurnConflict[] | undefined;
  readonly turn: (kind: Turning) => void;
  /** Says what was just done, with its undo: of that act, never of a later one. `ids`: what it made. */
  readonly tellDone: (message: string, ids: readonly string[]) => void;
  readonly restore: (entry: HistoryEntry, whole: boolean) => void;
  /** Ends the conflict; undefined: nothing is done. */
  readonly decide: (decision: Decision | undefined) => void;
}

export type ProjectTurns = Omit<Turns, 'tellDone' | 'restore'>;

/** For screens whose acts do not travel in the queue of the labelling. */
export interface OwnActs {
  /** Resolves when nothing of them is on its way. */
  readonly whenSaved: () => Promise<unknown>;
  /** Identifiers of what was made by one press of a key: they go and come back together. */
  readonly together: (identifier: string) => ReadonlySet<string>;
}

const LONGEST_WAIT_MS = 15_000;

/** Resolves when nothing of the document (of none named: of any) is on its way to the server any more; false when it takes too long. */
export function whenSaved(project: string, document: string | undefined): Promise<boolean> {
  const busy = () =>
    editsOf(project).some((edit) => (document === undefined || edit.documentIdentifier === document) && edit.state === 'saving');
  if (!busy()) return Promise.resolve(true);
  return new Promise((resolve) => {
    const end = (saved: boolean) => {
      clearTimeout(timer);
      stop();
      resolve(saved);
    };
    const timer = setTimeout(() => end(false), LONGEST_WAIT_MS);
    const stop = useEditsStore.subscribe(() => void (busy() || end(true)));
  });
}

export function applyTurned(client: QueryClient, project: string, document: string, turned: Turned): void {
  const cache = new LabellingCache(client, project);
  for (const id of turned.removed ?? []) {
    withdrawOffer(id);
    cache.dropAnnotation(document, id);
    cache.dropCategory(document, id);
    cache.dropRelation(document, id);
  }
  for (const annotation of turned.annotations ?? []) cache.storeAnnotation(document, annotation);
  for (const relation of turned.relations ?? []) cache.storeRelation(document, relation);
  for (const { identifier } of [...(turned.annotations ?? []), ...(turned.relations ?? [])]) withdrawOffer(identifier);
  for (const category of turned.categories ?? []) cache.storeCategory(document, category);
}

async function ask(project: string, document: string, asked: Asked, decision: Decision | undefined): Promise<Turned> {
  if (asked.kind === 'restore')
    return restoreEntry(project, document, asked.entry.identifier, { whole: asked.whole, decision, key: newKey() });
  const body = { ...(asked.act !== undefined && { act: asked.act }), ...(decision !== undefined && { decision }) };
  return turnBack(project, document, asked.kind, body, newKey());
}

const LABELLING = /annotation|categor|relation|labelling|document/i;

/** Our acts, and those of others, make what was read of the history old. */
function useStaleHistory(client: QueryClient, project: string, document: string | undefined): void {
  useEffect(() => {
    const forget = () => void client.invalidateQueries({ queryKey: historyKeys.of(project, document ?? '') });
    const stopEvents = onLiveEvent((event, name) => {
      if (event.project === project && LABELLING.test(name)) forget();
    });
    let waiting = editsOf(project).length;
    const stopEdits = useEditsStore.subscribe(() => {
      const now = editsOf(project).length;
      if (now < waiting) forget();
      waiting = now;
    });
    return () => {
      stopEvents();
      stopEdits();
    };
  }, [client, project, document]);
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

interface Standing extends Place {
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
    applyTurned(client, project, document, turned);
    if (own !== undefined) client.setQueryData(historyStateQuery(project, document, true).queryKey, pick(turned));
    return turned;
  } finally {
    void client.invalidateQueries({ queryKey: historyKeys.of(project, document) });
  }
}

const groupOf = (place: Place | undefined, acts: OwnActs | undefined): ReadonlySet<string> =>
  (place?.found && acts?.together(place.found.entry.entityIdentifier)) ?? ALONE;

/** The next one of the group, if it is what comes next. */
async function nextOf(client: QueryClient, project: string, wanted: Asked, group: ReadonlySet<string>): Promise<Place | undefined> {
  if (group.size < 2) return undefined;
  const next = await placeOf(client, project, wanted);
  return next?.found !== undefined && group.has(next.found.entry.entityIdentifier) ? next : undefined;
}

interface Wanted {
  readonly asked: Asked;
  /** The document of the screen; undefined: any of the project. */
  readonly own: string | undefined;
  readonly decided: (Place & { readonly decision: Decision }) | undefined;
  readonly acts: OwnActs | undefined;
}

interface Outcome {
  readonly done: Done | undefined;
  readonly standing?: Standing | undefined;
}

/** What one press of a key made, act by act; ends at what stands against it. */
async function turnAll(client: QueryClient, project: string, { asked, own, decided, acts }: Wanted): Promise<Outcome> {
  let place: Place | undefined = decided ?? (own === undefined ? await placeOf(client, project, asked) : { document: own, asked });
  const group = groupOf(place, acts);
  let done: Done | undefined;
  while (place !== undefined) {
    const here: Place = place;
    try {
      const turned = await turnOne(client, project, own, here, decided?.decision);
      done = { kind: asked.kind, turned: withMore(done?.turned, turned), found: done?.found ?? here.found };
      place = await nextOf(client, project, asked, group);
    } catch (error) {
      const conflicts = conflictsOf(error);
      if (conflicts === undefined) notifyFailure(error, 'history');
      return { done, standing: conflicts && { ...here, conflicts } };
    }
  }
  return { done };
}

/** Does one after the other; what stands against it waits for a decision. */
function useTurning(client: QueryClient, project: string, own: string | undefined, acts?: OwnActs) {
  const [last, setLast] = useState<Turns['last']>(undefined);
  const [standing, setStanding] = useState<Standing | undefined>(undefined);
  const line = useRef<Promise<void>>(Promise.resolve());
  const run = useCallback(
    (asked: Asked, decided?: Wanted['decided']) => {
      // Pressed twice quickly, it is done twice, one after the other.
      line.current = line.current.then(async () => {
        try {
          await acts?.whenSaved();
          await whenSaved(project, decided?.document ?? own);
          const { done, standing: against } = await turnAll(client, project, { asked, own, decided, acts });
          if (done !== undefined) setLast(done);
          if (against !== undefined) setStanding(against);
        } catch (error) {
          notifyFailure(error, 'history');
        }
        if (own === undefined) void client.invalidateQueries({ queryKey: historyKeys.of(project, '') });
      });
    },
    [client, project, own, acts],
  );
  const decide = useCallback(
    (decision: Decision | undefined) => {
      setStanding(undefined);
      if (decision !== undefined && standing !== undefined) run(standing.asked, { ...standing, decision });
    },
    [standing, run],
  );
  return { last, conflicts: standing?.conflicts, run, decide };
}

/** For the screen of one document; `writable`: the caller may change it. */
export function useTurns(project: string, document: string, writable: boolean): Turns {
  const client = useQueryClient();
  const { data } = useQuery(historyStateQuery(project, document, writable));
  const { last, conflicts, run, decide } = useTurning(client, project, document);
  useStaleHistory(client, project, document);

  const tellDone = useCallback(
    async (message: string, ids: readonly string[]) => {
      const { undo } = await client.fetchQuery({ ...historyStateQuery(project, document, true), staleTime: 0 });
      const action = undo && { action: { label: i18next.t('labelling:undo'), run: () => run({ kind: 'undo', act: undo.act }) } };
      const told = notify({ type: 'success', message, ...action });
      for (const id of ids) rememberOffer(id, told);
    },
    [client, project, document, run],
  );
  return useMemo(
    () => ({
      undo: data?.undo,
      redo: data?.redo,
      last,
      conflicts,
      turn: (kind) => run({ kind }),
      tellDone: (message, ids) => void tellDone(message, ids).catch(() => notify({ type: 'success', message })),
      restore: (entry, whole) => run({ kind: 'restore', entry, whole }),
      decide,
    }),
    [data, last, conflicts, run, decide, tellDone],
  );
}

/** For screens with texts of many documents: the newest act of the person in the project is taken back first. */
export function useProjectTurns(project: string, writable: boolean, acts?: OwnActs): ProjectTurns {
  const client = useQueryClient();
  const { data } = useQuery(projectHistoryStateQuery(project, writable));
  const { last, conflicts, run, decide } = useTurning(client, project, undefined, acts);
  useStaleHistory(client, project, undefined);
  return useMemo(
    () => ({ undo: data?.undo, redo: data?.redo, last, conflicts, turn: (kind) => run({ kind }), decide }),
    [data, last, conflicts, run, decide],
  );
}

/** Of several acts what all of them did; what comes next is said by the last one. */
function withMore(before: Turned | undefined, { changed, ...turned }: Turned): Turned {
  const both = (part: 'removed' | 'suggestions') => [...(before?.[part] ?? []), ...(turned[part] ?? [])];
  return { ...turned, changed: changed + (before?.changed ?? 0), removed: both('removed'), suggestions: both('suggestions') };
}

const pick = ({ undo, redo }: Turned) => ({ ...(undo && { undo }), ...(redo && { redo }) });
