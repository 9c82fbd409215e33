/**
 * Registry of all commands and their keys. Screens register commands with `useCommands`; the palette, the help sheet and the key listener
 * of the shell read them. Lists are computed on demand, so registering causes no render.
 */
import { useEffect, useRef, type ReactNode } from 'react';
import { chordMatches, isKeySequence, typedCharacter } from './key-chords';
import type { KeyPress } from './key-chords';
import { isTyping, areLetterKeysOn } from './typing-target';

/** In the order of the help sheet and the palette. */
export const SECTIONS = [
  'text',
  'annotation',
  'labels',
  'screen',
  'panels',
  'go',
  'studio',
  'settings',
  'projects',
  'projectLabels',
  'documents',
  'people',
  'words',
] as const;
export type CommandSection = (typeof SECTIONS)[number];

export interface Command {
  /** Unique among the commands of one screen; stable. */
  readonly id: string;
  /** What it does, in the language of the web app. */
  readonly title: string;
  readonly section: CommandSection;
  /** Equivalent chords (see key-chords.ts); the first one is displayed. */
  readonly keys?: readonly string[];
  /** A line below the title: why it was found. */
  readonly note?: ReactNode;
  /** Absent: only documented in the help sheet. */
  readonly run?: () => void;
  /** Listed in the help sheet, but not available now. */
  readonly disabled?: boolean;
  /** The component handles these keys itself while it has the focus (like the text); the shell does not. */
  readonly ownKeys?: boolean;
  /** Already active, such as an assigned category. */
  readonly checked?: boolean;
  /** Also active in text fields. */
  readonly everywhere?: boolean;
  /** Additional search terms for the palette. */
  readonly keywords?: string;
  /** What it is, at the end of its line: "Document". */
  readonly detail?: string;
  /** The server found it for the query: offered whether or not its title has the words. */
  readonly found?: boolean;
}

type Source = () => readonly Command[];

const sources = new Set<Source>();

/** Registers commands while the component is mounted. `build` is called on demand, with the state of the last render. */
export function useCommands(build: Source): void {
  const latest = useRef(build);
  useEffect(() => {
    latest.current = build;
  });
  useEffect(() => {
    const source: Source = () => latest.current();
    sources.add(source);
    return () => void sources.delete(source);
  }, []);
}

/** All available commands; of two commands with the same id, the last mounted one. */
export function currentCommands(): readonly Command[] {
  const byId = new Map<string, Command>();
  for (const source of sources) for (const command of source()) byId.set(command.id, command);
  return [...byId.values()].sort((a, b) => SECTIONS.indexOf(a.section) - SECTIONS.indexOf(b.section));
}

/** Chords with two meanings; must be empty. */
export function keyCollisions(commands: readonly Command[]): readonly string[] {
  const taken = new Map<string, string>();
  const found: string[] = [];
  for (const { id, keys = [] } of commands)
    for (const key of keys) {
      const other = taken.get(key);
      if (other !== undefined) found.push(`${key}: ${other}, ${id}`);
      taken.set(key, id);
    }
  return found;
}

/** Time limit for the second key of a sequence such as `G D`. */
const SEQUENCE_MS = 1200;

interface Prefix {
  /** In upper case. */
  readonly key: string;
  readonly at: number;
}

export interface KeyPressState {
  /** Single characters are active outside text fields. */
  readonly letters: boolean;
  readonly typing: boolean;
  readonly prefix: Prefix | undefined;
  readonly now: number;
}

const hasModifier = (press: KeyPress) => press.ctrlKey || press.metaKey || press.altKey;

/**
 * The command of a key press. Characters without Ctrl or Cmd can be switched off; in a text field only commands marked `everywhere` apply.
 */
export function commandFor(press: KeyPress, commands: readonly Command[], state: KeyPressState): Command | undefined {
  if (!hasModifier(press) && press.key.length === 1 && !state.letters) return undefined;
  const live = commands.filter(
    ({ run, ownKeys, disabled, everywhere }) =>
      run !== undefined && ownKeys !== true && disabled !== true && (!state.typing || everywhere === true),
  );
  const prefix = state.prefix !== undefined && state.now - state.prefix.at < SEQUENCE_MS ? state.prefix.key : undefined;
  const sequence = prefix === undefined || hasModifier(press) ? undefined : `${prefix} ${typedCharacter(press).toUpperCase()}`;
  return (
    live.find(({ keys = [] }) => sequence !== undefined && keys.includes(sequence)) ??
    live.find(({ keys = [] }) => keys.some((key) => !isKeySequence(key) && chordMatches(press, key)))
  );
}

const OVERLAY = '[role="dialog"], [role="menu"]';
const isInOverlay = (event: KeyboardEvent) => event.target instanceof Element && event.target.closest(OVERLAY) !== null;

/** Handles the keys of all commands; used once, in the shell. Ignores keys in dialogs and menus. */
export function useCommandKeys(): void {
  useEffect(() => {
    let prefix: Prefix | undefined;
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isInOverlay(event)) return;
      const typing = isTyping(event);
      const command = commandFor(event, currentCommands(), { letters: areLetterKeysOn(), typing, prefix, now: Date.now() });
      prefix =
        typing || hasModifier(event) || event.key.length > 1 ? undefined : { key: typedCharacter(event).toUpperCase(), at: Date.now() };
      if (command === undefined) return;
      event.preventDefault();
      command.run?.();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}
