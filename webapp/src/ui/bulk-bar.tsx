import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from './format';
import { IconButton } from './icon-button';
import styles from './ui.module.css';

export interface BulkBarProps {
  readonly count: number;
  /** Number of search results; offers to select all of them. */
  readonly found?: number;
  readonly onSelectAll?: () => void;
  readonly onClose: () => void;
  /** Secondary buttons; the destructive one last (`kind="danger-text"`). */
  readonly children: ReactNode;
}

/** Floats at the bottom of the page while there is a selection. */
export function BulkBar({ count, found, onSelectAll, onClose, children }: BulkBarProps) {
  const { t } = useTranslation('common');
  const format = useFormat();
  if (count === 0) return null;
  return (
    <div className={styles['bulk']} role="toolbar" aria-label={t('bulk.label')}>
      <strong aria-live="polite">{t('bulk.selected', { count, number: format.number(count) })}</strong>
      {found !== undefined && onSelectAll !== undefined && found > count && (
        <button type="button" className={styles['link']} onClick={onSelectAll}>
          {t('bulk.selectAll', { number: format.number(found) })}
        </button>
      )}
      <span className={styles['bulk-line']} />
      {children}
      <span className={styles['bulk-line']} />
      <IconButton label={t('bulk.clear')} icon={X} onClick={onClose} />
    </div>
  );
}
