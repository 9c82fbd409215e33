import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/button';
import { Dialog } from '@/components/dialog';
import { usePersonName } from '@/components/person-name';
import styles from './connected.module.css';
import { useEntryWords } from './history-words';
import type { ProjectTurns } from './use-turns';

function Side({ title, lines }: { readonly title: string; readonly lines: readonly string[] }): ReactNode {
  return (
    <section className={styles['side']}>
      <h3>{title}</h3>
      {lines.map((line) => (
        <p key={line} dir="auto">
          {line}
        </p>
      ))}
    </section>
  );
}

/** 409: somebody else changed the same since. Shows how it would be beside how it is; the person decides. */
export function TurnConflictDialog({ turns }: { readonly turns: ProjectTurns }): ReactNode {
  const { t } = useTranslation('history');
  const words = useEntryWords();
  const personName = usePersonName();
  const [first, ...others] = turns.conflicts ?? [];
  if (first === undefined) return null;
  const firm = (turns.conflicts ?? []).every((one) => one.firm);
  return (
    <Dialog
      open
      width="small"
      title={t('conflict.title')}
      onClose={() => turns.decide(undefined)}
      secondary={
        <Button kind="quiet" onClick={() => turns.decide(undefined)}>
          {t('common:cancel')}
        </Button>
      }
      actions={
        <>
          {!firm && <Button onClick={() => turns.decide('mine')}>{t('conflict.mine')}</Button>}
          <Button kind="solid" autoFocus onClick={() => turns.decide('theirs')}>
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
        <Side title={t('conflict.now')} lines={words.state(first.other ?? first.current)} />
        <Side title={t('conflict.then')} lines={words.state(first.entry.before)} />
      </div>
      {others.length > 0 && <p>{t('conflict.others', { count: others.length })}</p>}
    </Dialog>
  );
}
