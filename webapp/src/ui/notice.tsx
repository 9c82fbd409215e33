import { CircleX, Info, TriangleAlert, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './ui.module.css';

export interface NoticeProps {
  readonly tone: 'info' | 'warning' | 'error';
  readonly children: ReactNode;
  /** `alert` is read out immediately: for the result of an action. */
  readonly role?: 'note' | 'alert';
  readonly icon?: LucideIcon;
  /** What can be done about it, at the end. */
  readonly action?: ReactNode;
}

const ICONS = { info: Info, warning: TriangleAlert, error: CircleX } as const;

/** Information in place: tinted box, icon, text. */
export function Notice({ tone, children, role = 'note', icon: Icon = ICONS[tone], action }: NoticeProps) {
  return (
    <div className={styles['notice']} data-tone={tone} role={role}>
      <Icon size={16} aria-hidden />
      <div>{children}</div>
      {action !== undefined && action !== false && <span>{action}</span>}
    </div>
  );
}
