import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight, Download, Ellipsis, List, Trash2 } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { SavedState } from '@/annotation/connected/saved-state';
import type { Labelling } from '@/annotation/connected/labelling';
import { Button } from '@/components/button';
import { useFormat } from '@/components/format';
import { IconButton } from '@/components/icon-button';
import { Menu } from '@/components/menu';
import { Toolbar } from '@/components/page';
import styles from './documents.module.css';

export interface Place {
  /** From 0; undefined for a document opened by name. */
  readonly index: number | undefined;
  readonly total: number;
}

interface DocumentToolbarProps {
  readonly place: Place;
  readonly listPath: string;
  readonly labelling: Labelling;
  readonly writable: boolean;
  readonly onMove: (index: number) => void;
  readonly onDownload: (() => void) | undefined;
  readonly onDelete: (() => void) | undefined;
}

const typing = (event: KeyboardEvent) =>
  (event.target as HTMLElement | null)?.closest('input, textarea, select, [contenteditable], [role="dialog"], [role="menu"]') !== null;

/** `Alt` left and right: previous and next document. */
function useMoveKeys({ index, total }: Place, onMove: (index: number) => void): void {
  useEffect(() => {
    if (index === undefined) return undefined;
    const listen = (event: KeyboardEvent) => {
      const step = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
      if (step === 0 || !event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || typing(event)) return;
      // Also keeps the browser from going back.
      event.preventDefault();
      const next = index + step;
      if (next >= 0 && next < total) onMove(next);
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [index, total, onMove]);
}

/** S-007: previous stops at the first, next at the last. */
function Moves({
  index,
  total,
  onMove,
}: {
  readonly index: number;
  readonly total: number;
  readonly onMove: (index: number) => void;
}): ReactNode {
  const { t } = useTranslation('documents');
  const format = useFormat();
  const atStart = index <= 0;
  const atEnd = index >= total - 1;
  return (
    <nav className={styles['moves']} aria-label={t('move.label')}>
      <IconButton label={t('move.first')} icon={ChevronsLeft} disabled={atStart} onClick={() => onMove(0)} />
      <IconButton label={t('move.previous')} icon={ChevronLeft} keyCap="Alt ←" disabled={atStart} onClick={() => onMove(index - 1)} />
      <span className={styles['place']}>{t('move.place', { index: format.number(index + 1), total: format.number(total) })}</span>
      <IconButton label={t('move.next')} icon={ChevronRight} keyCap="Alt →" disabled={atEnd} onClick={() => onMove(index + 1)} />
      <IconButton label={t('move.last')} icon={ChevronsRight} disabled={atEnd} onClick={() => onMove(total - 1)} />
    </nav>
  );
}

export function DocumentToolbar({ place, listPath, labelling, writable, onMove, onDownload, onDelete }: DocumentToolbarProps): ReactNode {
  const { t } = useTranslation('documents');
  useMoveKeys(place, onMove);
  const entries = [
    ...(onDownload === undefined ? [] : [{ key: 'download', label: t('download'), icon: Download, onSelect: onDownload }]),
    ...(onDelete === undefined ? [] : [{ key: 'delete', label: t('deleteOne'), icon: Trash2, danger: true, onSelect: onDelete }]),
  ];
  return (
    <Toolbar
      end={
        <>
          {writable && <SavedState labelling={labelling} />}
          {entries.length > 0 && (
            <Menu
              label={t('more')}
              align="right"
              entries={entries}
              trigger={(props) => <IconButton label={t('more')} icon={Ellipsis} {...props} />}
            />
          )}
        </>
      }
    >
      <Button kind="quiet" small icon={List} to={listPath}>
        {t('backToList')}
      </Button>
      {place.index !== undefined && place.total > 0 && <Moves index={place.index} total={place.total} onMove={onMove} />}
    </Toolbar>
  );
}
