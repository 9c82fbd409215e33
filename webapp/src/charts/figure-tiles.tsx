import type { ReactNode } from 'react';
import { Link } from 'react-router';
import styles from './charts.module.css';

export interface FigureTile {
  readonly key: string;
  readonly name: string;
  readonly value: ReactNode;
  readonly note?: ReactNode;
  readonly to?: string | undefined;
}

/** The key figures at the top of a page. */
export function FigureTiles({ tiles }: { readonly tiles: readonly FigureTile[] }) {
  return (
    <dl className={styles['tiles']}>
      {tiles.map(({ key, name, value, note, to }) => (
        <div key={key}>
          <dt>{name}</dt>
          <dd>
            {to === undefined ? value : <Link to={to}>{value}</Link>}
            {note !== undefined && <small>{note}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
