import { renderHook } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { press } from '@/test/key-press';
import { ariaKeyShortcuts, keyCapTexts, chordMatches, type KeyPress } from './key-chords';
import { fuzzyMatch } from './fuzzy-match';
import { keyCollisions, commandFor, currentCommands, useCommands, type Command, type KeyPressState } from './command-registry';

describe('chords', () => {
  it.each<[string, KeyPress, string, boolean]>([
    ['Ctrl', press('k', { ctrlKey: true }), 'Mod+K', true],
    ['Cmd', press('k', { metaKey: true }), 'Mod+K', true],
    ['a letter alone is not with Ctrl', press('k', { ctrlKey: true }), 'K', false],
    ['caps lock', press('Y'), 'Y', true],
    ['Shift counts for letters', press('Y', { shiftKey: true }), 'Y', false],
    ['Shift and a letter', press('Y', { shiftKey: true }), 'Shift+Y', true],
    ['Shift is part of typing a sign', press('?', { shiftKey: true }), '?', true],
    ['plus', press('+', { shiftKey: true }), '+', true],
    ['Ctrl and plus', press('+', { ctrlKey: true }), 'Mod++', true],
    ['named key', press('ArrowLeft', { altKey: true }), 'Alt+ArrowLeft', true],
    ['Shift counts for named keys', press('ArrowLeft', { altKey: true, shiftKey: true }), 'Alt+ArrowLeft', false],
    ['space bar', press(' '), 'Space', true],
    ['the key of a letter, Cyrillic', press('я', { code: 'KeyZ', ctrlKey: true }), 'Mod+Z', true],
    ['a Latin letter is what is typed, not where', press('q', { code: 'KeyA' }), 'Q', true],
    ['a sign typed with AltGr', press('[', { ctrlKey: true, altKey: true }), '[', true],
    ['a sign typed with Option', press(']', { altKey: true }), ']', true],
    ['a letter with Alt', press('k', { altKey: true }), 'K', false],
  ])('%s', (_name, key, chord, expected) => {
    expect(chordMatches(key, chord)).toBe(expected);
  });

  it('draws key caps and formats keys for assistive technology', () => {
    expect(keyCapTexts('Mod+Shift+Z', undefined, false)).toEqual(['Ctrl', 'Shift', 'Z']);
    expect(keyCapTexts('Mod+K', undefined, true)).toEqual(['⌘', 'K']);
    expect(keyCapTexts('G D')).toEqual(['G', 'D']);
    expect(keyCapTexts('Alt+ArrowLeft', undefined, false)).toEqual(['Alt', '←']);
    expect(keyCapTexts('Shift+Space', (name) => (name === 'Shift' ? 'Maj' : name))).toEqual(['Maj', 'Space']);
    expect(ariaKeyShortcuts('Mod+K')).toBe('Control+K');
    expect(ariaKeyShortcuts('G D')).toBeUndefined();
  });
});

const calls: string[] = [];
const command = (id: string, more: Partial<Command> = {}): Command => ({
  id,
  title: id,
  section: 'screen',
  run: () => void calls.push(id),
  ...more,
});
const LISTENING: KeyPressState = { letters: true, typing: false, prefix: undefined, now: 10_000 };

describe('registry', () => {
  it('lists commands of mounted components by section, and of two with one id the last mounted', () => {
    const outer = renderHook(() => useCommands(() => [command('help', { section: 'studio' }), command('next', { title: 'outer' })]));
    const inner = renderHook(({ title }) => useCommands(() => [command('next', { title }), command('accept', { section: 'annotation' })]), {
      initialProps: { title: 'one' },
    });
    inner.rerender({ title: 'two' });
    expect(currentCommands().map(({ id, title }) => `${id} ${title}`)).toEqual(['accept accept', 'next two', 'help help']);
    inner.unmount();
    expect(currentCommands().map(({ id }) => id)).toEqual(['next', 'help']);
    outer.unmount();
    expect(currentCommands()).toEqual([]);
  });

  it('finds the command of a key: letters, sequences, text fields, letters switched off', () => {
    const commands = [
      command('palette', { keys: ['Mod+K'], everywhere: true }),
      command('create', { keys: ['C'] }),
      command('documents', { keys: ['G D'] }),
      command('down', { keys: ['D'] }),
      command('gone', { keys: ['X'], disabled: true }),
      command('own', { keys: ['Tab'], ownKeys: true }),
    ];
    const found = (key: KeyPress, more: Partial<KeyPressState> = {}) => commandFor(key, commands, { ...LISTENING, ...more })?.id;
    expect(found(press('c'))).toBe('create');
    expect(found(press('c'), { typing: true })).toBeUndefined();
    expect(found(press('c'), { letters: false })).toBeUndefined();
    expect(found(press('k', { ctrlKey: true }), { typing: true, letters: false })).toBe('palette');
    expect(found(press('d'))).toBe('down');
    expect(found(press('d'), { prefix: { key: 'G', at: 9_000 } })).toBe('documents');
    expect(found(press('d'), { prefix: { key: 'G', at: 8_000 } })).toBe('down');
    expect(found(press('x'))).toBeUndefined();
    expect(found(press('Tab'))).toBeUndefined();
  });

  it('reports keys with two meanings', () => {
    expect(keyCollisions([command('a', { keys: ['C', 'X'] }), command('b', { keys: ['X'] })])).toEqual(['X: a, b']);
  });
});

describe('fuzzyMatch', () => {
  const best = (query: string, texts: readonly string[]) =>
    texts
      .flatMap((text) => {
        const match = fuzzyMatch(text, query);
        return match === undefined ? [] : [{ text, score: match.score }];
      })
      .sort((a, b) => b.score - a.score)[0]?.text;

  it('prefers beginnings of words, then letters in order; ignores accents and case', () => {
    const texts = ['Next document', 'Delete the document', 'Documents', 'Étiquette suivante', 'Undo'];
    expect(best('doc', texts)).toBe('Documents');
    expect(best('next doc', texts)).toBe('Next document');
    expect(best('nxd', texts)).toBe('Next document');
    expect(best('etiq', texts)).toBe('Étiquette suivante');
    expect(best('xyz', texts)).toBeUndefined();
  });

  it('returns the positions of the matched characters', () => {
    expect(fuzzyMatch('Next document', 'doc')?.offsets).toEqual([5, 6, 7]);
    expect(fuzzyMatch('Next document', 'nd')?.offsets).toEqual([0, 5]);
    expect(fuzzyMatch('Étiquette', 'ET')?.offsets).toEqual([0, 1]);
  });
});
