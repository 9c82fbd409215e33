/** Which hit of a list was opened last, so that coming back finds the place again. Of this visit only. */
import { useEffect, type RefObject } from 'react';

const opened = new Map<string, string>();

export function rememberOpened(list: string, key: string | undefined): void {
  if (key !== undefined && key !== '') opened.set(list, key);
}

export const lastOpened = (list: string): string | undefined => opened.get(list);

/** Brings the hit that was opened last on screen when the list comes back, and the keyboard with it. */
export function useScrollToLastOpened(list: string, root: RefObject<HTMLElement | null>, shown: boolean): void {
  useEffect(() => {
    if (!shown) return;
    const found = root.current?.querySelector<HTMLElement>('[data-current]');
    if (found === null || found === undefined) return;
    opened.delete(list);
    // Coming back is a convenience: where nothing is laid out there is no place to bring it to.
    found.scrollIntoView?.({ block: 'center' });
    // The page itself has the focus when nothing in it has.
    const { activeElement } = document;
    if (activeElement === null || activeElement === document.body || activeElement.id === 'main') found.focus({ preventScroll: true });
  }, [list, root, shown]);
}
