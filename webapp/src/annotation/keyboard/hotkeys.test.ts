// @vitest-environment node
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Command } from '@/ui/command-registry';
import { hotkeyProblem, labelsWithHotkeys, proposeHotkey, withProposedHotkeys } from './hotkeys';
import { assignHotkeys, BINDINGS } from './key-bindings';

const command = (title: string, keys: readonly string[], section: Command['section'] = 'screen'): Command => ({
  id: title,
  title,
  section,
  keys,
});
const COMMANDS = [
  ...BINDINGS.map(({ id, keys }) => command(id, keys)),
  command('Documents', ['G D']),
  command('Search', ['/']),
  command('Find', ['Mod+F']),
  command('Person', ['1'], 'labels'),
];
const NAMES = new Map([
  ['person', 'Person'],
  ['place', 'Place'],
]);
const problem = (key: string, chosen: Record<string, string> = {}) => hotkeyProblem('place', key, chosen, NAMES, COMMANDS);

describe('hotkeyProblem', () => {
  it.each<[string, string, unknown]>([
    ['no key', '', undefined],
    ['a free letter', 'p', undefined],
    ['a letter with an accent', 'é', undefined],
    ['a letter that only acts with Ctrl', 'f', undefined],
    ['a digit that another label has by order', '1', undefined],
    ['two signs', 'ab', { kind: 'one' }],
    ['a space', ' ', { kind: 'blank' }],
    ['accept', 'y', { kind: 'studio', key: 'Y', act: 'accept' }],
    ['the beginning of a sequence', 'g', { kind: 'studio', key: 'G', act: 'Documents' }],
    ['search', '/', { kind: 'studio', key: '/', act: 'Search' }],
    ['quick search of the browser', "'", { kind: 'browser', key: "'" }],
  ])('%s', (_name, key, expected) => {
    expect(problem(key)).toEqual(expected);
  });

  it('names the label that has the key, in either case; deleted labels do not count', () => {
    expect(problem('P', { person: 'p' })).toEqual({ kind: 'taken', key: 'P', label: 'Person' });
    expect(problem('p', { place: 'p' })).toBeUndefined();
    expect(problem('p', { gone: 'p' })).toBeUndefined();
  });
});

describe('labelsWithHotkeys', () => {
  it('shows the same keys for any subset of the labels, each key once', () => {
    const names = fc.uniqueArray(fc.stringMatching(/^[a-f]{1,3}$/u), { minLength: 1, maxLength: 14 });
    fc.assert(
      fc.property(names, fc.array(fc.tuple(fc.nat(13), fc.constantFrom('p', 'q', '1', '2', 'P'))), (all, given) => {
        const chosen = Object.fromEntries(given.map(([at, key]) => [all[at % all.length] ?? '', key]));
        const labels = labelsWithHotkeys(
          all.map((name) => ({ name })),
          chosen,
        );
        const keys = labels.map(({ hotkey }) => hotkey).filter(Boolean);
        expect(new Set(keys).size).toBe(keys.length);
        const whole = assignHotkeys(labels);
        for (const [key, name] of assignHotkeys(labels.filter((_, n) => n % 2 === 0))) expect(whole.get(key)).toBe(name);
      }),
    );
  });
});

describe('keys beyond the first nine', () => {
  it('are letters of the label that nothing else uses', () => {
    expect(proposeHotkey('Île', new Set(), COMMANDS)).toBe('i');
    expect(proposeHotkey('State of birth', new Set(['s']), COMMANDS)).toBe('b');
    const given = proposeHotkey('Yacht', new Set(), COMMANDS);
    expect(given).toBeDefined();
    expect(hotkeyProblem('yacht', given ?? '', {}, new Map(), COMMANDS)).toBeUndefined();
  });

  it('are given to the labels without a key, and leave the others alone', () => {
    const labels = Array.from({ length: 12 }, (_, number) => ({ name: `l${String(number)}`, label: `Zone ${String(number)}` }));
    const keys = withProposedHotkeys(labels, { l0: 'z' }, COMMANDS);
    expect(keys['l0']).toBe('z');
    // The nine digits go to the next nine labels by order.
    expect(Object.keys(keys)).toEqual(['l0', 'l10', 'l11']);
    expect(new Set(Object.values(keys)).size).toBe(3);
    for (const [name, key] of Object.entries(keys)) expect(hotkeyProblem(name, key, keys, new Map(), COMMANDS)).toBeUndefined();
  });

  it('are none once all letters are taken', () => {
    expect(proposeHotkey('Zone', new Set('abcdefghijklmnopqrstuvwxyz'), COMMANDS)).toBeUndefined();
  });
});
