/** Undo and redo, one operation at a time: the requests to the server, and how the responses change the cached data. */
import type { QueryClient } from '@tanstack/react-query';
import { newKey } from '@/api/idempotency';
import { LabellingCache } from '@/api/labelling-cache';
import {
  undoConflictsFromError,
  historyKeys,
  historyStateQuery,
  projectHistoryStateQuery,
  restoreEntry,
  undoOrRedo,
  type ConflictDecision,
  type HistoryEntry,
  type ProjectUndo,
  type UndoConflict,
  type UndoResult,
  type UndoDirection,
} from '@/api/resources/history';
import { editsOf, useEditsStore } from './edits-store';
import { notifyUndoFailure } from './notify-undo-failure';
import { applyUndoResult } from './undo-result';

const NOTIFY_WAIT_AFTER_MS = 3000;

export type HistoryRequest =
  | { readonly kind: UndoDirection; readonly act?: string }
  | { readonly kind: 'restore'; readonly entry: HistoryEntry; readonly whole: boolean };

/** The result of the last request. */
export interface HistoryResult {
  readonly kind: HistoryRequest['kind'];
  readonly result: UndoResult;
  /** Set when the operation was looked up in the whole project. */
  readonly found?: ProjectUndo | undefined;
}

/** For screens whose edits do not go through the labelling queue. */
export interface UnqueuedEdits {
  /** Resolves when none of them is unsaved. */
  readonly whenSaved: () => Promise<unknown>;
  /** Identifiers of what one key press created: they are undone and redone together. */
  readonly together: (identifier: string) => ReadonlySet<string>;
}

/**
 * Resolves when no edit of the document (undefined: of the project) is unsaved. Calls `onWait` once when that takes long, or when the last
 * request did not reach the server.
 */
export function whenSaved(project: string, document: string | undefined, onWait: () => void): Promise<void> {
  const busy = () =>
    editsOf(project).some((edit) => (document === undefined || edit.documentIdentifier === document) && edit.state === 'saving');
  if (!busy()) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(onWait, useEditsStore.getState().offline.has(project) ? 0 : NOTIFY_WAIT_AFTER_MS);
    const stop = useEditsStore.subscribe(() => {
      if (busy()) return;
      clearTimeout(timer);
      stop();
      resolve();
    });
  });
}

async function sendRequest(
  project: string,
  document: string,
  request: HistoryRequest,
  decision: ConflictDecision | undefined,
): Promise<UndoResult> {
  if (request.kind === 'restore')
    return restoreEntry(project, document, request.entry.identifier, { whole: request.whole, decision, key: newKey() });
  const body = { ...(request.act !== undefined && { act: request.act }), ...(decision !== undefined && { decision }) };
  return undoOrRedo(project, document, request.kind, body, newKey());
}

interface UndoLocation {
  readonly document: string;
  readonly request: HistoryRequest;
  readonly found?: ProjectUndo;
}

/** Looks up the document and operation to undo or redo; undefined: there is nothing to do. */
async function findUndoLocation(client: QueryClient, project: string, { kind }: HistoryRequest): Promise<UndoLocation | undefined> {
  if (kind === 'restore') return undefined;
  const state = await client.fetchQuery({ ...projectHistoryStateQuery(project, true), staleTime: 0 });
  const found = state[kind];
  return found && { document: found.documentIdentifier, request: { kind, act: found.act }, found };
}

export interface UnresolvedConflict extends UndoLocation {
  readonly conflicts: readonly UndoConflict[];
}

const NO_GROUP: ReadonlySet<string> = new Set();

/** Undoes or redoes one operation and writes the changes into the cache. */
async function performUndoStep(
  client: QueryClient,
  project: string,
  own: string | undefined,
  { document, request }: UndoLocation,
  decision?: ConflictDecision,
): Promise<UndoResult> {
  try {
    const turned = await sendRequest(project, document, request, decision);
    applyUndoResult(new LabellingCache(client, project), document, turned);
    if (own !== undefined) client.setQueryData(historyStateQuery(project, document, true).queryKey, historyStateOf(turned));
    return turned;
  } finally {
    void client.invalidateQueries({ queryKey: historyKeys.of(project, document) });
  }
}

const undoGroupOf = (place: UndoLocation | undefined, unqueued: UnqueuedEdits | undefined): ReadonlySet<string> =>
  (place?.found && unqueued?.together(place.found.entry.entityIdentifier)) ?? NO_GROUP;

/** The next operation, if it belongs to the group. */
async function nextUndoInGroup(
  client: QueryClient,
  project: string,
  wanted: HistoryRequest,
  group: ReadonlySet<string>,
): Promise<UndoLocation | undefined> {
  if (group.size < 2) return undefined;
  const next = await findUndoLocation(client, project, wanted);
  return next?.found !== undefined && group.has(next.found.entry.entityIdentifier) ? next : undefined;
}

export interface HistoryRun {
  readonly request: HistoryRequest;
  /** The document of the screen; undefined: any of the project. */
  readonly own: string | undefined;
  readonly decided: (UndoLocation & { readonly decision: ConflictDecision }) | undefined;
  readonly unqueued: UnqueuedEdits | undefined;
}

export interface HistoryRunOutcome {
  readonly done: HistoryResult | undefined;
  readonly conflict?: UnresolvedConflict | undefined;
}

/** Undoes or redoes the operations of one key press one by one; stops at the first conflict. */
export async function performUndoGroup(
  client: QueryClient,
  project: string,
  { request, own, decided, unqueued }: HistoryRun,
): Promise<HistoryRunOutcome> {
  let place: UndoLocation | undefined =
    decided ?? (own === undefined ? await findUndoLocation(client, project, request) : { document: own, request });
  const group = undoGroupOf(place, unqueued);
  let done: HistoryResult | undefined;
  while (place !== undefined) {
    const here: UndoLocation = place;
    try {
      const turned = await performUndoStep(client, project, own, here, decided?.decision);
      done = { kind: request.kind, result: mergeResults(done?.result, turned), found: done?.found ?? here.found };
      place = await nextUndoInGroup(client, project, request, group);
    } catch (error) {
      const conflicts = undoConflictsFromError(error);
      if (conflicts === undefined) notifyUndoFailure(error, request.kind);
      return { done, conflict: conflicts && { ...here, conflicts } };
    }
  }
  return { done };
}

/** Combines the results of several operations; what comes next is taken from the last one. */
function mergeResults(before: UndoResult | undefined, { changed, ...turned }: UndoResult): UndoResult {
  const both = (part: 'removed' | 'suggestions') => [...(before?.[part] ?? []), ...(turned[part] ?? [])];
  return { ...turned, changed: changed + (before?.changed ?? 0), removed: both('removed'), suggestions: both('suggestions') };
}

/** What comes next after an undo or redo. */
export const historyStateOf = ({ undo, redo }: UndoResult) => ({ ...(undo && { undo }), ...(redo && { redo }) });
