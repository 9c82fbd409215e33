import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useFormat } from '@/ui/format';
import { Tooltip } from '@/ui/tooltip';
import styles from './charts.module.css';

export interface CoOccurrenceMatrixProps {
  readonly label: string;
  readonly names: readonly string[];
  /** Header of a row and a column: the tag of a label. */
  readonly head: (place: number) => ReactNode;
  readonly counts: readonly (readonly number[])[];
  /** Tooltip and screen reader text. */
  readonly cellTitle: (row: number, column: number, count: number) => string;
  readonly to: (row: number, column: number) => string | undefined;
}

const MOST = 52;

/** Co-occurrence counts: the diagonal tinted with `ring`, pairs tinted by their share of the most frequent pair. */
export function CoOccurrenceMatrix({ label, names, head, counts, cellTitle, to }: CoOccurrenceMatrixProps) {
  const format = useFormat();
  const pairs = counts.flatMap((row, place) => row.filter((_count, column) => column !== place));
  const tops = { pair: Math.max(1, ...pairs), alone: Math.max(1, ...counts.map((row, place) => row[place] ?? 0)) };
  return (
    <div className={styles['matrix']} tabIndex={0} role="region" aria-label={label}>
      <table aria-label={label}>
        <thead>
          <tr>
            <td />
            {names.map((name, place) => (
              <th key={name} scope="col" title={name}>
                {head(place)}
                <span className="visually-hidden">{name}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {names.map((name, row) => (
            <tr key={name}>
              <th scope="row" title={name}>
                {head(row)}
                <span className="visually-hidden">{name}</span>
              </th>
              {names.map((other, column) => {
                const count = counts[row]?.[column] ?? 0;
                const own = row === column;
                const share = Math.round((MOST * count) / (own ? tops.alone : tops.pair));
                const path = count > 0 ? to(row, column) : undefined;
                const style =
                  count > 0 ? { background: `color-mix(in oklab, var(${own ? '--ring' : '--warning'}) ${share}%, var(--surface))` } : {};
                return (
                  <td key={other} style={style} data-empty={count === 0 || undefined}>
                    <Tooltip title={cellTitle(row, column, count)}>
                      {path === undefined ? (
                        <span>{count === 0 ? '·' : format.number(count)}</span>
                      ) : (
                        <Link to={path}>{format.number(count)}</Link>
                      )}
                    </Tooltip>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
