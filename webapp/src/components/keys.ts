import { useEffect, useRef } from 'react';
import { useLayoutStore } from '@/state/layout-store';

const FIELD = 'input, textarea, select, [contenteditable="true"], [role="dialog"], [role="menu"], [role="listbox"]';

/** True when a key press belongs to a text field, a menu or a dialog. */
export function isTyping(event: KeyboardEvent): boolean {
  return event.target instanceof Element && event.target.closest(FIELD) !== null;
}

/** Users may turn single letters off. */
export const lettersAreOn = () => useLayoutStore.getState().choices['shortcuts.letters'] !== 'off';

/** A single-letter key of a screen (`C` create); silent in fields, with a modifier, or when letters are off. */
export function useKey(key: string, run: () => void, enabled = true): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    if (!enabled) return undefined;
    const listen = (event: KeyboardEvent) => {
      if (
        event.key.toLowerCase() !== key ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        event.defaultPrevented ||
        isTyping(event) ||
        !lettersAreOn()
      )
        return;
      event.preventDefault();
      latest.current();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [key, enabled]);
}
