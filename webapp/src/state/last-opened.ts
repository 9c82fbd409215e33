/** The last opened hit of each list, to find the position again when the user comes back. Lost on reload. */
import { useEffect, type RefObject } from 'react';

const opened = new Map<string, string>();

export function rememberOpened(list: string, key: string | undefined): void {
  if (key !== undefined && key !== '') opened.set(list, key);
}

export const lastOpened = (list: string): string | undefined => opened.get(list);

/** Scrolls to the last opened hit when the list is shown again, and focuses it. */
export function useScrollToLastOpened(list: string, root: RefObject<HTMLElement | null>, shown: boolean): void {
  useEffect(() => {
    if (!shown) return;
    const found = root.current?.querySelector<HTMLElement>('[data-current]');
    if (found === null || found === undefined) return;
    opened.delete(list);
    // Optional: there is nothing to scroll where no layout exists (tests).
    found.scrollIntoView?.({ block: 'center' });
    // `body` or `#main` is active when no element of the page has the focus.
    const { activeElement } = document;
    if (activeElement === null || activeElement === document.body || activeElement.id === 'main') found.focus({ preventScroll: true });
  }, [list, root, shown]);
}
