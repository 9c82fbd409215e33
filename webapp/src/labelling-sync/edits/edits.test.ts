// @vitest-environment node
import { describe, expect, it } from 'vitest';
import type { Annotation } from '@/api/resources/annotations';
import type { Span } from '@/annotation/model';
import { applyEdits, markUnsavedSpans, savedState } from './apply';
import { mergeIntoConflictEdit, isAlreadyApplied, rebased, withEdit, withoutDiscarded, withoutEdit, withServerId } from './edit-list';
import { nextEdit } from './order';
import {
  isConflictable,
  isLocal,
  localId,
  type ChangeAnnotationEdit,
  type CreateAnnotationEdit,
  type EditState,
  type LabellingEdit,
} from './types';
import { newUndoEdit } from './undo-edits';

const KNOWN: Annotation = { identifier: '7', labelName: 'person', start: 0, end: 4, status: 'OK', version: 1 };
const change = (patch: ChangeAnnotationEdit['patch'], state: ChangeAnnotationEdit['state'] = 'saving'): ChangeAnnotationEdit => ({
  kind: 'change',
  id: '7',
  documentIdentifier: 'd',
  patch,
  state,
  idempotencyKey: JSON.stringify(patch),
  version: 1,
});
const created: CreateAnnotationEdit = {
  kind: 'create',
  id: 'local-1',
  documentIdentifier: 'd',
  state: 'saving',
  idempotencyKey: 'k',
  body: { documentIdentifier: 'd', start: 5, end: 8, text: 'abc', labelName: 'place', creationMode: 'manual', status: 'OK' },
};

