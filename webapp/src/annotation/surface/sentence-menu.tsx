/**
 * The menu for the categories of one sentence, opened from its number in the gutter or from the category at its end. The screen provides
 * the content.
 */
import { useState } from 'react';
import type { MouseEvent as ReactMouseEvent, ReactNode } from 'react';
import { AnchoredPopover, type PopoverPlace } from './popover';

export interface SentenceMenuContext {
  /** Where the sentence starts, UTF-16. */
  readonly start: number;
  readonly close: () => void;
}

export type RenderSentenceMenu = (context: SentenceMenuContext) => ReactNode;

export interface SentenceMenuState {
  /** Sentences have a menu button. */
  readonly active: boolean;
  readonly start: number | undefined;
  open(start: number): void;
  close(): void;
  /** True when the press was on a sentence's button: the text ignores it. A press elsewhere closes the menu. */
  press(event: ReactMouseEvent): boolean;
}

/** Also used where spans cannot be annotated: sentences may still have categories. */
export function useSentenceMenu(render: RenderSentenceMenu | undefined): SentenceMenuState {
  const active = render !== undefined;
  const [start, setStart] = useState<number | undefined>(undefined);
  return {
    active,
    start,
    open: setStart,
    close: () => setStart(undefined),
    press: (event) => {
      const button = active && event.target instanceof Element ? event.target.closest<HTMLElement>('[data-sentence]') : null;
      const at = button?.dataset.sentence;
      setStart(at === undefined || Number(at) === start ? undefined : Number(at));
      if (at === undefined) return false;
      event.preventDefault();
      return true;
    },
  };
}

interface SentenceMenuProps extends PopoverPlace {
  readonly menu: SentenceMenuState;
  readonly render: RenderSentenceMenu | undefined;
}

export function SentenceMenu({ menu, render, root, scroller }: SentenceMenuProps): ReactNode {
  const { start } = menu;
  if (start === undefined || render === undefined) return null;
  const close = (): void => {
    menu.close();
    root.current?.focus({ preventScroll: true });
  };
  return (
    <AnchoredPopover key={start} target={{ kind: 'sentence', start }} root={root} scroller={scroller} onLeave={close}>
      {render({ start, close })}
    </AnchoredPopover>
  );
}
