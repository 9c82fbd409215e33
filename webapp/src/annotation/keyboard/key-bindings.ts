/**
 * The keys of the text in one table, used by the keyboard handler, the help sheet and the palette. Pure, so it is tested without a screen.
 */
import { typedCharacter } from '@/ui/key-chords';
import type { Direction } from '@/text/direction';
import type { CursorStep } from './cursor';

export interface SurfaceKeyState {
  readonly direction: Direction;
  readonly hasSelection: boolean;
  readonly hasFocus: boolean;
  readonly hasCaret: boolean;
  readonly readOnly: boolean;
  /** An edge of the focused span is being moved. */
  readonly resizing: boolean;
  /** Relations can be made here. */
  readonly linkable?: boolean | undefined;
  /** The target of a relation is being chosen, or a fragment is being added to a span. */
  readonly task?: 'link' | 'piece' | undefined;
  /** Terms of lexicons can be linked here. */
  readonly takesTerms?: boolean | undefined;
  /** A relation of the focused span has the focus. */
  readonly onRelation?: boolean | undefined;
  /** Escape was pressed with nothing left to dismiss: Tab leaves the surface. */
  readonly released: boolean;
  readonly hotkeys: ReadonlyMap<string, string>;
}

export interface KeyPress {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  /** The physical key, independent of the keyboard layout. */
  readonly code?: string | undefined;
}

export type MoveAction =
  | (CursorStep & { readonly do: 'move'; readonly select: boolean })
  | { readonly do: 'move'; readonly unit: 'line' | 'page'; readonly forward: boolean; readonly select: boolean };

/** Adds a term, replaces the terms by another one, or removes the last one. */
export type TermEdit = 'link' | 'change' | 'unlink';

export type KeyAction =
  | MoveAction
  | { readonly do: 'span' | 'suggestion'; readonly forward: boolean }
  | { readonly do: 'edge'; readonly unit: 'word' | 'grapheme'; readonly forward: boolean }
  | { readonly do: 'label'; readonly label: string }
  | { readonly do: 'edit'; readonly query: string }
  | { readonly do: 'links'; readonly act: 'begin' | 'choose' | 'next' | 'follow' | 'rename' | 'turn' | 'unlink' }
  | { readonly do: 'pieces'; readonly act: 'begin' | 'take' | 'drop' }
  | { readonly do: 'terms'; readonly act: TermEdit }
  | { readonly do: 'cycle' | 'outward' | 'accept' | 'reject' | 'remove' | 'resize' | 'keep' | 'escape' | 'release' };

/** Requirement of a binding: a focused span and no selection; either of them. */
type Needs = 'span' | 'target';

export interface Binding {
  /** Its text is `keys:surface.<id>`. */
  readonly id: string;
  /** Chords as in ui/key-chords.ts, for text from left to right. */
  readonly keys: readonly string[];
  readonly action: KeyAction;
  readonly section: 'text' | 'annotation';
  readonly needs?: Needs;
  /** Changes annotations: not available in a read-only text. */
  readonly writes?: boolean;
  /** About relations or fragments: only available where they can be made. */
  readonly links?: boolean;
  /** About terms of lexicons: only available where the project has some. */
  readonly terms?: boolean;
}

const cursorMoveBinding = (id: string, key: string, unit: CursorStep['unit'] | 'line' | 'page', forward: boolean): Binding => ({
  id,
  keys: [key],
  section: 'text',
  action: { do: 'move', unit, forward, select: false },
});

const spanBinding = (id: 'accept' | 'reject' | 'remove' | 'resize', keys: readonly string[]): Binding => ({
  id,
  keys,
  section: 'annotation',
  needs: 'span',
  writes: true,
  action: { do: id },
});

const relationBinding = (id: string, key: string, action: KeyAction): Binding => ({
  id,
  keys: [key],
  section: 'annotation',
  needs: 'span',
  links: true,
  action,
});

const termBinding = (id: string, key: string, act: TermEdit): Binding => ({
  id,
  keys: [key],
  section: 'annotation',
  needs: 'span',
  writes: true,
  terms: true,
  action: { do: 'terms', act },
});

