/** What a key means on the surface. Pure, so the whole keyboard is tested without a screen. */
import type { Direction } from '../text/direction';
import type { CaretStep } from './selection';

export interface KeyState {
  readonly direction: Direction;
  readonly hasSelection: boolean;
  readonly hasFocus: boolean;
  readonly hasCaret: boolean;
  readonly readOnly: boolean;
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
}

export type KeyAction =
  | { readonly do: 'caret'; readonly step: CaretStep; readonly select: boolean }
  | { readonly do: 'line'; readonly step: 'up' | 'down'; readonly select: boolean }
  | { readonly do: 'span'; readonly step: 'next' | 'previous' }
  | { readonly do: 'outward' }
  | { readonly do: 'label'; readonly label: string }
  | { readonly do: 'edit'; readonly query: string }
  | { readonly do: 'accept' | 'reject' | 'remove' | 'escape' | 'release' };

/** Undefined: the key is not ours, the browser or the page has it. */
export function keyAction(press: KeyPress, state: KeyState): KeyAction | undefined {
  if (press.altKey) return undefined;
  if (press.ctrlKey || press.metaKey) return commandKey(press);
  return movementKey(press, state) ?? (state.readOnly ? undefined : editKey(press, state));
}

function commandKey(press: KeyPress): KeyAction | undefined {
  if (press.key === 'Home') return { do: 'caret', step: 'first', select: press.shiftKey };
  if (press.key === 'End') return { do: 'caret', step: 'last', select: press.shiftKey };
  return undefined;
}

function movementKey(press: KeyPress, state: KeyState): KeyAction | undefined {
  const { key, shiftKey } = press;
  switch (key) {
    case 'Escape':
      return { do: state.hasSelection || state.hasFocus || state.hasCaret ? 'escape' : 'release' };
    case 'Tab':
      return state.released ? undefined : { do: 'span', step: shiftKey ? 'previous' : 'next' };
    case 'ArrowUp':
    case 'ArrowDown':
      return lineKey(press, state);
    case 'ArrowLeft':
    case 'ArrowRight':
      return { do: 'caret', step: (key === 'ArrowRight') === (state.direction === 'ltr') ? 'next' : 'previous', select: shiftKey };
    default:
      return undefined;
  }
}

function lineKey({ key, shiftKey }: KeyPress, state: KeyState): KeyAction {
  if (key === 'ArrowUp' && shiftKey && state.hasFocus && !state.hasSelection) return { do: 'outward' };
  return { do: 'line', step: key === 'ArrowUp' ? 'up' : 'down', select: shiftKey };
}

function editKey(press: KeyPress, state: KeyState): KeyAction | undefined {
  const { key } = press;
  if (!state.hasSelection && !state.hasFocus) return undefined;
  if (key === 'Enter') return { do: 'edit', query: '' };
  if (!state.hasSelection) {
    if (key === 'Delete' || key === 'Backspace') return { do: 'remove' };
    if (key.toLowerCase() === 'y') return { do: 'accept' };
    if (key.toLowerCase() === 'n') return { do: 'reject' };
  }
  const label = state.hotkeys.get(key.toLowerCase());
  if (label !== undefined) return { do: 'label', label };
  return state.hasSelection && /^\p{L}$/u.test(key) ? { do: 'edit', query: key } : undefined;
}

/** Hotkeys of labels: the one given to a label, else 1 to 9 in order. */
export function assignHotkeys(labels: readonly { readonly name: string; readonly hotkey?: string | undefined }[]): Map<string, string> {
  const keys = new Map<string, string>();
  for (const { name, hotkey } of labels) if (hotkey !== undefined && hotkey !== '') keys.set(hotkey.toLowerCase(), name);
  const named = new Set(keys.values());
  let next = 1;
  for (const { name } of labels) {
    if (named.has(name)) continue;
    while (keys.has(String(next))) next += 1;
    if (next > 9) break;
    keys.set(String(next), name);
  }
  return keys;
}
