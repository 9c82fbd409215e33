// @vitest-environment node
import { describe, expect, it } from 'vitest';
import type { Relation } from '@/api/resources/relations';
import { applyRelationEdits } from './apply';
import { withoutDiscarded, withServerId } from './edit-list';
import { nextEdit } from './order';
import type { CreateAnnotationEdit, LabellingEdit, CreateRelationEdit } from './types';

const KNOWN: Relation = { identifier: 'r1', version: 1, name: 'causes', source: '1', target: '2' };
const base = { documentIdentifier: 'd', state: 'saving' } as const;
const link = (source: string, target: string, id = 'local-link'): CreateRelationEdit => ({
  ...base,
  kind: 'link',
  id,
  idempotencyKey: id,
  body: { documentIdentifier: 'd', name: 'causes', source, target },
});
const created: CreateAnnotationEdit = {
  ...base,
  kind: 'create',
  id: 'local-1',
  idempotencyKey: 'k',
  body: { documentIdentifier: 'd', start: 5, end: 8, text: 'abc', labelName: 'place', creationMode: 'manual', status: 'OK' },
};

describe('unsaved edits of relations', () => {
  it('are shown on top of the state of the server', () => {
    const edits: LabellingEdit[] = [
      link('2', '3'),
      { ...base, kind: 'changeLink', id: 'r1', idempotencyKey: 'c', patch: { source: '2', target: '1' } },
    ];
    const { relations, states } = applyRelationEdits([KNOWN], edits);
    expect(relations.map(({ identifier, source, target }) => [identifier, source, target])).toEqual([
      ['r1', '2', '1'],
      ['local-link', '2', '3'],
    ]);
    expect([...states]).toEqual([
      ['local-link', 'saving'],
      ['r1', 'saving'],
    ]);
  });

  it('hide what is being removed, and show it again when that is refused', () => {
    const unlink = (state: 'saving' | 'failed'): LabellingEdit => ({ ...base, kind: 'unlink', id: 'r1', idempotencyKey: 'u', state });
    expect(applyRelationEdits([KNOWN], [unlink('saving')]).relations).toEqual([]);
    expect(applyRelationEdits([KNOWN], [unlink('failed')])).toEqual({ relations: [KNOWN], states: new Map([['r1', 'failed']]) });
  });

  it('wait for ends without a server id, and take over their ids', () => {
    const waiting = link('local-1', '2');
    expect(nextEdit([waiting])).toBeUndefined();
    expect(nextEdit([created, waiting])).toBe(created);
    const after = withServerId([waiting], 'local-1', '9', 1);
    expect(after).toEqual([link('9', '2')]);
    expect(nextEdit(after)).toBe(after[0]);
  });

  it('are discarded together with the annotation they refer to', () => {
    expect(withoutDiscarded([created, link('local-1', '2'), link('3', '2', 'other')], created)).toEqual([link('3', '2', 'other')]);
  });
});
