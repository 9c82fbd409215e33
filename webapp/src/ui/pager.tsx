import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from './format';
import { IconButton } from './icon-button';
import styles from './ui.module.css';

export interface PagerProps {
  readonly from: number;
  readonly size: number;
  readonly total: number;
  /** False: the server stopped counting, shown as `1,000+` (S-023). */
  readonly exact?: boolean;
  readonly onChange: (from: number) => void;
}

/** `1-10 of 27`, previous, `Page 1 of 3`, next. */
export function Pager({ from, size, total, exact = true, onChange }: PagerProps) {
  const { t } = useTranslation('common');
  const format = useFormat();
  const count = `${format.number(total)}${exact ? '' : '+'}`;
  const pages = Math.max(1, Math.ceil(total / Math.max(1, size)));
  const page = Math.floor(from / Math.max(1, size)) + 1;
  return (
    <nav className={styles['pager']} aria-label={t('pager.label')}>
      <span>
        {t('pager.range', {
          first: format.number(total === 0 ? 0 : from + 1),
          last: format.number(Math.min(total, from + size)),
          total: count,
        })}
      </span>
      <span className={styles['pager-move']}>
        <IconButton
          label={t('pager.previous')}
          icon={ChevronLeft}
          disabled={from <= 0}
          onClick={() => onChange(Math.max(0, from - size))}
        />
        <span>{t('pager.page', { page: format.number(page), pages: format.number(pages) })}</span>
        <IconButton label={t('pager.next')} icon={ChevronRight} disabled={from + size >= total} onClick={() => onChange(from + size)} />
      </span>
    </nav>
  );
}
