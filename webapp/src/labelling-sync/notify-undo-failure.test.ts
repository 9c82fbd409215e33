/** Undo is pressed until nothing happens: its end is said quietly, a failure is reported. */
import { beforeEach, describe, expect, it } from 'vitest';
import { ApiError } from '@/api/errors';
import { isWhisper, useNotificationsStore } from '@/state/notifications-store';
import { startTestI18n } from '@/test/render';
import { notifyUndoFailure } from './notify-undo-failure';

const notices = () => useNotificationsStore.getState().items;
const refused = (code: string) =>
  new ApiError(409, {
    message: 'There is nothing to undo on this document',
    said: { message: { code, values: { what: 'undo' } } },
  } as never);

beforeEach(async () => {
  await startTestI18n();
  useNotificationsStore.setState({ items: [] });
});

describe('a refused undo', () => {
  it.each([
    ['undo', 'Nothing to undo'],
    ['redo', 'Nothing to redo'],
  ] as const)('%s with nothing left is one quiet line, which is not repeated', (kind, message) => {
    notifyUndoFailure(refused('none.turn'), kind);
    notifyUndoFailure(refused('none.turn'), kind);
    expect(notices()).toMatchObject([{ type: 'info', message, passing: true }]);
    expect(notices().every(isWhisper)).toBe(true);
  });

  it.each([
    ['another refusal', refused('other.code'), 'undo'],
    ['a restore, which names what it restores', refused('none.turn'), 'restore'],
    ['a server that does not answer', new ApiError(503, null, 'Busy'), 'redo'],
  ] as const)('%s is reported as an error', (_name, error, kind) => {
    notifyUndoFailure(error, kind);
    expect(notices()).toMatchObject([{ type: 'error' }]);
    expect(notices().some(isWhisper)).toBe(false);
  });
});
