/** Hotkeys that users assign to labels: which keys are allowed, and why others are not. Pure. */
import { isKeySequence, parseChord } from '@/ui/key-chords';
import type { Command } from '@/ui/command-registry';
import { foldCaseAndAccents } from '@/text/fold-accents';
import { assignHotkeys, BINDINGS } from './key-bindings';

/** Label -> its key, in lower case. */
export type Hotkeys = Readonly<Record<string, string>>;

export type HotkeyProblem =
  | { readonly kind: 'one' | 'blank' }
  | { readonly kind: 'browser'; readonly key: string }
  | { readonly kind: 'studio'; readonly key: string; readonly act: string }
  | { readonly kind: 'taken'; readonly key: string; readonly label: string };

/** Firefox starts its quick search with these. */
const BROWSER = ["'", '/'];

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The command that uses the character, also as the first key of a sequence. Hotkeys of labels are not commands. */
function commandUsingKey(sign: string, commands: readonly Command[]): Command | undefined {
  return commands.find(
    ({ section, keys = [] }) =>
      section !== 'labels' &&
      keys.some((key) => {
        const first = isKeySequence(key) ? (key.split(' ')[0] ?? '') : key;
        const chord = parseChord(first);
        return !chord.mod && !chord.alt && !chord.shift && chord.key === sign.toUpperCase();
      }),
  );
}

/** Why a key cannot be assigned to the label; undefined: it is allowed, as is no key at all. */
export function hotkeyProblem(
  label: string,
  key: string,
  chosen: Hotkeys,
  names: ReadonlyMap<string, string>,
  commands: readonly Command[],
): HotkeyProblem | undefined {
  if (key === '') return undefined;
  if (key.trim() === '') return { kind: 'blank' };
  if ([...graphemes.segment(key)].length !== 1) return { kind: 'one' };
  const act = commandUsingKey(key, commands);
  if (act !== undefined) return { kind: 'studio', key: key.toUpperCase(), act: act.title };
  if (BROWSER.includes(key)) return { kind: 'browser', key };
  const other = Object.entries(chosen).find(([name, its]) => name !== label && names.has(name) && its.toLowerCase() === key.toLowerCase());
  return other === undefined ? undefined : { kind: 'taken', key: key.toUpperCase(), label: names.get(other[0]) ?? other[0] };
}

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
/** Letters that act on an annotation. */
const IN_USE: ReadonlySet<string> = new Set(
  BINDINGS.flatMap(({ keys }) => keys.filter((key) => /^[A-Z]$/u.test(key))).map((key) => key.toLowerCase()),
);

/** A free letter for a label beyond the digits: its initials first, then its other letters, then any. Undefined: none is left. */
export function proposeHotkey(label: string, taken: ReadonlySet<string>, commands: readonly Command[]): string | undefined {
  const words = foldCaseAndAccents(label)
    .split(/[^a-z]+/u)
    .filter((word) => word !== '');
  const wanted = [...words.map((word) => word.charAt(0)), ...words.join(''), ...LETTERS];
  return wanted.find((letter) => !taken.has(letter) && !IN_USE.has(letter) && commandUsingKey(letter, commands) === undefined);
}

/** The chosen keys, with a free letter for each label that has no key yet. */
export function withProposedHotkeys(
  labels: readonly { readonly name: string; readonly label: string }[],
  chosen: Hotkeys,
  commands: readonly Command[],
): Hotkeys {
  const result: Record<string, string> = { ...chosen };
  const effective = labelsWithHotkeys(labels, chosen);
  const taken = new Set(effective.map(({ hotkey }) => hotkey).filter((key) => key !== ''));
  for (const { name, label, hotkey } of effective) {
    if (hotkey !== '') continue;
    const letter = proposeHotkey(label, taken, commands);
    if (letter === undefined) break;
    result[name] = letter;
    taken.add(letter);
  }
  return result;
}

/** Each label with its effective key, '' for none, so that any subset of the labels shows the same keys. */
export function labelsWithHotkeys<T extends { readonly name: string }>(
  labels: readonly T[],
  chosen: Hotkeys,
): (T & { readonly hotkey: string })[] {
  const keys = assignHotkeys(labels.map(({ name }) => ({ name, hotkey: chosen[name] })));
  const keyOf = new Map([...keys].map(([key, name]) => [name, key]));
  return labels.map((label) => ({ ...label, hotkey: keyOf.get(label.name) ?? '' }));
}
