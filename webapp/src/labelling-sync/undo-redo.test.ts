// @vitest-environment node
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { LabellingEdit } from '@/labelling-sync/edits/types';
import { useEditsStore } from './edits-store';
import { whenSaved } from './undo-redo';

const edit = (documentIdentifier: string, state: LabellingEdit['state']): LabellingEdit => ({
  kind: 'remove',
  id: '1',
  documentIdentifier,
  version: 1,
  idempotencyKey: 'k',
  state,
});
const hold = (...edits: LabellingEdit[]) => useEditsStore.getState().update('press', () => edits);

describe('undo waits for unsaved edits', () => {
  afterEach(() => {
    vi.useRealTimers();
    useEditsStore.getState().clear();
  });

  it('continues immediately when no edit of the document is unsaved', async () => {
    hold(edit('other', 'saving'), edit('d1', 'failed'));
    const onWait = vi.fn();
    await whenSaved('press', 'd1', onWait);
    expect(onWait).not.toHaveBeenCalled();
  });

  it('waits while the server is unreachable, however long, and reports it', async () => {
    vi.useFakeTimers();
    useEditsStore.getState().setOffline('press', true);
    hold(edit('d1', 'saving'));
    const onWait = vi.fn();
    const saved = vi.fn();
    const waiting = whenSaved('press', 'd1', onWait).then(saved);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(onWait).toHaveBeenCalledTimes(1);
    expect(saved).not.toHaveBeenCalled();
    hold();
    await waiting;
    expect(saved).toHaveBeenCalledTimes(1);
  });
});
