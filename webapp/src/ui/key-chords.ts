/**
 * Notation of keys: `Mod+K`, `Alt+ArrowLeft`, `Shift+Y`, `?`, and sequences such as `G D`. `Mod` is Ctrl, or Cmd on a Mac. Letters are
 * upper case; a character that needs Shift on some keyboards (`?`, `+`) is written without it. Pure.
 */

export interface KeyPress {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  /** The physical key, independent of the keyboard layout. */
  readonly code?: string | undefined;
}

const LETTER = /^\p{L}$/u;

export const isKeySequence = (keys: string): boolean => keys.includes(' ') && keys !== 'Space';

interface Chord {
  readonly key: string;
  readonly mod: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
}

export function parseChord(chord: string): Chord {
  // A lone plus, or one after a modifier, is the character itself.
  const sign = chord === '+' || chord.endsWith('++') ? '+' : undefined;
  const parts = sign === undefined ? chord.split('+') : [...chord.slice(0, -1).split('+').filter(Boolean), '+'];
  return { key: parts.at(-1) ?? '', mod: parts.includes('Mod'), alt: parts.includes('Alt'), shift: parts.includes('Shift') };
}

/** The character of the key; for layouts of other scripts the Latin letter of the same key, as commands are named after Latin letters. */
export function typedCharacter({ key, code }: Pick<KeyPress, 'key' | 'code'>): string {
  if (!LETTER.test(key) || /\p{Script=Latin}/u.test(key)) return key;
  return /^Key([A-Z])$/u.exec(code ?? '')?.[1]?.toLowerCase() ?? key;
}

/**
 * Whether the press matches the chord. Shift counts for letters and named keys; other characters match however they are typed, including
 * with AltGr or Option.
 */
export function chordMatches(press: KeyPress, chord: string): boolean {
  const wanted = parseChord(chord);
  const sign = typedCharacter(press);
  const key = sign === ' ' ? 'Space' : LETTER.test(sign) ? sign.toUpperCase() : sign;
  if (key !== wanted.key) return false;
  const signed = key.length === 1 && !LETTER.test(key);
  if (signed && press.altKey && !wanted.alt && !wanted.mod) return !press.metaKey;
  if (wanted.mod !== (press.ctrlKey || press.metaKey) || wanted.alt !== press.altKey) return false;
  return signed || wanted.shift === press.shiftKey;
}

const NAMES: Readonly<Record<string, string>> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Escape: 'Esc',
  Delete: 'Del',
};

/** True on Apple devices, where the modifier is Cmd. */
export const isAppleDevice = (): boolean => typeof navigator !== 'undefined' && /Mac|iPhone|iPad/u.test(navigator.userAgent);

/** Texts of the key caps, in order: `Mod+Shift+Z` is `Ctrl`, `Shift`, `Z`. `words` translates Shift, Space and the like. */
export function keyCapTexts(keys: string, words: (name: string) => string = (name) => name, apple = isAppleDevice()): readonly string[] {
  if (isKeySequence(keys)) return keys.split(' ').flatMap((part) => keyCapTexts(part, words, apple));
  const { key, mod, alt, shift } = parseChord(keys);
  const modifiers = [...(mod ? [apple ? '⌘' : 'Ctrl'] : []), ...(alt ? [apple ? '⌥' : 'Alt'] : []), ...(shift ? ['Shift'] : [])];
  return [...modifiers, NAMES[key] ?? key].map(words);
}

/** The format of `aria-keyshortcuts`; undefined for sequences, which it cannot express. */
export function ariaKeyShortcuts(keys: string): string | undefined {
  return isKeySequence(keys) ? undefined : keys.replace('Mod', isAppleDevice() ? 'Meta' : 'Control');
}
