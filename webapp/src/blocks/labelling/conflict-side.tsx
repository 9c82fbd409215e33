import type { ReactNode } from 'react';
import styles from './labelling.module.css';

/** One of the two states that a conflict dialog shows beside each other. */
export function ConflictSide({ title, lines }: { readonly title: string; readonly lines: readonly string[] }): ReactNode {
  return (
    <section className={styles['side']}>
      <h3>{title}</h3>
      {lines.map((line) => (
        <p key={line} dir="auto">
          {line}
        </p>
      ))}
    </section>
  );
}
