import { act, renderHook } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { ApiError } from '@/api/errors';
import { changedFields, mergedDraft, useVersionedDraft } from './versioned-draft';

const BASE = { label: 'Person', guideline: '', tags: ['a'] };

describe('two people change one label', () => {
  it('sends only changed fields', () => {
    expect(changedFields(BASE, { ...BASE, tags: ['a'] })).toEqual({});
    expect(changedFields(BASE, { ...BASE, guideline: 'Names of people' })).toEqual({ guideline: 'Names of people' });
  });

  it('merges both, and reports which fields both changed', () => {
    const mine = { ...BASE, label: 'Human', guideline: 'Mine' };
    const now = { ...BASE, guideline: 'Theirs', tags: ['b'] };
    expect(mergedDraft(BASE, mine, now)).toEqual({
      draft: { label: 'Human', guideline: 'Mine', tags: ['b'] },
      theirs: [
        { field: 'guideline', value: 'Theirs', mine: true },
        { field: 'tags', value: ['b'], mine: false },
      ],
    });
  });

  it('adopts what somebody else saved first; the draft is saved on top of it', () => {
    const draftOf = (row?: { readonly version?: number; readonly label?: string; readonly guideline?: string | null }) => ({
      label: row?.label ?? '',
      guideline: row?.guideline ?? '',
    });
    const { result } = renderHook(() => useVersionedDraft({ version: 1, label: 'Person' }, draftOf));
    act(() => result.current.change({ guideline: 'Typed with care' }));
    const refused = new ApiError(412, { message: 'changed', details: [{ current: { version: 4, label: 'Human', guideline: null } }] });
    act(() => expect(result.current.takeOver(refused)).toBe(true));
    expect(result.current).toMatchObject({
      version: 4,
      draft: { label: 'Human', guideline: 'Typed with care' },
      changed: { guideline: 'Typed with care' },
      theirs: [{ field: 'label', value: 'Human', mine: false }],
    });
    expect(result.current.takeOver(new ApiError(500, { message: 'broken' }))).toBe(false);
  });
});
