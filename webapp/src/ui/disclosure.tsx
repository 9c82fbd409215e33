/** A part that is folded until it is asked for, with the arrow of the other folded parts. */
import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './disclosure.module.css';

export interface DisclosureProps {
  readonly summary: ReactNode;
  /** Unfolded at first, and again whenever it becomes true. */
  readonly open?: boolean;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

export function Disclosure({ summary, open = false, className, children }: DisclosureProps): ReactNode {
  return (
    <details className={className === undefined ? styles['disclosure'] : `${styles['disclosure'] ?? ''} ${className}`} open={open}>
      <summary>
        <ChevronRight size={14} aria-hidden />
        {summary}
      </summary>
      {children}
    </details>
  );
}
