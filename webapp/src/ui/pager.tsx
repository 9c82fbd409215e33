import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useId, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from './format';
import { IconButton } from './icon-button';
import styles from './ui.module.css';

/** Rows a page that a list may have. */
export const PAGE_SIZES = [10, 25, 50, 100] as const;

export interface PagerProps {
  readonly from: number;
  readonly size: number;
  readonly total: number;
  /** False: the server stopped counting, shown as `1,000+` (S-023). */
  readonly exact?: boolean;
  readonly onChange: (from: number) => void;
  /** Offers numbers of rows a page, and a field to jump to a page. */
  readonly onSize?: (size: number) => void;
}

interface PageFieldProps {
  readonly page: number;
  readonly pages: number;
  readonly onPage: (page: number) => void;
}

/** `Page [3] of 308`: Enter goes to the page that was typed, Escape takes it back. */
function PageField({ page, pages, onPage }: PageFieldProps) {
  const { t } = useTranslation('common');
  const format = useFormat();
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const go = () => {
    const wanted = Number.parseInt((typed ?? '').replace(/\D/gu, ''), 10);
    setTyped(undefined);
    if (Number.isFinite(wanted)) onPage(Math.min(pages, Math.max(1, wanted)));
  };
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'Enter') go();
    if (key === 'Escape') setTyped(undefined);
  };
  return (
    <span className={styles['pager-jump']}>
      {t('pager.pageWord')}
      <input
        inputMode="numeric"
        aria-label={t('pager.jump')}
        value={typed ?? format.number(page)}
        onChange={(event) => setTyped(event.target.value)}
        onFocus={(event) => event.target.select()}
        onKeyDown={onKeyDown}
        onBlur={() => (typed === undefined ? undefined : go())}
      />
      {t('pager.ofPages', { pages: format.number(pages) })}
    </span>
  );
}

function SizeField({ size, onSize }: { readonly size: number; readonly onSize: (size: number) => void }) {
  const { t } = useTranslation('common');
  const id = useId();
  const sizes = [...new Set([...PAGE_SIZES, size])].sort((a, b) => a - b);
  return (
    <span className={styles['pager-size']}>
      <label htmlFor={id}>{t('pager.size')}</label>
      <select id={id} value={size} onChange={(event) => onSize(Number(event.target.value))}>
        {sizes.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
    </span>
  );
}

/** `1-10 of 27`, previous, `Page 1 of 3`, next. */
export function Pager({ from, size, total, exact = true, onChange, onSize }: PagerProps) {
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
      {onSize !== undefined && <SizeField size={size} onSize={onSize} />}
      <span className={styles['pager-move']}>
        <IconButton
          label={t('pager.previous')}
          icon={ChevronLeft}
          disabled={from <= 0}
          onClick={() => onChange(Math.max(0, from - size))}
        />
        {onSize !== undefined && pages > 1 ? (
          <PageField page={page} pages={pages} onPage={(next) => onChange((next - 1) * size)} />
        ) : (
          <span>{t('pager.page', { page: format.number(page), pages: format.number(pages) })}</span>
        )}
        <IconButton label={t('pager.next')} icon={ChevronRight} disabled={from + size >= total} onClick={() => onChange(from + size)} />
      </span>
    </nav>
  );
}
