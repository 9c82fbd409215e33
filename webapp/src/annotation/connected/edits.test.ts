import { describe, expect, it } from 'vitest';
import type { Annotation } from '@/api/resources/annotations';
import type { Span } from '../model';
import { applyEdits, markSpans, renamed, savedState, withEdit, type ChangeEdit, type CreateEdit, type LabellingEdit } from './edits';

const KNOWN: Annotation = { identifier: '7', labelName: 'person', start: 0, end: 4, status: 'OK', version: 1 };
const change = (patch: ChangeEdit['patch'], state: ChangeEdit['state'] = 'saving'): ChangeEdit => ({
  kind: 'change',
  id: '7',
  documentIdentifier: 'd',
  patch,
  state,
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
    const remove = (state: 'saving' | 'failed'): LabellingEdit => ({ kind: 'remove', id: '7', documentIdentifier: 'd', state });
    expect(applyEdits([KNOWN], [remove('saving')]).annotations).toEqual([]);
    expect(applyEdits([KNOWN], [remove('failed')]).states.get('7')).toBe('failed');
  });

  it('join when they concern the same annotation, and follow its name', () => {
    const edits = withEdit([change({ labelName: 'place' })], change({ status: 'OK' }));
    expect(edits).toHaveLength(1);
    expect((edits[0] as ChangeEdit).patch).toEqual({ labelName: 'place', status: 'OK' });
    expect(renamed([{ ...change({}), id: 'local-1' }, created], 'local-1', '9').map(({ id }) => id)).toEqual(['9', 'local-1']);
  });

  it('decide what the toolbar says', () => {
    expect(savedState([])).toBe('saved');
    expect(savedState([created])).toBe('saving');
    expect(savedState([created, change({}, 'conflict')])).toBe('failed');
  });
});
