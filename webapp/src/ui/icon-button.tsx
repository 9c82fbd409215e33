import type { LucideIcon } from 'lucide-react';
import type { MouseEventHandler, ReactNode, Ref } from 'react';
import { Tooltip } from './tooltip';
import styles from './ui.module.css';

export interface IconButtonProps {
  /** Accessible name and tooltip. */
  readonly label: string;
  readonly icon: LucideIcon;
  readonly small?: boolean;
  readonly disabled?: boolean;
  readonly onClick?: MouseEventHandler<HTMLButtonElement>;
  /** Second line of the tooltip, such as the reason it is disabled. */
  readonly reason?: ReactNode;
  readonly keyCap?: string;
  readonly ref?: Ref<HTMLButtonElement>;
  readonly 'aria-expanded'?: boolean;
  readonly 'aria-haspopup'?: 'menu' | 'dialog';
  readonly 'aria-pressed'?: boolean;
  readonly 'aria-controls'?: string;
  readonly className?: string;
  readonly tabIndex?: number;
}

/** A button with only an icon: always with a name and a tooltip after 200 ms (C-007). */
export function IconButton({ label, icon: Icon, small = false, disabled = false, reason, keyCap, className, ...rest }: IconButtonProps) {
  return (
    <Tooltip title={label} detail={reason} {...(keyCap === undefined ? {} : { keyCap })}>
      <span>
        <button
          type="button"
          aria-label={label}
          disabled={disabled}
          data-small={small || undefined}
          className={[styles['icon-button'], className].filter(Boolean).join(' ')}
          {...rest}
        >
          <Icon size={small ? 14 : 16} aria-hidden />
        </button>
      </span>
    </Tooltip>
  );
}
