import { useEffect } from 'react';
import { assignHotkeys, labelOfHotkeyPress } from '@/annotation/keyboard/key-bindings';
import type { LabelSetContent } from '@/annotation/labels/label-drawer-props';
import { isTyping, areLetterKeysOn } from '@/ui/typing-target';

/** In projects without span labels, the hotkeys of the drawer add and remove categories of the document. */
export function useCategoryHotkeys(active: boolean, sets: readonly LabelSetContent[], toggle: (label: string) => void): void {
  useEffect(() => {
    if (!active) return undefined;
    const hotkeys = assignHotkeys(sets.flatMap(({ labels }) => labels));
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event) || !areLetterKeysOn()) return;
      const label = labelOfHotkeyPress(event, hotkeys);
      if (label === undefined) return;
      event.preventDefault();
      toggle(label);
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [active, sets, toggle]);
}
