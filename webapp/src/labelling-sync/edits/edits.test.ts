import { describe, expect, it } from 'vitest';
import type { Annotation } from '@/api/resources/annotations';
import type { Span } from '@/annotation/model';
import { applyEdits, markSpans, savedState } from './apply';
import { asConflict, withEdit, withServerId } from './edit-list';
import { nextEdit } from './order';
import type { ChangeEdit, CreateEdit, LabellingEdit } from './types';

const KNOWN: Annotation = { identifier: '7', labelName: 'person', start: 0, end: 4, status: 'OK', version: 1 };
const change = (patch: ChangeEdit['patch'], state: ChangeEdit['state'] = 'saving'): ChangeEdit => ({
  kind: 'change',
  id: '7',
  documentIdentifier: 'd',
  patch,
  state,
  idempotencyKey: JSON.stringify(patch),
  version: 1,
});
const created: CreateEdit = {
  kind: 'create',
  id: 'local-1',
  documentIdentifier: 'd',
  state: 'saving',
  idempotencyKey: 'k',
  body: { documentIdentifier: 'd', start: 5, end: 8, text: 'abc', labelName: 'place', creationMode: 'manual', status: 'OK' },
};

describe('unfinished changes', () => {
  it('are shown on top of what the server said', () => {
    const { annotations, states } = applyEdits([KNOWN], [created, change({ status: 'KO' })]);
    expect(annotations.map(({ identifier, status }) => [identifier, status])).toEqual([
      ['7', 'KO'],
      ['local-1', 'OK'],
    ]);
    const spans = markSpans([{ id: 'local-1', status: 'confirmed' } as Span], states);
    expect(spans[0]?.status).toBe('saving');
  });

  it('hide what is being removed, and show it again when that fails', () => {
    const remove = (state: 'saving' | 'failed'): LabellingEdit => ({
      kind: 'remove',
      id: '7',
      documentIdentifier: 'd',
      state,
      idempotencyKey: 'r',
    });
    expect(applyEdits([KNOWN], [remove('saving')]).annotations).toEqual([]);
    expect(applyEdits([KNOWN], [remove('failed')]).states.get('7')).toBe('failed');
  });

  it('stay acts of their own, in order, and follow the name of their annotation', () => {
    const edits = withEdit([change({ labelName: 'place' })], change({ status: 'OK' }));
    expect(edits.map((edit) => (edit as ChangeEdit).patch)).toEqual([{ labelName: 'place' }, { status: 'OK' }]);
    expect(applyEdits([KNOWN], edits).annotations).toEqual([{ ...KNOWN, labelName: 'place', status: 'OK' }]);
    expect(withServerId([created, { ...change({}), id: 'local-1' }], 'local-1', '9', 1).map(({ id }) => id)).toEqual(['local-1', '9']);
  });

  it('become one act that waits for a decision when somebody else was first', () => {
    const first = change({ labelName: 'place' });
    const current = { ...KNOWN, status: 'KO', version: 2 };
    const edits = asConflict([first, created, change({ status: 'OK' })], first, current, 'new');
    expect(edits).toEqual([
      { ...first, patch: { labelName: 'place', status: 'OK' }, state: 'conflict', idempotencyKey: 'new', version: 2, current },
      created,
    ]);
    expect(nextEdit([...edits.slice(0, 1), change({ start: 1 }), created])).toBe(created);
  });

  it('decide what the toolbar says', () => {
    expect(savedState([])).toBe('saved');
    expect(savedState([created])).toBe('saving');
    expect(savedState([created], true)).toBe('offline');
    expect(savedState([created, change({}, 'conflict')])).toBe('failed');
  });
});