describe('unsaved edits', () => {
  it('are shown on top of the state of the server', () => {
    const { annotations, states } = applyEdits([KNOWN], [created, change({ status: 'KO' })]);
    expect(annotations.map(({ identifier, status }) => [identifier, status])).toEqual([
      ['7', 'KO'],
      ['local-1', 'OK'],
    ]);
    const spans = markUnsavedSpans([{ id: 'local-1', status: 'confirmed' } as Span], states);
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

  it('stay separate edits, in order, and follow the id of their annotation', () => {
    const edits = withEdit([change({ labelName: 'place' })], change({ status: 'OK' }));
    expect(edits.map((edit) => (edit as ChangeAnnotationEdit).patch)).toEqual([{ labelName: 'place' }, { status: 'OK' }]);
    expect(applyEdits([KNOWN], edits).annotations).toEqual([{ ...KNOWN, labelName: 'place', status: 'OK' }]);
    expect(withServerId([created, { ...change({}), id: 'local-1' }], 'local-1', '9', 1).map(({ id }) => id)).toEqual(['local-1', '9']);
  });

  it('become one edit that waits for a decision when somebody else was first', () => {
    const first = change({ labelName: 'place' });
    const current = { ...KNOWN, status: 'KO', version: 2 };
    const edits = mergeIntoConflictEdit([first, created, change({ status: 'OK' })], first, current, 'new');
    expect(edits).toEqual([
      { ...first, patch: { labelName: 'place', status: 'OK' }, state: 'conflict', idempotencyKey: 'new', version: 2, current },
      created,
    ]);
    expect(nextEdit([...edits.slice(0, 1), change({ start: 1 }), created])).toBe(created);
  });

  it('determine the state shown in the toolbar', () => {
    expect(savedState([])).toBe('saved');
    expect(savedState([created])).toBe('saving');
    expect(savedState([created], true)).toBe('offline');
    expect(savedState([created, change({}, 'conflict')])).toBe('failed');
  });
});

const PLACE = { documentIdentifier: 'd', state: 'saving', version: 1 } as const;
const anEdit = (kind: LabellingEdit['kind'], id: string, more: object = {}): LabellingEdit =>
  ({ ...PLACE, kind, id, idempotencyKey: `${kind} ${id}`, ...more }) as LabellingEdit;

describe('how an unsaved edit is shown', () => {
  it('shows a restored annotation once, in its former state', () => {
    const restore = anEdit('restore', '7', { annotation: KNOWN });
    expect(applyEdits([], [restore]).annotations).toEqual([KNOWN]);
    expect(applyEdits([KNOWN], [restore]).annotations).toEqual([KNOWN]);
    expect(applyEdits([], [anEdit('restore', '7')]).annotations).toEqual([]);
    const other = change({ status: 'KO' });
    expect(applyEdits([], [{ ...other, annotation: KNOWN } as LabellingEdit]).annotations).toEqual([]);
    expect(applyEdits([], [restore, other]).annotations.map(({ status }) => status)).toEqual(['KO']);
  });

  it('removes and changes only the annotation it refers to', () => {
    const second = { ...KNOWN, identifier: '8' };
    expect(applyEdits([KNOWN, second], [anEdit('remove', '7')])).toEqual({ annotations: [second], states: new Map() });
    const { annotations, states } = applyEdits([KNOWN, second], [change({ labelName: 'place' })]);
    expect(annotations).toEqual([{ ...KNOWN, labelName: 'place' }, second]);
    expect(states).toEqual(new Map([['7', 'saving']]));
    const conflict = anEdit('remove', '7', { state: 'conflict' });
    expect(applyEdits([KNOWN], [conflict])).toEqual({ annotations: [KNOWN], states: new Map([['7', 'conflict']]) });
  });

  it('does not affect annotations for edits of categories and relations', () => {
    const others = (['category', 'decideCategory', 'dropCategory', 'link', 'changeLink', 'unlink', 'restoreLink'] as const).map((kind) =>
      anEdit(kind, '7', { body: {}, patch: { status: 'KO' } }),
    );
    expect(applyEdits([KNOWN], others)).toEqual({ annotations: [KNOWN], states: new Map() });
  });

  it('still shows a failed change while a later one of the same annotation is sent', () => {
    const states = (...all: EditState[]) =>
      applyEdits(
        [KNOWN],
        all.map((state, at) => ({ ...change({}, state), idempotencyKey: String(at) })),
      ).states.get('7');
    expect(states('failed', 'saving')).toBe('failed');
    expect(states('saving', 'failed')).toBe('failed');
    expect(states('saving', 'conflict')).toBe('conflict');
  });

  it('shows a new annotation as sent and without a version', () => {
    expect(applyEdits([], [created]).annotations).toEqual([{ ...created.body, identifier: 'local-1', version: 0 }]);
    expect(applyEdits([KNOWN], [])).toEqual({ annotations: [KNOWN], states: new Map() });
  });

  it('marks the affected spans and leaves everything else of them unchanged', () => {
    const spans = ['1', '2', '3', '4'].map((id) => ({ id, status: 'confirmed', start: Number(id), label: 'x' }) as unknown as Span);
    const states = new Map<string, EditState>([
      ['1', 'saving'],
      ['2', 'failed'],
      ['3', 'conflict'],
    ]);
    expect(markUnsavedSpans(spans, states)).toEqual([
      { ...spans[0], status: 'saving' },
      { ...spans[1], status: 'failed' },
      { ...spans[2], status: 'failed' },
      spans[3],
    ]);
    expect(markUnsavedSpans(spans, new Map())).toBe(spans);
  });
});

describe('the order of sending', () => {
  it('sends the oldest first, and after a refused edit those of other objects', () => {
    const second = anEdit('change', '8', { patch: {} });
    expect(nextEdit([])).toBeUndefined();
    expect(nextEdit([change({}), second])).toMatchObject({ id: '7' });
    expect(nextEdit([change({}, 'failed'), second])).toBe(second);
    expect(nextEdit([change({}, 'failed'), change({ status: 'OK' })])).toMatchObject({ patch: { status: 'OK' } });
    expect(nextEdit([change({}, 'conflict'), change({ status: 'OK' }), second])).toBe(second);
    expect(nextEdit([change({}, 'conflict'), change({ status: 'OK' })])).toBeUndefined();
  });

  it.each(['create', 'category', 'link'] as const)('lets edits that follow a %s wait for its id, permanently when it failed', (kind) => {
    const make = (state: EditState) => anEdit(kind, 'local-1', { state, body: { source: '1', target: '2' } });
    const follow = anEdit('change', 'local-1', { patch: {} });
    const known = anEdit('change', '8', { patch: {} });
    expect(nextEdit([make('saving'), follow])).toMatchObject({ kind });
    expect(nextEdit([follow, known])).toBe(known);
    expect(nextEdit([make('failed'), { ...make('saving'), idempotencyKey: 'again' }, known])).toBe(known);
  });

  it('sends a relation after both of its ends have server ids', () => {
    const link = (source: string, target: string) => anEdit('link', 'local-9', { body: { name: 'n', source, target } });
    expect(nextEdit([link('local-1', '2'), change({})])).toMatchObject({ id: '7' });
    expect(nextEdit([link('1', 'local-2')])).toBeUndefined();
    expect(nextEdit([link('1', '2')])).toMatchObject({ kind: 'link' });
  });

  it('sends an undo after earlier edits, and later edits after the undo', () => {
    const undo = newUndoEdit('undo', 'd');
    const elsewhere = anEdit('change', '8', { documentIdentifier: 'other', patch: {} });
    const waiting = anEdit('change', 'local-1', { patch: {} });
    expect(nextEdit([waiting, undo])).toBeUndefined();
    expect(nextEdit([waiting, undo, elsewhere])).toBe(elsewhere);
    expect(nextEdit([change({}, 'failed'), undo])).toBe(undo);
    expect(nextEdit([{ ...undo, state: 'failed' }, change({})])).toMatchObject({ id: '7' });
  });
});

describe('the edit list', () => {
  it('has one entry per edit, in order', () => {
    const [first, second] = [change({ start: 1 }), change({ start: 2 })];
    expect(withEdit([first, second], { ...first, state: 'failed' })).toEqual([{ ...first, state: 'failed' }, second]);
    expect(withEdit([first], second)).toEqual([first, second]);
    expect(withoutEdit([first, second], first.idempotencyKey)).toEqual([second]);
    expect(withoutEdit([first], 'unknown')).toEqual([first]);
  });

  it('discards with a creation the edits that depend on it, and otherwise only the edit itself', () => {
    const follow = anEdit('change', 'local-1', { patch: {} });
    const linked = anEdit('link', 'local-2', { body: { name: 'n', source: '7', target: 'local-1' } });
    const edits = [created, follow, linked, change({})];
    expect(withoutDiscarded(edits, created)).toEqual([change({})]);
    expect(withoutDiscarded(edits, follow)).toEqual([created, linked, change({})]);
    expect(withoutDiscarded([change({ start: 1 }), change({})], change({ start: 1 }))).toEqual([change({})]);
    expect(withoutDiscarded(edits, linked)).toEqual([created, follow, change({})]);
  });

  it('takes over the id and version of the server, except in the edit that created the object', () => {
    const follow = anEdit('change', 'local-1', { patch: { status: 'OK' } });
    const linked = anEdit('link', 'local-2', { body: { name: 'n', source: 'local-1', target: '7' } });
    expect(withServerId([created, follow, linked, change({})], 'local-1', '9', 4)).toEqual([
      created,
      { ...follow, id: '9', version: 4 },
      { ...linked, body: { name: 'n', source: '9', target: '7' } },
      change({}),
    ]);
  });

  it('is rebased on the new version where it was based on the old one', () => {
    const other = anEdit('change', '8', { patch: {} });
    const newer = { ...change({ start: 1 }), version: 3 };
    expect(rebased([change({}), other, newer], '7', 1, 2)).toEqual([{ ...change({}), version: 2 }, other, newer]);
    expect(rebased([{ ...change({}), version: undefined }], '7', undefined, 2)).toMatchObject([{ version: 2 }]);
  });

  it('distinguishes local ids from those of the server', () => {
    expect(localId('k')).toBe('local-k');
    expect([isLocal(localId('k')), isLocal('7'), isLocal('x-local-7')]).toEqual([true, false, false]);
  });
});

describe('conflicts', () => {
  it('are possible only where an existing object is changed', () => {
    const kinds = ['change', 'remove', 'changeLink', 'unlink', 'create', 'restore', 'restoreLink', 'link', 'category'] as const;
    expect(kinds.filter((kind) => isConflictable(anEdit(kind, '7')))).toEqual(['change', 'remove', 'changeLink', 'unlink']);
    expect(isConflictable(anEdit('decideCategory', '7')) || isConflictable(anEdit('dropCategory', '7'))).toBe(false);
  });

  it('turn changes that end in a removal into one, in place of the refused edit', () => {
    const first = change({ labelName: 'place' });
    const remove = anEdit('remove', '7') as ChangeAnnotationEdit;
    const current = { ...KNOWN, version: 2 };
    const base = { id: '7', documentIdentifier: 'd', state: 'conflict', idempotencyKey: 'new', version: 2, current };
    expect(mergeIntoConflictEdit([created, first, remove], first, current, 'new')).toEqual([created, { ...base, kind: 'remove' }]);
    expect(mergeIntoConflictEdit([first, created, remove], remove, current, 'new')).toEqual([created, { ...base, kind: 'remove' }]);
  });

  it('leave edits of other objects, and of a relation with the same id, alone', () => {
    const link = anEdit('changeLink', '7', { patch: { name: 'n' } }) as ChangeAnnotationEdit;
    const unlink = anEdit('unlink', '7');
    const other = anEdit('change', '8', { patch: {} });
    const restore = anEdit('restore', '7');
    const all = [change({ start: 1 }), link, other, unlink, restore];
    const current = { ...KNOWN, version: 2 };
    expect(mergeIntoConflictEdit(all, change({ start: 1 }), current, 'new').map(({ kind }) => kind)).toEqual([
      'change',
      'changeLink',
      'change',
      'unlink',
      'restore',
    ]);
    expect(mergeIntoConflictEdit(all, link, current, 'new').map(({ kind }) => kind)).toEqual(['change', 'unlink', 'change', 'restore']);
  });

  it('need no decision when the state is already as requested', () => {
    const current = { ...KNOWN, properties: { a: [1] } } as Annotation;
    expect(isAlreadyApplied(current, {})).toBe(true);
    expect(isAlreadyApplied(current, { status: 'OK', labelName: 'person' })).toBe(true);
    expect(isAlreadyApplied(current, { status: 'OK', labelName: 'place' })).toBe(false);
    expect(isAlreadyApplied(current, { properties: { a: [1] } } as ChangeAnnotationEdit['patch'])).toBe(true);
    expect(isAlreadyApplied(current, { score: null } as unknown as ChangeAnnotationEdit['patch'])).toBe(true);
    expect(isAlreadyApplied(current, { score: 1 } as unknown as ChangeAnnotationEdit['patch'])).toBe(false);
  });
});
