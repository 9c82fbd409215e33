/** Keys that people give to labels: what may be one, and why another may not. Pure. */
import { isKeySequence, parseChord } from '@/ui/key-chords';
import type { Command } from '@/ui/command-registry';
import { assignHotkeys } from './key-bindings';

/** Label -> its key, lower case. */
export type Hotkeys = Readonly<Record<string, string>>;

export type HotkeyProblem =
  | { readonly kind: 'one' | 'blank' }
  | { readonly kind: 'browser'; readonly key: string }
  | { readonly kind: 'studio'; readonly key: string; readonly act: string }
  | { readonly kind: 'taken'; readonly key: string; readonly label: string };

/** Firefox begins its quick search with these. */
const BROWSER = ["'", '/'];

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The signs that acts of the studio take: also the first one of a sequence. Hotkeys of labels are not among them. */
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

/** Why a key cannot be the one of a label; undefined: it can, and so can none at all. */
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

/** Each label with the key it has in the end, '' for none: so that every list of some of them prints the same keys. */
export function labelsWithHotkeys<T extends { readonly name: string }>(
  labels: readonly T[],
  chosen: Hotkeys,
): (T & { readonly hotkey: string })[] {
  const keys = assignHotkeys(labels.map(({ name }) => ({ name, hotkey: chosen[name] })));
  const keyOf = new Map([...keys].map(([key, name]) => [name, key]));
  return labels.map((label) => ({ ...label, hotkey: keyOf.get(label.name) ?? '' }));
}
