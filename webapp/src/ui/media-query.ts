import { useCallback, useSyncExternalStore } from 'react';

let printing = false;

function subscribePrinting(changed: () => void): () => void {
  const onPrintEvent = ({ type }: Event) => {
    printing = type === 'beforeprint';
    changed();
  };
  window.addEventListener('beforeprint', onPrintEvent);
  window.addEventListener('afterprint', onPrintEvent);
  return () => {
    window.removeEventListener('beforeprint', onPrintEvent);
    window.removeEventListener('afterprint', onPrintEvent);
  };
}

/** True while the page is laid out for printing: all content, in the light mode. */
export function usePrinting(): boolean {
  return useSyncExternalStore(subscribePrinting, () => printing);
}

/** Follows a media query. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (changed: () => void) => {
      const media = window.matchMedia(query);
      media.addEventListener('change', changed);
      return () => media.removeEventListener('change', changed);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}

/** A phone or a narrow window (visual design, section 10): bottom bar, drawers as sheets, lists as cards. */
export const NARROW = '(max-width: 899px)';

export const useNarrow = (): boolean => useMediaQuery(NARROW);
