import { ArrowDown, ArrowUp } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { TextRange } from '@/annotation/model';
import { useFormat } from '@/ui/format';
import { IconButton } from '@/ui/icon-button';
import { useCommands } from '@/ui/command-registry';
import styles from './documents.module.css';

interface HitNavigationProps {
  /** Matches in the text, ascending, UTF-16. */
  readonly hits: readonly TextRange[];
  readonly onShow: (hit: TextRange) => void;
}

/** Moves from match to match inside the document, cyclically; `Alt` up and down. */
export function HitNavigation({ hits, onShow }: HitNavigationProps): ReactNode {
  const { t } = useTranslation('documents');
  const format = useFormat();
  const [at, setAt] = useState(0);
  const total = hits.length;
  const jump = (step: number) => {
    const next = (Math.min(at, total - 1) + step + total) % total;
    const hit = hits[next];
    if (hit === undefined) return;
    setAt(next);
    onShow(hit);
  };
  useCommands(() =>
    total < 2
      ? []
      : [
          { id: 'document.nextHit', section: 'screen', title: t('hits.next'), keys: ['Alt+ArrowDown'], run: () => jump(1) },
          { id: 'document.previousHit', section: 'screen', title: t('hits.previous'), keys: ['Alt+ArrowUp'], run: () => jump(-1) },
        ],
  );
  if (total === 0) return null;
  const place = { index: format.number(Math.min(at, total - 1) + 1), total: format.number(total) };
  return (
    <div className={styles['moves']} role="group" aria-label={t('hits.label')}>
      <IconButton label={t('hits.previous')} icon={ArrowUp} keyCap="Alt ↑" disabled={total < 2} onClick={() => jump(-1)} />
      <span className={styles['place']} role="status" aria-label={t('hits.said', place)}>
        {t('hits.place', place)}
      </span>
      <IconButton label={t('hits.next')} icon={ArrowDown} keyCap="Alt ↓" disabled={total < 2} onClick={() => jump(1)} />
    </div>
  );
}
