/**
 * The one list of what can be done here and by which key. Screens say their acts with `useCommands`; the palette, the help sheet and the
 * listener of the shell read them. Nothing is computed before somebody asks: registering costs no render.
 */
import { useEffect, useRef } from 'react';
import { chordMatches, isKeySequence, typedCharacter } from './key-chords';
import type { KeyPress } from './key-chords';
import { isTyping, areLetterKeysOn } from './typing-target';

/** In the order of the help sheet and the palette: what is nearest first. */
export const SECTIONS = ['text', 'annotation', 'labels', 'screen', 'panels', 'go', 'studio'] as const;
export type CommandSection = (typeof SECTIONS)[number];

export interface Command {
  /** Unique among the acts of one screen; stable. */
  readonly id: string;
  /** What it does, in the language of the studio. */
  readonly title: string;
  readonly section: CommandSection;
  /** Chords that do the same (see chords.ts); the first is shown. */
  readonly keys?: readonly string[];
  /** Absent: named in the help sheet only. */
  readonly run?: () => void;
  /** Listed in the help sheet, not offered now. */
  readonly disabled?: boolean;
  /** The one that names it listens by itself (the text does while it has the focus); the shell does not. */
  readonly ownKeys?: boolean;
  /** On already: a category that is given. */
  readonly checked?: boolean;
  /** Acts in text fields too. */
  readonly everywhere?: boolean;
  /** More words that find it in the palette. */
  readonly keywords?: string;
}

type Source = () => readonly Command[];

const sources = new Set<Source>();

/** Acts offered while the component is there. `build` is called when a list is needed, with what the last render knew. */
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

/** Everything that can be done now; of two acts with one id the one that was mounted last stands. */
export function currentCommands(): readonly Command[] {
  const byId = new Map<string, Command>();
  for (const source of sources) for (const command of source()) byId.set(command.id, command);
  return [...byId.values()].sort((a, b) => SECTIONS.indexOf(a.section) - SECTIONS.indexOf(b.section));
}

/** Chords that mean two things at once: none, or a screen is wrong. */
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

/** How long the second key of `G D` is waited for. */
const SEQUENCE_MS = 1200;

interface Prefix {
  /** Upper case. */
  readonly key: string;
  readonly at: number;
}

export interface KeyPressState {
  /** Single signs act outside text fields. */
  readonly letters: boolean;
  readonly typing: boolean;
  readonly prefix: Prefix | undefined;
  readonly now: number;
}

const hasModifier = (press: KeyPress) => press.ctrlKey || press.metaKey || press.altKey;

/** The act that a key press means. Signs without Ctrl or Cmd may be switched off; a text field keeps all keys but those that act everywhere. */
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

/** Listens for the keys of all acts; once, in the shell. Dialogs and menus keep every key. */
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
