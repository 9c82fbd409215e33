/**
 * Undo, redo and restore on one document, or undo and redo of the newest act of the project: the server knows what comes next, so it holds after a reload and in every window. What is still
 * on its way is waited for; what was changed is written into the cached document.
 */
import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import i18next from 'i18next';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { notifyFailure } from '@/api/errors';
import { onLiveEvent } from '@/api/live';
import {
  historyKeys,
  historyStateQuery,
  projectHistoryStateQuery,
  type Decision,
  type HistoryEntry,
  type NextTurn,
  type TurnConflict,
  type Turned,
  type Turning,
} from '@/api/resources/history';
import { notify } from '@/state/notifications-store';
import { actQueue } from './act-queues';
import { editsOf, useEdits, useEditsStore } from './edits-store';
import { rememberOffer } from './restore-offers';
import { isTurn, turnEdit, type Aim, type TurnEdit } from './turn-edits';
import { nextOf, turnAll, whenSaved, type Asked, type Done, type OwnActs, type Standing, type Wanted } from './turning';

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

/** Told once, however often a key was pressed: it is done when the changes have arrived. */
let told = 0;
function tellWaiting(): void {
  if (Date.now() - told < TOLD_AGAIN_MS) return;
  told = Date.now();
  notify({ type: 'info', message: i18next.t('labelling:turnWaits') });
}
const TOLD_AGAIN_MS = 20_000;

/** Undo and redo in the queue of the acts: in their place among them, and kept like them. */
function useQueuedTurns(client: QueryClient, project: string, own: string | undefined, onTurned: (done: Done) => void) {
  const queue = useMemo(() => actQueue(project, client), [project, client]);
  const standing = useEdits(project).find((edit): edit is TurnEdit => isTurn(edit) && edit.state === 'conflict');
  useEffect(
    () =>
      queue.listen({
        onDone: (edit, answer) => {
          if (!isTurn(edit)) return;
          const turned = answer as Turned | Aim;
          const { documentIdentifier: document, turning: kind, found } = edit;
          if (!('aim' in turned)) {
            client.setQueryData(historyStateQuery(project, document, true).queryKey, nextOf(turned));
            onTurned({ kind, turned, found });
          }
          void client.invalidateQueries({ queryKey: historyKeys.of(project, document) });
          void client.invalidateQueries({ queryKey: historyKeys.of(project, '') });
        },
      }),
    [queue, client, project, onTurned],
  );
  const turn = useCallback(
    (kind: Turning, act?: string) => {
      const edit = turnEdit(kind, own, act);
      queue.add(edit);
      void whenSaved(project, own, tellWaiting);
    },
    [queue, own, project],
  );
  const decide = useCallback(
    (edit: TurnEdit, decision: Decision | undefined) => (decision === undefined ? queue.discard(edit) : queue.decideTurn(edit, decision)),
    [queue],
  );
  return { turn, standing, decide };
}

/** Does one after the other; what stands against it waits for a decision. */
function useTurning(client: QueryClient, project: string, own: string | undefined, acts?: OwnActs) {
  const [last, setLast] = useState<Turns['last']>(undefined);
  const [standing, setStanding] = useState<Standing | undefined>(undefined);
  const line = useRef<Promise<void>>(Promise.resolve());
  const queued = useQueuedTurns(client, project, own, setLast);
  const { turn } = queued;
  const run = useCallback(
    (asked: Asked, decided?: Wanted['decided']) => {
      if (acts === undefined && asked.kind !== 'restore') return turn(asked.kind, asked.act);
      // Pressed twice quickly, it is done twice, one after the other.
      line.current = line.current.then(async () => {
        try {
          await acts?.whenSaved();
          await whenSaved(project, decided?.document ?? own, tellWaiting);
          const { done, standing: against } = await turnAll(client, project, { asked, own, decided, acts });
          if (done !== undefined) setLast(done);
          if (against !== undefined) setStanding(against);
        } catch (error) {
          notifyFailure(error, 'history');
        }
        if (own === undefined) void client.invalidateQueries({ queryKey: historyKeys.of(project, '') });
      });
    },
    [client, project, own, acts, turn],
  );
  const decide = useCallback(
    (decision: Decision | undefined) => {
      if (queued.standing !== undefined) return queued.decide(queued.standing, decision);
      setStanding(undefined);
      if (decision !== undefined && standing !== undefined) run(standing.asked, { ...standing, decision });
    },
    [standing, run, queued],
  );
  return { last, conflicts: queued.standing?.conflicts ?? standing?.conflicts, run, decide };
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
