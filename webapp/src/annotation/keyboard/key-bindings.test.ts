// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { press } from '@/test/key-press';
import { keyCollisions } from '@/ui/command-registry';
import { assignHotkeys, BINDINGS, labelOfHotkeyPress, actionOfKeyPress, chordInTextDirection } from './key-bindings';
import type { KeyPress, SurfaceKeyState } from './key-bindings';

const state: SurfaceKeyState = {
  direction: 'ltr',
  hasSelection: false,
  hasFocus: false,
  hasCaret: false,
  readOnly: false,
  resizing: false,
  released: false,
  hotkeys: new Map([
    ['1', 'person'],
    ['p', 'group'],
    ['y', 'year'],
  ]),
};

describe('actionOfKeyPress', () => {
  it.each<[string, KeyPress, Partial<SurfaceKeyState>, unknown]>([
    ['right moves on', press('ArrowRight'), {}, { do: 'move', unit: 'word', forward: true, select: false }],
    ['right goes back in Arabic', press('ArrowRight'), { direction: 'rtl' }, { do: 'move', unit: 'word', forward: false, select: false }],
    ['Shift selects', press('ArrowLeft', { shiftKey: true }), {}, { do: 'move', unit: 'word', forward: false, select: true }],
    ['Tab goes to the next span', press('Tab'), {}, { do: 'span', forward: true }],
    ['Tab leaves after Escape', press('Tab'), { released: true }, undefined],
    ['Escape dismisses', press('Escape'), { hasSelection: true }, { do: 'escape' }],
    ['Escape lets go', press('Escape'), {}, { do: 'release' }],
    ['Shift Up goes outwards', press('ArrowUp', { shiftKey: true }), { hasFocus: true }, { do: 'outward' }],
    [
      'Shift Up selects where nothing is in focus',
      press('ArrowUp', { shiftKey: true }),
      {},
      { do: 'move', unit: 'line', forward: false, select: true },
    ],
    ['Ctrl moves by character', press('ArrowRight', { ctrlKey: true }), {}, { do: 'move', unit: 'grapheme', forward: true, select: false }],
    [
      'Ctrl Down goes to the next sentence',
      press('ArrowDown', { metaKey: true }),
      {},
      { do: 'move', unit: 'sentence', forward: true, select: false },
    ],
    ['Home goes to the start of the sentence', press('Home'), {}, { do: 'move', unit: 'sentenceEnd', forward: false, select: false }],
    [
      'Shift Page down selects a page',
      press('PageDown', { shiftKey: true }),
      {},
      { do: 'move', unit: 'page', forward: true, select: true },
    ],
    [
      'Ctrl Shift End selects to the end',
      press('End', { ctrlKey: true, shiftKey: true }),
      {},
      { do: 'move', unit: 'document', forward: true, select: true },
    ],
    ['Shift Tab goes back', press('Tab', { shiftKey: true }), {}, { do: 'span', forward: false }],
    ['the space bar cycles', press(' '), {}, { do: 'cycle' }],
    ['E links a term where there are lexicons', press('e'), { hasFocus: true, takesTerms: true }, { do: 'terms', act: 'link' }],
    ['Shift E changes it', press('E', { shiftKey: true }), { hasFocus: true, takesTerms: true }, { do: 'terms', act: 'change' }],
    ['U unlinks it', press('u'), { hasFocus: true, takesTerms: true }, { do: 'terms', act: 'unlink' }],
    ['E does nothing without lexicons', press('e'), { hasFocus: true }, undefined],
    ['E is no key of a read-only text', press('e'), { hasFocus: true, takesTerms: true, readOnly: true }, undefined],
    ['E names a label for a selection', press('e'), { hasSelection: true, takesTerms: true }, { do: 'edit', query: 'e' }],
    ['J goes to the next suggestion', press('j'), {}, { do: 'suggestion', forward: true }],
    ['J filters on a selection', press('j'), { hasSelection: true }, { do: 'edit', query: 'j' }],
    ['R moves the ends', press('r'), { hasFocus: true }, { do: 'resize' }],
    ['an arrow carries the end', press('ArrowLeft'), { hasFocus: true, resizing: true }, { do: 'edge', unit: 'word', forward: false }],
    [
      'in Arabic too',
      press('ArrowLeft', { ctrlKey: true }),
      { hasFocus: true, resizing: true, direction: 'rtl' },
      { do: 'edge', unit: 'grapheme', forward: true },
    ],
    ['R again takes the other end', press('R'), { hasFocus: true, resizing: true }, { do: 'resize' }],
    ['Enter keeps the ends', press('Enter'), { hasFocus: true, resizing: true }, { do: 'keep' }],
    ['nothing is judged while an end moves', press('y'), { hasFocus: true, resizing: true }, undefined],
    ['a digit labels the selection', press('1'), { hasSelection: true }, { do: 'label', label: 'person' }],
    ['a letter labels', press('P'), { hasSelection: true }, { do: 'label', label: 'group' }],
    ['Y accepts a focused span even when it is a hotkey', press('y'), { hasFocus: true }, { do: 'accept' }],
    ['Y is a hotkey on a selection', press('y'), { hasSelection: true, hasFocus: true }, { do: 'label', label: 'year' }],
    ['N rejects', press('N'), { hasFocus: true }, { do: 'reject' }],
    ['Delete removes', press('Delete'), { hasFocus: true }, { do: 'remove' }],
    ['Enter edits', press('Enter'), { hasFocus: true }, { do: 'edit', query: '' }],
    ['typing after selecting filters', press('o'), { hasSelection: true }, { do: 'edit', query: 'o' }],
    ['nothing to label', press('1'), {}, undefined],
    ['read-only keeps moving', press('ArrowRight'), { readOnly: true }, { do: 'move', unit: 'word', forward: true, select: false }],
    ['read-only does not label', press('1'), { readOnly: true, hasSelection: true }, undefined],
    ['Alt belongs to the page', press('ArrowRight', { altKey: true }), {}, undefined],
    ['undo belongs to the page', press('z', { ctrlKey: true }), { hasFocus: true }, undefined],
  ])('%s', (_name, key, more, expected) => {
    expect(actionOfKeyPress(key, { ...state, ...more })).toEqual(expected);
  });
});

