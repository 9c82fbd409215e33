import { History, Redo2, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Turns } from '@/annotation/connected/use-turns';
import { useFormat } from '@/components/format';
import { IconButton } from '@/components/icon-button';
import { useCommands } from '@/components/key-registry';
import type { NextTurn } from '@/api/resources/history';
import { useEntryWords } from './history-words';
import styles from './history.module.css';

const onMac = typeof navigator !== 'undefined' && /mac/i.test(navigator.userAgent);
const CAPS = onMac ? { undo: '⌘ Z', redo: '⇧ ⌘ Z' } : { undo: 'Ctrl Z', redo: 'Ctrl Shift Z' };

interface HistoryButtonsProps {
  readonly turns: Turns;
  readonly writable: boolean;
  readonly open: boolean;
  readonly onToggle: () => void;
}

/** Undo, redo and the history of the document, with their keys. */
export function HistoryButtons({ turns, writable, open, onToggle }: HistoryButtonsProps): ReactNode {
  const { t } = useTranslation('history');
  const format = useFormat();
  const { title } = useEntryWords();
  const reason = (next: NextTurn | undefined) => {
    if (next === undefined) return undefined;
    return next.count === 1 ? title(next.entry) : t('changes', { count: next.count, number: format.number(next.count) });
  };
  useCommands(() => [
    { id: 'history.show', title: t(open ? 'hide' : 'open'), section: 'panels', run: onToggle },
    ...(writable
      ? [
          { id: 'history.undo', title: t('undo'), section: 'annotation' as const, keys: ['Mod+Z'], run: () => turns.turn('undo') },
          {
            id: 'history.redo',
            title: t('redo'),
            section: 'annotation' as const,
            keys: ['Mod+Shift+Z', 'Mod+Y'],
            run: () => turns.turn('redo'),
          },
        ]
      : []),
  ]);
  const said = turns.last === undefined ? '' : t(`said.${turns.last.kind}`, { count: turns.last.turned.changed });
  return (
    <span className={styles['buttons']}>
      {writable && (
        <>
          <IconButton
            label={t('undo')}
            icon={Undo2}
            keyCap={CAPS.undo}
            reason={reason(turns.undo)}
            disabled={turns.undo === undefined}
            onClick={() => turns.turn('undo')}
          />
          <IconButton
            label={t('redo')}
            icon={Redo2}
            keyCap={CAPS.redo}
            reason={reason(turns.redo)}
            disabled={turns.redo === undefined}
            onClick={() => turns.turn('redo')}
          />
        </>
      )}
      <IconButton label={t(open ? 'hide' : 'open')} icon={History} aria-pressed={open} onClick={onToggle} />
      <span className="visually-hidden" role="status">
        {said}
      </span>
    </span>
  );
}