export const BINDINGS: readonly Binding[] = [
  cursorMoveBinding('wordNext', 'ArrowRight', 'word', true),
  cursorMoveBinding('wordPrevious', 'ArrowLeft', 'word', false),
  cursorMoveBinding('graphemeNext', 'Mod+ArrowRight', 'grapheme', true),
  cursorMoveBinding('graphemePrevious', 'Mod+ArrowLeft', 'grapheme', false),
  cursorMoveBinding('lineDown', 'ArrowDown', 'line', true),
  cursorMoveBinding('lineUp', 'ArrowUp', 'line', false),
  cursorMoveBinding('sentenceNext', 'Mod+ArrowDown', 'sentence', true),
  cursorMoveBinding('sentencePrevious', 'Mod+ArrowUp', 'sentence', false),
  cursorMoveBinding('sentenceStart', 'Home', 'sentenceEnd', false),
  cursorMoveBinding('sentenceEnd', 'End', 'sentenceEnd', true),
  cursorMoveBinding('pageDown', 'PageDown', 'page', true),
  cursorMoveBinding('pageUp', 'PageUp', 'page', false),
  cursorMoveBinding('documentStart', 'Mod+Home', 'document', false),
  cursorMoveBinding('documentEnd', 'Mod+End', 'document', true),
  { id: 'spanNext', keys: ['Tab'], section: 'annotation', action: { do: 'span', forward: true } },
  { id: 'spanPrevious', keys: ['Shift+Tab'], section: 'annotation', action: { do: 'span', forward: false } },
  { id: 'suggestionNext', keys: ['J'], section: 'annotation', action: { do: 'suggestion', forward: true } },
  { id: 'suggestionPrevious', keys: ['K'], section: 'annotation', action: { do: 'suggestion', forward: false } },
  { id: 'cycle', keys: ['Space'], section: 'annotation', action: { do: 'cycle' } },
  { id: 'outward', keys: ['Shift+ArrowUp'], section: 'annotation', needs: 'span', action: { do: 'outward' } },
  { id: 'edit', keys: ['Enter'], section: 'annotation', needs: 'target', writes: true, action: { do: 'edit', query: '' } },
  spanBinding('resize', ['R']),
  spanBinding('accept', ['Y']),
  spanBinding('reject', ['N']),
  spanBinding('remove', ['Delete', 'Backspace']),
  { ...relationBinding('link', 'L', { do: 'links', act: 'begin' }), writes: true },
  relationBinding('relationNext', 'Shift+L', { do: 'links', act: 'next' }),
  relationBinding('relationFollow', 'O', { do: 'links', act: 'follow' }),
  { ...relationBinding('pieceAdd', 'A', { do: 'pieces', act: 'begin' }), writes: true },
  { ...relationBinding('pieceDrop', 'Shift+A', { do: 'pieces', act: 'drop' }), writes: true },
  termBinding('termLink', 'E', 'link'),
  termBinding('termChange', 'Shift+E', 'change'),
  termBinding('termUnlink', 'U', 'unlink'),
];

/** Keys while a relation has the focus. */
const ON_RELATION: readonly (readonly [string, Extract<KeyAction, { do: 'links' }>['act']])[] = [
  ['Enter', 'rename'],
  ['X', 'turn'],
  ['Delete', 'unlink'],
  ['Backspace', 'unlink'],
];

/** Keys that are only documented: with Shift every move selects; Escape releases step by step. */
export const DOCUMENTED_KEYS: readonly Pick<Binding, 'id' | 'keys' | 'section' | 'links'>[] = [
  { id: 'select', keys: ['Shift+ArrowRight'], section: 'text' },
  { id: 'resizeKeep', keys: ['Enter'], section: 'annotation' },
  { id: 'relationRename', keys: ['Enter'], section: 'annotation', links: true },
  { id: 'relationTurn', keys: ['X'], section: 'annotation', links: true },
  { id: 'relationUnlink', keys: ['Delete'], section: 'annotation', links: true },
  { id: 'escape', keys: ['Escape'], section: 'text' },
  { id: 'leave', keys: ['Escape Tab'], section: 'text' },
];

