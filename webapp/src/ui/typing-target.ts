import { useLayoutStore } from '@/state/layout-store';

const FIELD = 'input, textarea, select, [contenteditable="true"], [role="dialog"], [role="menu"], [role="listbox"]';

/** True when a key press belongs to a text field, a menu or a dialog. */
export function isTyping(event: KeyboardEvent): boolean {
  return event.target instanceof Element && event.target.closest(FIELD) !== null;
}

/** Users can switch single-letter keys off. */
export const areLetterKeysOn = () => useLayoutStore.getState().choices['shortcuts.letters'] !== 'off';
