/**
 * Undo, redo and restore on one document, or undo and redo of the newest operation of the project. The server states what comes next, so it
 * is right after a reload and in every window. Waits for unsaved edits first; writes the changes into the cached document.
 */
import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import i18next from 'i18next';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { onLiveEvent } from '@/api/live-connection';
import {
  historyKeys,
  historyStateQuery,
  projectHistoryStateQuery,
  type ConflictDecision,
  type HistoryEntry,
  type NextHistoryOperation,
  type UndoConflict,
  type UndoDirection,
} from '@/api/resources/history';
import { notify } from '@/state/notifications-store';
import { editQueue } from './edit-queues';
import { editsOf, useEdits, useEditsStore } from './edits-store';
import { notifyUndoFailure, whisperNothingLeft } from './notify-undo-failure';
import { rememberOffer } from './restore-offers';
import { isUndoEdit, isUndoTarget, type AnswerOfEditKind, type UndoEdit } from '@/labelling-sync/edits/types';
import { newUndoEdit } from '@/labelling-sync/edits/undo-edits';
import {
  historyStateOf,
  performUndoGroup,
  whenSaved,
  type HistoryRequest,
  type HistoryResult,
  type UnqueuedEdits,
  type UnresolvedConflict,
  type HistoryRun,
} from './undo-redo';

export interface UndoRedo {
  readonly undo: NextHistoryOperation | undefined;
  readonly redo: NextHistoryOperation | undefined;
  /** Announced to screen readers after each undo or redo. */
  readonly last: HistoryResult | undefined;
  readonly conflicts: readonly UndoConflict[] | undefined;
  readonly undoOrRedo: (kind: UndoDirection) => void;
  /** Reports what was just done, with an undo action for exactly that operation. `ids`: what it created. */
  readonly notifyDone: (message: string, ids: readonly string[]) => void;
  readonly restore: (entry: HistoryEntry, whole: boolean) => void;
  /** Ends the conflict; undefined: cancels. */
  readonly decide: (decision: ConflictDecision | undefined) => void;
}

export type ProjectUndoRedo = Omit<UndoRedo, 'notifyDone' | 'restore'>;

const LABELLING = /annotation|categor|relation|labelling|document/i;

