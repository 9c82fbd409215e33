import { CircleX, Info, TriangleAlert, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './ui.module.css';

export interface NoticeProps {
  readonly tone: 'info' | 'warning' | 'error';
  readonly children: ReactNode;
  /** `alert` is read out at once: for what came after an act. */
  readonly role?: 'note' | 'alert';
  readonly icon?: LucideIcon;
}

const ICONS = { info: Info, warning: TriangleAlert, error: CircleX } as const;

/** Something to know, on its place: tinted box, sign, words. */
export function Notice({ tone, children, role = 'note', icon: Icon = ICONS[tone] }: NoticeProps) {
  return (
    <div className={styles['notice']} data-tone={tone} role={role}>
      <Icon size={16} aria-hidden />
      <div>{children}</div>
    </div>
  );
}
