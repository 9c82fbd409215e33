import type { KeyPress } from '@/ui/key-chords';

/** A press of a key, without modifiers unless `more` says otherwise. */
export const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...more,
});
