// @vitest-environment node
import { describe, expect, it } from 'vitest';
import type { Annotation } from '@/api/resources/annotations';
import type { ChangeAnnotationEdit } from '@/labelling-sync/edits/types';
import { waiting } from '@/test/edit-queue-setup';
import { change, openQueuePage, retried } from '@/test/queue-page';

const page = openQueuePage();

describe('changed by somebody else', () => {
  const theirs: Annotation = { identifier: '7', labelName: 'place', start: 0, end: 3, version: 2 };

  it('asks, and takes theirs', async () => {
    page.server.annotations.set('7', theirs);
    page.queue.add(change('7', 'k1', { status: 'KO' }, 1));
    page.queue.add(change('7', 'k2', { labelName: 'date' }, 1));
    await retried();
    const [edit] = waiting() as ChangeAnnotationEdit[];
    expect(waiting()).toHaveLength(1);
    expect([edit?.state, edit?.patch, edit?.current]).toEqual(['conflict', { status: 'KO', labelName: 'date' }, theirs]);
    page.queue.takeCurrent(edit as ChangeAnnotationEdit);
    await retried();
    expect([waiting(), page.server.made, page.cache.annotations.get('7')]).toEqual([[], [], theirs]);
  });

  it('asks, and applies ours on top, also after a reload', async () => {
    page.server.annotations.set('7', theirs);
    page.queue.add(change('7', 'k1', { status: 'KO' }, 1));
    await retried();
    await page.reload();
    page.queue.applyMine(waiting()[0] as ChangeAnnotationEdit);
    await retried();
    expect(page.server.annotations.get('7')).toMatchObject({ labelName: 'place', status: 'KO', version: 3 });
    expect(waiting()).toEqual([]);
  });

  it('asks nothing when both changes are the same', async () => {
    page.server.annotations.set('7', theirs);
    page.queue.add(change('7', 'k1', { labelName: 'place' }, 1));
    await retried();
    expect([waiting(), page.server.made, page.cache.annotations.get('7')]).toEqual([[], [], theirs]);
  });

  it('our own earlier change is no conflict', async () => {
    page.server.annotations.set('7', { ...theirs, version: 1 });
    page.queue.add(change('7', 'k1', { status: 'KO' }, 1));
    page.queue.add(change('7', 'k2', { status: 'OK' }, 1));
    await retried();
    expect(page.server.annotations.get('7')).toMatchObject({ status: 'OK', version: 3 });
    expect(waiting()).toEqual([]);
  });
});
