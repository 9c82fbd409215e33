import type { LucideIcon } from 'lucide-react';
import { LoaderCircle } from 'lucide-react';
import type { MouseEventHandler, ReactNode, Ref } from 'react';
import { Link } from 'react-router';
import { KeyCap } from './badge';
import styles from './ui.module.css';

export type ButtonKind = 'solid' | 'outline' | 'secondary' | 'quiet' | 'danger' | 'danger-text';

export interface ButtonProps {
  readonly children: ReactNode;
  /** `solid`: at most one per region. `danger`: the last button of a destructive dialog. Default `outline`. */
  readonly kind?: ButtonKind;
  readonly icon?: LucideIcon;
  readonly endIcon?: LucideIcon;
  readonly small?: boolean;
  /** Keeps the width, shows a spinner and disables the button. */
  readonly busy?: boolean;
  readonly disabled?: boolean;
  /** Key shown inside the button. */
  readonly keyCap?: string;
  readonly type?: 'button' | 'submit';
  readonly onClick?: MouseEventHandler<HTMLButtonElement>;
  /** Renders a router link. */
  readonly to?: string;
  readonly ref?: Ref<HTMLButtonElement>;
  readonly autoFocus?: boolean;
  readonly fullWidth?: boolean;
  readonly form?: string;
  readonly title?: string;
  readonly id?: string;
  readonly className?: string;
  readonly 'aria-expanded'?: boolean;
  readonly 'aria-haspopup'?: 'menu' | 'dialog' | 'listbox';
  readonly 'aria-label'?: string;
  readonly 'aria-controls'?: string;
  readonly 'aria-pressed'?: boolean;
}

function ButtonContent({ children, icon: Icon, endIcon: EndIcon, small, busy, keyCap }: ButtonProps) {
  const size = small === true ? 14 : 16;
  return (
    <>
      {busy === true ? (
        <LoaderCircle size={size} className="turning" aria-hidden />
      ) : (
        Icon !== undefined && <Icon size={size} aria-hidden />
      )}
      {children}
      {keyCap !== undefined && <KeyCap inButton>{keyCap}</KeyCap>}
      {EndIcon !== undefined && <EndIcon size={14} aria-hidden className={styles['button-end']} />}
    </>
  );
}

export function Button({
  children,
  kind = 'outline',
  icon,
  endIcon,
  small = false,
  busy = false,
  keyCap,
  to,
  disabled,
  fullWidth = false,
  type = 'button',
  className,
  ref,
  ...rest
}: ButtonProps) {
  const off = disabled === true || busy;
  const classes = [styles['button'], styles[`button-${kind}`], className].filter(Boolean).join(' ');
  const shared = { className: classes, 'data-small': small || undefined, 'data-wide': fullWidth || undefined } as const;
  const content = <ButtonContent {...{ children, icon, endIcon, small, busy, keyCap }} />;
  if (to === undefined || off)
    return (
      <button ref={ref} type={type} disabled={off} {...shared} {...rest}>
        {content}
      </button>
    );
  return (
    <Link ref={ref as Ref<HTMLAnchorElement>} to={to} {...shared} {...(rest as object)}>
      {content}
    </Link>
  );
}
