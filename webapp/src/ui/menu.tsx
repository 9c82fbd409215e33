import MuiMenu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Divider from '@mui/material/Divider';
import ListSubheader from '@mui/material/ListSubheader';
import type { LucideIcon } from 'lucide-react';
import { Check } from 'lucide-react';
import { useId, useState, type ReactElement, type ReactNode } from 'react';
import { Link } from 'react-router';
import styles from './ui.module.css';

export type MenuEntry =
  | { readonly kind: 'divider'; readonly key: string }
  | { readonly kind: 'title'; readonly key: string; readonly label: string }
  | {
      readonly kind?: 'item';
      readonly key: string;
      readonly label: ReactNode;
      readonly icon?: LucideIcon;
      readonly onSelect?: () => void;
      readonly to?: string;
      readonly href?: string;
      readonly disabled?: boolean;
      readonly danger?: boolean;
      readonly checked?: boolean;
      readonly aside?: ReactNode;
    };

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

function linkProps(entry: { to?: string; href?: string }): object {
  if (entry.to !== undefined) return { component: Link, to: entry.to };
  if (entry.href !== undefined) return { component: 'a', href: entry.href, target: '_blank', rel: 'noreferrer' };
  return {};
}

export function Menu({ entries, trigger, label, align = 'left' }: MenuProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const id = useId();
  const close = () => setAnchor(null);
  return (
    <>
      {trigger({ 'aria-expanded': anchor !== null, 'aria-haspopup': 'menu', onClick: (event) => setAnchor(event.currentTarget) })}
      <MuiMenu
        anchorEl={anchor}
        open={anchor !== null}
        onClose={close}
        anchorOrigin={{ vertical: 'bottom', horizontal: align }}
        transformOrigin={{ vertical: 'top', horizontal: align }}
        slotProps={{ list: { 'aria-label': label, id } }}
      >
        {entries.map((entry) => {
          if (entry.kind === 'divider') return <Divider key={entry.key} sx={{ my: 1 }} />;
          if (entry.kind === 'title')
            return (
              // A heading would be a list item, which is not allowed in a menu.
              <ListSubheader key={entry.key} role="presentation">
                {entry.label}
              </ListSubheader>
            );
          const Icon = entry.icon;
          return (
            <MenuItem
              key={entry.key}
              disabled={entry.disabled === true}
              selected={entry.checked === true}
              aria-current={entry.checked === true || undefined}
              className={entry.danger === true ? styles['menu-danger'] : undefined}
              onClick={() => {
                close();
                entry.onSelect?.();
              }}
              {...linkProps(entry)}
            >
              {Icon !== undefined && <Icon size={16} aria-hidden />}
              <span className={styles['menu-label']}>{entry.label}</span>
              {entry.aside}
              {entry.checked === true && <Check size={14} aria-hidden />}
            </MenuItem>
          );
        })}
      </MuiMenu>
    </>
  );
}
