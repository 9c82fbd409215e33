import { Redo2, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '@/components/format';
import { IconButton } from '@/components/icon-button';
import { useCommands } from '@/components/key-registry';
import type { NextTurn } from '@/api/resources/history';
import { useEntryWords } from './history-words';
import type { ProjectTurns } from './use-turns';

const onMac = typeof navigator !== 'undefined' && /mac/i.test(navigator.userAgent);
const CAPS = onMac ? { undo: '⌘ Z', redo: '⇧ ⌘ Z' } : { undo: 'Ctrl Z', redo: 'Ctrl Shift Z' };

/** Undo and redo, with their keys, and what comes next in words; what was done is said. */
export function TurnButtons({ turns }: { readonly turns: ProjectTurns }): ReactNode {
  const { t } = useTranslation('history');
  const format = useFormat();
  const { title } = useEntryWords();
  const reason = (next: NextTurn | undefined) => {
    if (next === undefined) return undefined;
    return next.count === 1 ? title(next.entry) : t('changes', { count: next.count, number: format.number(next.count) });
  };
  useCommands(() => [
    { id: 'history.undo', title: t('undo'), section: 'annotation', keys: ['Mod+Z'], run: () => turns.turn('undo') },
    { id: 'history.redo', title: t('redo'), section: 'annotation', keys: ['Mod+Shift+Z', 'Mod+Y'], run: () => turns.turn('redo') },
  ]);
  const said = turns.last === undefined ? '' : t(`said.${turns.last.kind}`, { count: turns.last.turned.changed });
  return (
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
      <span className="visually-hidden" role="status">
        {said}
      </span>
    </>
  );
}
