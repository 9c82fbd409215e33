import i18next from 'i18next';
import { ApiError, notifyFailure } from '@/api/errors';
import type { UndoDirection } from '@/api/resources/history';
import { messageCodeOf } from '@/api/server-messages';
import { notify } from '@/state/notifications-store';

/** Code of the server's message that nothing is left to undo or redo. */
const NOTHING_LEFT = 'none.turn';

/** Undo and redo are keys that people press until nothing happens: the end is no failure. */
export function whisperNothingLeft(kind: UndoDirection): void {
  notify({ type: 'info', message: i18next.t(`labelling:nothingTo.${kind}`), passing: true });
}

const isNothingLeft = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.body !== null &&
  typeof error.body === 'object' &&
  messageCodeOf(error.body, 'message') === NOTHING_LEFT;

/** Reports a failed undo, redo or restore. */
export function notifyUndoFailure(error: unknown, kind: UndoDirection | 'restore'): void {
  if (kind !== 'restore' && isNothingLeft(error)) whisperNothingLeft(kind);
  else notifyFailure(error, 'history');
}
