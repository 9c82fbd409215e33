import { History } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { TurnButtons } from '@/annotation/connected/turn-buttons';
import type { Turns } from '@/annotation/connected/use-turns';
import { IconButton } from '@/components/icon-button';
import { useCommands } from '@/components/key-registry';
import styles from './history.module.css';

interface HistoryButtonsProps {
  readonly turns: Turns;
  readonly writable: boolean;
  readonly open: boolean;
  readonly onToggle: () => void;
}

/** Undo, redo and the history of the document, with their keys. */
export function HistoryButtons({ turns, writable, open, onToggle }: HistoryButtonsProps): ReactNode {
  const { t } = useTranslation('history');
  useCommands(() => [{ id: 'history.show', title: t(open ? 'hide' : 'open'), section: 'panels', run: onToggle }]);
  return (
    <span className={styles['buttons']}>
      {writable && <TurnButtons turns={turns} />}
      <IconButton label={t(open ? 'hide' : 'open')} icon={History} aria-pressed={open} onClick={onToggle} />
    </span>
  );
}