describe('assignHotkeys', () => {
  it('keeps assigned keys, then numbers in order, never past 9', () => {
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

describe('BINDINGS', () => {
  it('gives each key one meaning, and each command a text in both languages', async () => {
    expect(keyCollisions(BINDINGS.map(({ id, keys }) => ({ id, keys, title: id, section: 'text' })))).toEqual([]);
    for (const language of ['en', 'fr']) {
      const { default: words } = (await import(`../../locales/${language}/keys.json`)) as { default: { surface: Record<string, string> } };
      for (const { id } of BINDINGS) expect(words.surface[id], `${language} ${id}`).toBeTruthy();
    }
  });

  it('mirrors arrows for text from right to left', () => {
    expect(chordInTextDirection('Mod+ArrowRight', 'rtl')).toBe('Mod+ArrowLeft');
    expect(chordInTextDirection('ArrowUp', 'rtl')).toBe('ArrowUp');
  });
});

describe('layouts of other keyboards', () => {
  it.each<[string, KeyPress, Partial<SurfaceKeyState>, unknown]>([
    ['a French digit without Shift', press('&', { code: 'Digit1' }), { hasSelection: true }, { do: 'label', label: 'person' }],
    ['a French digit with Shift', press('1', { code: 'Digit1', shiftKey: true }), { hasSelection: true }, { do: 'label', label: 'person' }],
    ['a sign above a digit', press('!', { code: 'Digit1', shiftKey: true }), { hasSelection: true }, undefined],
    ['the key of a letter, Cyrillic', press('о', { code: 'KeyJ' }), {}, { do: 'suggestion', forward: true }],
    ['the key of a label, Greek', press('π', { code: 'KeyP' }), { hasSelection: true }, { do: 'label', label: 'group' }],
    ['a letter of the layout begins a name', press('ж', { code: 'Semicolon' }), { hasSelection: true }, { do: 'edit', query: 'ж' }],
    ['AltGr writes', press('@', { code: 'Digit1', altKey: true, ctrlKey: true }), { hasSelection: true }, undefined],
    ['a dead key', press('Dead', { code: 'BracketLeft' }), { hasSelection: true }, undefined],
  ])('%s', (_name, key, more, expected) => {
    expect(actionOfKeyPress(key, { ...state, ...more })).toEqual(expected);
  });

  it('prefers an assigned key over the digit of its position', () => {
    const hotkeys = new Map([
      ['&', 'and'],
      ['1', 'first'],
    ]);
    expect(labelOfHotkeyPress({ key: '&', code: 'Digit1', shiftKey: false }, hotkeys)).toBe('and');
  });
});
