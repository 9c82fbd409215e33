import { History } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { UndoRedoButtons } from '@/blocks/labelling/undo-redo-buttons';
import type { UndoRedo } from '@/labelling-sync/use-undo-redo';
import { IconButton } from '@/ui/icon-button';
import { useCommands } from '@/ui/command-registry';
import { ToolbarMore } from '@/ui/toolbar';
import styles from './history.module.css';

interface HistoryButtonsProps {
  readonly undoRedo: UndoRedo;
  readonly writable: boolean;
  readonly open: boolean;
  readonly onToggle: () => void;
}

/** Undo, redo and the history of the document, with their keys. */
export function HistoryButtons({ undoRedo, writable, open, onToggle }: HistoryButtonsProps): ReactNode {
  const { t } = useTranslation('history');
  useCommands(() => [{ id: 'history.show', title: t(open ? 'hide' : 'open'), section: 'panels', run: onToggle }]);
  return (
    <span className={styles['buttons']}>
      {writable && <UndoRedoButtons undoRedo={undoRedo} />}
      <ToolbarMore>
        <IconButton label={t(open ? 'hide' : 'open')} icon={History} aria-pressed={open} onClick={onToggle} />
      </ToolbarMore>
    </span>
  );
}