/** Refreshes the cached history after edits of any user. */
function useHistoryInvalidation(client: QueryClient, project: string, document: string | undefined): void {
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

/** Shown at most once per `NOTIFY_AGAIN_MS`: the undo follows when the edits are saved. */
let lastNotified = 0;
function notifyWaiting(): void {
  if (Date.now() - lastNotified < NOTIFY_AGAIN_MS) return;
  lastNotified = Date.now();
  notify({ type: 'info', message: i18next.t('labelling:turnWaits') });
}
const NOTIFY_AGAIN_MS = 20_000;

/** Undo and redo as edits of the queue: in order with the others, and stored like them. */
function useQueuedUndo(client: QueryClient, project: string, own: string | undefined, onTurned: (done: HistoryResult) => void) {
  const queue = useMemo(() => editQueue(project, client), [project, client]);
  const standing = useEdits(project).find((edit): edit is UndoEdit => isUndoEdit(edit) && edit.state === 'conflict');
  useEffect(
    () =>
      queue.listen({
        onDone: (edit, answer) => {
          if (!isUndoEdit(edit)) return;
          const result = answer as AnswerOfEditKind<'turn'>;
          const { documentIdentifier: document, turning: kind, found } = edit;
          if (!isUndoTarget(result)) {
            client.setQueryData(historyStateQuery(project, document, true).queryKey, historyStateOf(result));
            onTurned({ kind, result, found });
          }
          void client.invalidateQueries({ queryKey: historyKeys.of(project, document) });
          void client.invalidateQueries({ queryKey: historyKeys.of(project, '') });
        },
      }),
    [queue, client, project, onTurned],
  );
  const undoOrRedo = useCallback(
    (kind: UndoDirection, act?: string) => {
      const edit = newUndoEdit(kind, own, act);
      queue.add(edit);
      void whenSaved(project, own, notifyWaiting);
    },
    [queue, own, project],
  );
  const decide = useCallback(
    (edit: UndoEdit, decision: ConflictDecision | undefined) =>
      decision === undefined ? queue.discard(edit) : queue.decideUndo(edit, decision),
    [queue],
  );
  return { undoOrRedo, standing, decide };
}

/** Runs one request after the other; a conflict waits for a decision. */
function useHistoryRunner(client: QueryClient, project: string, own: string | undefined, unqueued?: UnqueuedEdits) {
  const [last, setLast] = useState<UndoRedo['last']>(undefined);
  const [standing, setStanding] = useState<UnresolvedConflict | undefined>(undefined);
  const line = useRef<Promise<void>>(Promise.resolve());
  const queued = useQueuedUndo(client, project, own, setLast);
  const { undoOrRedo } = queued;
  const run = useCallback(
    (request: HistoryRequest, decided?: HistoryRun['decided']) => {
      if (unqueued === undefined && request.kind !== 'restore') return undoOrRedo(request.kind, request.act);
      // Two quick key presses undo twice, one after the other.
      line.current = line.current.then(async () => {
        try {
          await unqueued?.whenSaved();
          await whenSaved(project, decided?.document ?? own, notifyWaiting);
          const { done, conflict: against } = await performUndoGroup(client, project, { request, own, decided, unqueued });
          if (done !== undefined) setLast(done);
          if (against !== undefined) setStanding(against);
        } catch (error) {
          notifyUndoFailure(error, request.kind);
        }
        if (own === undefined) void client.invalidateQueries({ queryKey: historyKeys.of(project, '') });
      });
    },
    [client, project, own, unqueued, undoOrRedo],
  );
  const decide = useCallback(
    (decision: ConflictDecision | undefined) => {
      if (queued.standing !== undefined) return queued.decide(queued.standing, decision);
      setStanding(undefined);
      if (decision !== undefined && standing !== undefined) run(standing.request, { ...standing, decision });
    },
    [standing, run, queued],
  );
  return { last, conflicts: queued.standing?.conflicts ?? standing?.conflicts, run, decide };
}

/**
 * Runs an undo or redo unless the server said that nothing is left: then says so instead of asking again. Not while edits wait, which come
 * first, or the answer is being fetched anew (`next` undefined).
 */
function runIfAnyLeft(
  project: string,
  next: { readonly undo?: unknown; readonly redo?: unknown } | undefined,
  kind: UndoDirection,
  run: (request: HistoryRequest) => void,
): void {
  if (next !== undefined && next[kind] === undefined && editsOf(project).length === 0) whisperNothingLeft(kind);
  else run({ kind });
}

/** For the screen of one document; `writable`: the user may change it. */
export function useUndoRedo(project: string, document: string, writable: boolean): UndoRedo {
  const client = useQueryClient();
  const { data, isFetching } = useQuery(historyStateQuery(project, document, writable));
  const { last, conflicts, run, decide } = useHistoryRunner(client, project, document);
  useHistoryInvalidation(client, project, document);

  const notifyDone = useCallback(
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
      undoOrRedo: (kind) => runIfAnyLeft(project, isFetching ? undefined : data, kind, run),
      notifyDone: (message, ids) => void notifyDone(message, ids).catch(() => notify({ type: 'success', message })),
      restore: (entry, whole) => run({ kind: 'restore', entry, whole }),
      decide,
    }),
    [project, data, isFetching, last, conflicts, run, decide, notifyDone],
  );
}

/** For screens with texts of many documents: undoes the user's newest operation of the project first. */
export function useProjectUndoRedo(project: string, writable: boolean, unqueued?: UnqueuedEdits): ProjectUndoRedo {
  const client = useQueryClient();
  const { data, isFetching } = useQuery(projectHistoryStateQuery(project, writable));
  const { last, conflicts, run, decide } = useHistoryRunner(client, project, undefined, unqueued);
  useHistoryInvalidation(client, project, undefined);
  const undoOrRedo = useCallback(
    // Edits outside of the queue may be unsaved: only the server knows what comes next.
    (kind: UndoDirection) => (unqueued === undefined ? runIfAnyLeft(project, isFetching ? undefined : data, kind, run) : run({ kind })),
    [project, data, isFetching, run, unqueued],
  );
  return useMemo(
    () => ({ undo: data?.undo, redo: data?.redo, last, conflicts, undoOrRedo, decide }),
    [data, last, conflicts, undoOrRedo, decide],
  );
}
