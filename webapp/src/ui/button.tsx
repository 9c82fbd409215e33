import MuiButton, { type ButtonProps as MuiButtonProps } from '@mui/material/Button';
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

const LOOK: Record<ButtonKind, Pick<MuiButtonProps, 'variant' | 'color'>> = {
  solid: { variant: 'contained', color: 'primary' },
  outline: { variant: 'outlined', color: 'inherit' },
  secondary: { variant: 'contained', color: 'secondary' },
  quiet: { variant: 'text', color: 'inherit' },
  danger: { variant: 'contained', color: 'error' },
  'danger-text': { variant: 'text', color: 'inherit' },
};

export function Button({
  children,
  kind = 'outline',
  icon: Icon,
  endIcon: EndIcon,
  small = false,
  busy = false,
  keyCap,
  to,
  disabled,
  className,
  ...rest
}: ButtonProps) {
  const size = small ? 14 : 16;
  const start = busy ? <LoaderCircle size={size} className="turning" /> : Icon === undefined ? undefined : <Icon size={size} />;
  const props: MuiButtonProps = {
    ...LOOK[kind],
    size: small ? 'small' : 'medium',
    disabled: disabled === true || busy,
    className: [styles['button'], styles[`button-${kind}`], className].filter(Boolean).join(' '),
    startIcon: start,
    endIcon: EndIcon === undefined ? undefined : <EndIcon size={14} />,
    ...rest,
  };
  const content = (
    <>
      {children}
      {keyCap !== undefined && <KeyCap inButton>{keyCap}</KeyCap>}
    </>
  );
  if (to === undefined) return <MuiButton {...props}>{content}</MuiButton>;
  return (
    <MuiButton {...(props as object)} component={Link} to={to}>
      {content}
    </MuiButton>
  );
}
