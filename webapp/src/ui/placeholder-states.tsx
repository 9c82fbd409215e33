import { Check, Circle } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './ui.module.css';

/** Nothing for 200 ms: faster responses need no placeholder. */
export const SKELETON_DELAY_MS = 200;
const LONG_WAIT_MS = 10_000;

export function useHasElapsed(ms: number): boolean {
  const [elapsed, setElapsed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setElapsed(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return elapsed;
}

export interface SkeletonProps {
  /** Number of placeholder lines, of the final size. */
  readonly rows?: number;
  readonly rowHeight?: number;
  /** Shown after ten seconds. */
  readonly waitingFor?: string;
}

export function Skeleton({ rows = 6, rowHeight = 38, waitingFor }: SkeletonProps) {
  const { t } = useTranslation('common');
  const shown = useHasElapsed(SKELETON_DELAY_MS);
  const long = useHasElapsed(LONG_WAIT_MS);
  return (
    <div role="status" aria-label={t('loading')} className={styles['skeleton']} style={{ minHeight: rows * rowHeight }}>
      {shown &&
        Array.from({ length: rows }, (_row, index) => (
          <div key={index} style={{ height: rowHeight }}>
            <span style={{ width: `${62 - ((index * 17) % 34)}%` }} />
          </div>
        ))}
      {long && <p className={styles['skeleton-text']}>{waitingFor ?? t('stillLoading')}</p>}
    </div>
  );
}

export interface EmptyStateProps {
  readonly title: string;
  /** What belongs here. */
  readonly children?: ReactNode;
  /** What is missing, with counts. */
  readonly checklist?: readonly { readonly key: string; readonly text: string; readonly done: boolean; readonly figure?: string }[];
  /** One solid button and one alternative. */
  readonly actions?: ReactNode;
  /** One help link. */
  readonly help?: ReactNode;
}

const LINES = [
  [38, 0, 90, 1, 55, 0],
  [72, 1, 52, 0, 78, 0],
  [26, 0, 106, 0, 46, 1],
  [58, 0, 56, 1, 30, 0],
];

/** A grey drawing of text lines with dashed spans. */
function EmptyStateDrawing() {
  return (
    <svg width="210" height="80" aria-hidden className={styles['empty-drawing']}>
      {LINES.map((line, row) => {
        let x = 0;
        return [0, 2, 4].map((at) => {
          const width = line[at] ?? 0;
          const left = x;
          x += width + 8;
          const y = 6 + row * 21;
          return line[at + 1] === 1 ? (
            <g key={`${row}-${at}`}>
              <rect x={left} y={y - 5} width={width} height={9} rx={1} fill="var(--sunken)" />
              <line x1={left} x2={left + width} y1={y + 6} y2={y + 6} stroke="var(--text3)" strokeWidth="1.5" strokeDasharray="4 3" />
            </g>
          ) : (
            <rect key={`${row}-${at}`} x={left} y={y - 2} width={width} height={3} rx={1.5} fill="var(--line2)" />
          );
        });
      })}
    </svg>
  );
}

export function EmptyState({ title, children, checklist, actions, help }: EmptyStateProps) {
  return (
    <section className={styles['empty']}>
      <EmptyStateDrawing />
      <h2>{title}</h2>
      {children !== undefined && <div className={styles['empty-text']}>{children}</div>}
      {checklist !== undefined && (
        <ul className={styles['empty-list']}>
          {checklist.map((item) => (
            <li key={item.key} data-done={item.done || undefined}>
              {item.done ? <Check size={16} aria-hidden /> : <Circle size={16} aria-hidden />}
              <span>{item.text}</span>
              <small>{item.figure}</small>
            </li>
          ))}
        </ul>
      )}
      <div className={styles['empty-actions']}>
        {actions}
        {help !== undefined && <span className={styles['empty-help']}>{help}</span>}
      </div>
    </section>
  );
}
