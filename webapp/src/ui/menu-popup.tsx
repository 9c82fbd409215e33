import MuiMenu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Divider from '@mui/material/Divider';
import ListSubheader from '@mui/material/ListSubheader';
import { Check } from 'lucide-react';
import { useId } from 'react';
import { Link } from 'react-router';
import type { MenuEntry } from './menu-entry';
import { MuiRoot } from './mui-root';
import styles from './ui.module.css';

export interface MenuPopupProps {
  readonly anchor: HTMLElement;
  readonly entries: readonly MenuEntry[];
  readonly label: string;
  readonly align: 'left' | 'right';
  readonly onClose: () => void;
}

function linkProps(entry: { to?: string; href?: string }): object {
  if (entry.to !== undefined) return { component: Link, to: entry.to };
  if (entry.href !== undefined) return { component: 'a', href: entry.href, target: '_blank', rel: 'noreferrer' };
  return {};
}

/** The open list of a menu. */
export function MenuPopup({ anchor, entries, label, align, onClose }: MenuPopupProps) {
  const id = useId();
  return (
    <MuiRoot>
      <MuiMenu
        open
        anchorEl={anchor}
        onClose={onClose}
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
                onClose();
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
    </MuiRoot>
  );
}
