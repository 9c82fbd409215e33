import { useState, type ReactElement } from 'react';
import { lazyPart } from './lazy-part';
import type { MenuEntry } from './menu-entry';

export type { MenuEntry } from './menu-entry';

export interface MenuTriggerProps {
  readonly 'aria-expanded': boolean;
  readonly 'aria-haspopup': 'menu';
  readonly onClick: (event: { currentTarget: HTMLElement }) => void;
}

export interface MenuProps {
  readonly entries: readonly MenuEntry[];
  /** Renders the button; spread the props on it. */
  readonly trigger: (props: MenuTriggerProps) => ReactElement;
  readonly label: string;
  readonly align?: 'left' | 'right';
}

const MenuPopup = lazyPart(async () => (await import('./menu-popup')).MenuPopup);

export function Menu({ entries, trigger, label, align = 'left' }: MenuProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      {trigger({ 'aria-expanded': anchor !== null, 'aria-haspopup': 'menu', onClick: (event) => setAnchor(event.currentTarget) })}
      {anchor !== null && <MenuPopup anchor={anchor} entries={entries} label={label} align={align} onClose={() => setAnchor(null)} />}
    </>
  );
}
