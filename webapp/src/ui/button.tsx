import type { LucideIcon } from 'lucide-react';
import { LoaderCircle } from 'lucide-react';
import type { MouseEventHandler, ReactNode, Ref } from 'react';
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

interface ContentProps {
  readonly children: ReactNode;
  readonly icon?: LucideIcon | undefined;
  readonly endIcon?: LucideIcon | undefined;
  readonly small?: boolean | undefined;
  readonly busy?: boolean;
  readonly keyCap?: string | undefined;
}

export function ButtonContent({ children, icon: Icon, endIcon: EndIcon, small, busy, keyCap }: ContentProps) {
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

interface Look {
  readonly kind?: ButtonKind | undefined;
  readonly small?: boolean | undefined;
  readonly fullWidth?: boolean | undefined;
  readonly className?: string | undefined;
}

/** Class and attributes of an element that looks like a button. */
export const buttonLook = ({ kind = 'outline', small, fullWidth, className }: Look) => ({
  className: [styles['button'], styles[`button-${kind}`], className].filter(Boolean).join(' '),
  'data-small': small === true || undefined,
  'data-wide': fullWidth === true || undefined,
});

/** For a link that looks like a button there is `ButtonLink`: the first page has buttons, but no router. */
export function Button({
  children,
  kind,
  icon,
  endIcon,
  small = false,
  busy = false,
  keyCap,
  disabled,
  fullWidth,
  type = 'button',
  className,
  ref,
  ...rest
}: ButtonProps) {
  return (
    <button ref={ref} type={type} disabled={disabled === true || busy} {...buttonLook({ kind, small, fullWidth, className })} {...rest}>
      <ButtonContent {...{ icon, endIcon, small, busy, keyCap }}>{children}</ButtonContent>
    </button>
  );
}
