import i18next from 'i18next';
import type { LucideIcon } from 'lucide-react';
import { Ban, Check, LoaderCircle, Pause, TriangleAlert, X } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './ui.module.css';

export type Tone = 'neutral' | 'primary' | 'success' | 'warning' | 'error' | 'info';

export interface BadgeProps {
  readonly children: ReactNode;
  readonly tone?: Tone;
  readonly icon?: LucideIcon;
  readonly spinning?: boolean;
}

/** A short state or count, 11/16, with the background tint of its tone. */
export function Badge({ children, tone = 'neutral', icon: Icon, spinning = false }: BadgeProps) {
  return (
    <span className={styles['badge']} data-tone={tone}>
      {Icon !== undefined && <Icon size={12} aria-hidden className={spinning ? 'turning' : undefined} />}
      {children}
    </span>
  );
}

/** Possible states; their text is in the screen's catalogue. */
export type StatusName = 'draft' | 'running' | 'paused' | 'completed' | 'stale' | 'failed' | 'cancelled' | 'readOnly';

const STATUS: Record<StatusName, { tone: Tone; icon?: LucideIcon; turning?: boolean }> = {
  draft: { tone: 'neutral' },
  running: { tone: 'primary', icon: LoaderCircle, turning: true },
  paused: { tone: 'warning', icon: Pause },
  completed: { tone: 'success', icon: Check },
  stale: { tone: 'warning', icon: TriangleAlert },
  failed: { tone: 'error', icon: X },
  cancelled: { tone: 'neutral', icon: Ban },
  readOnly: { tone: 'info' },
};

export function StatusBadge({ status, children }: { readonly status: StatusName; readonly children: ReactNode }) {
  return <Badge {...STATUS[status]}>{children}</Badge>;
}

/** Key names in the user's language: `Shift Y` is `Maj Y` in French. */
const localizedKeys = (keys: string) =>
  keys
    .split(' ')
    .map((key) => i18next.t(`keys:cap.${key}`, { defaultValue: key }))
    .join(' ');

/** A key of the keyboard, 18 px. */
export function KeyCap({ children, inButton = false }: { readonly children: ReactNode; readonly inButton?: boolean }) {
  return (
    <kbd className={styles['key']} data-in-button={inButton || undefined} aria-hidden={inButton || undefined}>
      {typeof children === 'string' ? localizedKeys(children) : children}
    </kbd>
  );
}