const MIRRORED: Readonly<Record<string, string>> = { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' };

/** A chord as typed for the direction of the text: arrows point in text direction. */
export function chordInTextDirection(chord: string, direction: Direction): string {
  return direction === 'ltr' ? chord : chord.replace(/ArrowLeft|ArrowRight/u, (key) => MIRRORED[key] ?? key);
}

/** Whether the requirement of the binding is met. */
export function isBindingAvailable(
  { needs, writes, links, terms }: Binding,
  { hasSelection, hasFocus, readOnly, linkable, takesTerms }: SurfaceKeyState,
): boolean {
  if ((writes === true && readOnly) || (links === true && linkable !== true)) return false;
  if (terms === true && takesTerms !== true) return false;
  if (needs === 'span') return hasFocus && !hasSelection;
  return needs === undefined || hasFocus || hasSelection;
}

function chordOf(press: KeyPress, shift: boolean): string {
  const { shiftKey, ctrlKey, metaKey } = press;
  const key = typedCharacter(press);
  const name = key === ' ' ? 'Space' : key.length === 1 ? key.toUpperCase() : key;
  return `${ctrlKey || metaKey ? 'Mod+' : ''}${shift && shiftKey ? 'Shift+' : ''}${name}`;
}

const isLetter = (key: string) => /^\p{L}$/u.test(key);

/** Undefined: the key is not handled here, but by the browser or the page. */
export function actionOfKeyPress(press: KeyPress, state: SurfaceKeyState): KeyAction | undefined {
  if (press.altKey) return undefined;
  if (state.resizing) return resizeActionOfKeyPress(press, state);
  if (state.task !== undefined) return relationTaskActionOfKeyPress(press, state, state.task);
  if (press.key === 'Escape') return { do: state.hasSelection || state.hasFocus || state.hasCaret ? 'escape' : 'release' };
  if (press.key === 'Tab' && state.released) return undefined;
  const found = relationActionOfKeyPress(press, state) ?? boundActionOfKeyPress(press, state);
  // A letter typed on a selection is a hotkey or the beginning of a label's name.
  return state.hasSelection && isLetter(press.key) ? labelActionOfKeyPress(press, state) : (found ?? labelActionOfKeyPress(press, state));
}

/** With a relation in focus some keys act on it instead of its span. */
function relationActionOfKeyPress(press: KeyPress, { onRelation, readOnly, hasSelection }: SurfaceKeyState): KeyAction | undefined {
  if (onRelation !== true || readOnly || hasSelection) return undefined;
  const found = ON_RELATION.find(([key]) => key === chordOf(press, true));
  return found && { do: 'links', act: found[1] };
}

/** Shift selects where a key moves, unless the key with Shift has a binding of its own. */
function boundActionOfKeyPress(press: KeyPress, state: SurfaceKeyState): KeyAction | undefined {
  const chords = [chordOf(press, true), chordOf(press, false)].map((chord) => chordInTextDirection(chord, state.direction));
  const exact = BINDINGS.find((binding) => binding.keys.includes(chords[0] ?? '') && isBindingAvailable(binding, state));
  if (exact !== undefined || !press.shiftKey) return exact?.action;
  const moved = BINDINGS.find(({ keys, action }) => action.do === 'move' && keys.includes(chords[1] ?? ''))?.action;
  return moved?.do === 'move' ? { ...moved, select: true } : undefined;
}

/**
 * The label of a pressed key: by the character it writes, by its Latin letter, or by its digit. The keys of the upper row count as 1 to 9
 * also where digits need Shift, as on French keyboards.
 */
export function labelOfHotkeyPress(
  press: Pick<KeyPress, 'key' | 'code' | 'shiftKey'>,
  hotkeys: ReadonlyMap<string, string>,
): string | undefined {
  const digit = press.shiftKey ? undefined : /^Digit([1-9])$/u.exec(press.code ?? '')?.[1];
  return (
    hotkeys.get(press.key.toLowerCase()) ?? hotkeys.get(typedCharacter(press)) ?? (digit === undefined ? undefined : hotkeys.get(digit))
  );
}

function labelActionOfKeyPress(press: KeyPress, state: SurfaceKeyState): KeyAction | undefined {
  const { key, ctrlKey, metaKey } = press;
  if (state.readOnly || ctrlKey || metaKey || (!state.hasSelection && !state.hasFocus)) return undefined;
  const label = labelOfHotkeyPress(press, state.hotkeys);
  if (label !== undefined) return { do: 'label', label };
  return state.hasSelection && isLetter(key) ? { do: 'edit', query: key } : undefined;
}

/** While a target or fragment is chosen, movement keys work as usual, Enter accepts and Escape cancels; other keys do nothing. */
function relationTaskActionOfKeyPress(press: KeyPress, state: SurfaceKeyState, task: 'link' | 'piece'): KeyAction | undefined {
  if (press.key === 'Escape') return { do: 'escape' };
  if (press.key === 'Enter') return task === 'link' ? { do: 'links', act: 'choose' } : { do: 'pieces', act: 'take' };
  const found = boundActionOfKeyPress(press, state);
  return found !== undefined && MOVING.has(found.do) ? found : undefined;
}

const MOVING: ReadonlySet<KeyAction['do']> = new Set(['move', 'span', 'suggestion', 'cycle', 'outward'] as const);

/** While an edge is moved, the arrows move it, `R` and Tab switch to the other edge, Enter saves and Escape cancels. */
function resizeActionOfKeyPress(press: KeyPress, { direction }: SurfaceKeyState): KeyAction | undefined {
  const chord = chordInTextDirection(chordOf(press, false), direction);
  const moved = BINDINGS.find(({ keys, action }) => action.do === 'move' && keys.includes(chord))?.action;
  if (moved?.do === 'move' && (moved.unit === 'word' || moved.unit === 'grapheme'))
    return { do: 'edge', unit: moved.unit, forward: moved.forward };
  if (chord === 'R' || chord === 'Tab') return { do: 'resize' };
  if (chord === 'Enter') return { do: 'keep' };
  return chord === 'Escape' ? { do: 'escape' } : undefined;
}

/**
 * Effective hotkeys of labels: the one assigned to a label, else 1 to 9 in order; '' is none. Of two labels with the same key, the first
 * one gets it.
 */
export function assignHotkeys(labels: readonly { readonly name: string; readonly hotkey?: string | undefined }[]): Map<string, string> {
  const keys = new Map<string, string>();
  for (const { name, hotkey = '' } of labels) if (hotkey !== '' && !keys.has(hotkey.toLowerCase())) keys.set(hotkey.toLowerCase(), name);
  const named = new Set(keys.values());
  let next = 1;
  for (const { name, hotkey } of labels) {
    if (named.has(name) || hotkey === '') continue;
    while (keys.has(String(next))) next += 1;
    if (next > 9) break;
    keys.set(String(next), name);
  }
  return keys;
}
