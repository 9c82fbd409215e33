import { describe, expect, it } from 'vitest';
import { assignHotkeys, keyAction } from './keys';
import type { KeyPress, KeyState } from './keys';

const state: KeyState = {
  direction: 'ltr',
  hasSelection: false,
  hasFocus: false,
  hasCaret: false,
  readOnly: false,
  released: false,
  hotkeys: new Map([
    ['1', 'person'],
    ['p', 'group'],
    ['y', 'year'],
  ]),
};
const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...more,
});

describe('keyAction', () => {
  it.each<[string, KeyPress, Partial<KeyState>, unknown]>([
    ['right moves on', press('ArrowRight'), {}, { do: 'caret', step: 'next', select: false }],
    ['right goes back in Arabic', press('ArrowRight'), { direction: 'rtl' }, { do: 'caret', step: 'previous', select: false }],
    ['Shift selects', press('ArrowLeft', { shiftKey: true }), {}, { do: 'caret', step: 'previous', select: true }],
    ['Tab goes to the next span', press('Tab'), {}, { do: 'span', step: 'next' }],
    ['Tab leaves after Escape', press('Tab'), { released: true }, undefined],
    ['Escape dismisses', press('Escape'), { hasSelection: true }, { do: 'escape' }],
    ['Escape lets go', press('Escape'), {}, { do: 'release' }],
    ['Shift Up goes outwards', press('ArrowUp', { shiftKey: true }), { hasFocus: true }, { do: 'outward' }],
    ['a digit labels the selection', press('1'), { hasSelection: true }, { do: 'label', label: 'person' }],
    ['a letter labels', press('P'), { hasSelection: true }, { do: 'label', label: 'group' }],
    ['Y accepts a focused span even when it is a hotkey', press('y'), { hasFocus: true }, { do: 'accept' }],
    ['Y is a hotkey on a selection', press('y'), { hasSelection: true, hasFocus: true }, { do: 'label', label: 'year' }],
    ['N rejects', press('N'), { hasFocus: true }, { do: 'reject' }],
    ['Delete removes', press('Delete'), { hasFocus: true }, { do: 'remove' }],
    ['Enter edits', press('Enter'), { hasFocus: true }, { do: 'edit', query: '' }],
    ['typing after selecting filters', press('o'), { hasSelection: true }, { do: 'edit', query: 'o' }],
    ['nothing to label', press('1'), {}, undefined],
    ['read-only keeps moving', press('ArrowRight'), { readOnly: true }, { do: 'caret', step: 'next', select: false }],
    ['read-only does not label', press('1'), { readOnly: true, hasSelection: true }, undefined],
    ['Alt belongs to the page', press('ArrowRight', { altKey: true }), {}, undefined],
    ['undo belongs to the page', press('z', { ctrlKey: true }), { hasFocus: true }, undefined],
  ])('%s', (_name, key, more, expected) => {
    expect(keyAction(key, { ...state, ...more })).toEqual(expected);
  });
});

describe('assignHotkeys', () => {
  it('keeps given keys, then numbers in order, never past 9', () => {
    const labels = [
      { name: 'a' },
      { name: 'b', hotkey: '1' },
      { name: 'c', hotkey: 'P' },
      ...Array.from({ length: 12 }, (_, n) => ({ name: `n${String(n)}` })),
    ];
    const keys = assignHotkeys(labels);
    expect([keys.get('1'), keys.get('2'), keys.get('p'), keys.get('3'), keys.get('9'), keys.size]).toEqual(['b', 'a', 'c', 'n0', 'n6', 10]);
  });
});
