import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { usePersonName } from '@/blocks/projects/person-name';
import styles from './labelling.module.css';
import { ConflictSide } from './conflict-side';
import { useHistoryEntryTexts } from './history-entry-text';
import type { ProjectUndoRedo } from '@/labelling-sync/use-undo-redo';

/** 409: somebody else changed the same since. Shows how it would be beside how it is; the person decides. */
export function UndoConflictDialog({ undoRedo }: { readonly undoRedo: ProjectUndoRedo }): ReactNode {
  const { t } = useTranslation('history');
  const words = useHistoryEntryTexts();
  const personName = usePersonName();
  const [first, ...others] = undoRedo.conflicts ?? [];
  if (first === undefined) return null;
  const firm = (undoRedo.conflicts ?? []).every((one) => one.firm);
  return (
    <Dialog
      open
      width="small"
      title={t('conflict.title')}
      onClose={() => undoRedo.decide(undefined)}
      secondary={
        <Button kind="quiet" onClick={() => undoRedo.decide(undefined)}>
          {t('common:cancel')}
        </Button>
      }
      actions={
        <>
          {!firm && <Button onClick={() => undoRedo.decide('mine')}>{t('conflict.mine')}</Button>}
          <Button kind="solid" autoFocus onClick={() => undoRedo.decide('theirs')}>
            {t('conflict.theirs')}
          </Button>
        </>
      }
    >
      <p>
        {first.later === undefined
          ? t('conflict.changed')
          : t('conflict.by', { name: personName(first.later.by), what: words.title(first.later) })}
      </p>
      <div className={styles['sides']}>
        <ConflictSide title={t('conflict.now')} lines={words.state(first.other ?? first.current)} />
        <ConflictSide title={t('conflict.then')} lines={words.state(first.entry.before)} />
      </div>
      {others.length > 0 && <p>{t('conflict.others', { count: others.length })}</p>}
    </Dialog>
  );
}
