import type { ReactNode } from 'react';
import styles from './failure-text.module.css';

/** Why something failed, in a tinted box; read out at once. */
export function FailureText({ children }: { readonly children: ReactNode }) {
  return (
    <p className={styles['failed']} role="alert">
      {children}
    </p>
  );
}
