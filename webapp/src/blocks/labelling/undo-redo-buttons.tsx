import { Redo2, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '@/ui/format';
import { IconButton } from '@/ui/icon-button';
import { useCommands } from '@/ui/command-registry';
import type { NextHistoryOperation } from '@/api/resources/history';
import { useHistoryEntryTexts } from './history-entry-text';
import type { ProjectUndoRedo } from '@/labelling-sync/use-undo-redo';

const onMac = typeof navigator !== 'undefined' && /mac/i.test(navigator.userAgent);
const KEY_CAPS = onMac ? { undo: '⌘ Z', redo: '⇧ ⌘ Z' } : { undo: 'Ctrl Z', redo: 'Ctrl Shift Z' };

/** Undo and redo, with their keys and a description of what comes next; announces what was done. */
export function UndoRedoButtons({ undoRedo }: { readonly undoRedo: ProjectUndoRedo }): ReactNode {
  const { t } = useTranslation('history');
  const format = useFormat();
  const { title } = useHistoryEntryTexts();
  const reason = (next: NextHistoryOperation | undefined) => {
    if (next === undefined) return undefined;
    return next.count === 1 ? title(next.entry) : t('changes', { count: next.count, number: format.number(next.count) });
  };
  useCommands(() => [
    { id: 'history.undo', title: t('undo'), section: 'annotation', keys: ['Mod+Z'], run: () => undoRedo.undoOrRedo('undo') },
    { id: 'history.redo', title: t('redo'), section: 'annotation', keys: ['Mod+Shift+Z', 'Mod+Y'], run: () => undoRedo.undoOrRedo('redo') },
  ]);
  const said = undoRedo.last === undefined ? '' : t(`said.${undoRedo.last.kind}`, { count: undoRedo.last.result.changed });
  return (
    <>
      <IconButton
        label={t('undo')}
        icon={Undo2}
        keyCap={KEY_CAPS.undo}
        reason={reason(undoRedo.undo)}
        disabled={undoRedo.undo === undefined}
        onClick={() => undoRedo.undoOrRedo('undo')}
      />
      <IconButton
        label={t('redo')}
        icon={Redo2}
        keyCap={KEY_CAPS.redo}
        reason={reason(undoRedo.redo)}
        disabled={undoRedo.redo === undefined}
        onClick={() => undoRedo.undoOrRedo('redo')}
      />
      <span className="visually-hidden" role="status">
        {said}
      </span>
    </>
  );
}
