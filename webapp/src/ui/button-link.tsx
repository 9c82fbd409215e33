import { Link } from 'react-router';
import { ButtonContent, buttonLook, type ButtonProps } from './button';

export interface ButtonLinkProps extends Pick<ButtonProps, 'children' | 'kind' | 'icon' | 'small' | 'aria-label'> {
  readonly to: string;
}

/** A router link that looks like a button. */
export function ButtonLink({ to, children, kind, icon, small, 'aria-label': name }: ButtonLinkProps) {
  return (
    <Link to={to} aria-label={name} {...buttonLook({ kind, small })}>
      <ButtonContent {...{ icon, small }}>{children}</ButtonContent>
    </Link>
  );
}
