import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Annotation } from '@/api/resources/annotations';
import { Button } from '@/components/button';
import { Dialog } from '@/components/dialog';
import styles from './connected.module.css';
import type { ChangeEdit, RemoveEdit } from './edits';
import { useEdits } from './edits-store';
import type { Labelling } from './labelling';
import { useProjectLabels } from './project-labels';

type Conflict = ChangeEdit | RemoveEdit;

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

function useLines() {
  const { t } = useTranslation('labelling');
  const { nameOf } = useProjectLabels();
  const said = (annotation: Partial<Annotation>) =>
    [
      annotation.text,
      annotation.labelName && nameOf(annotation.labelName),
      annotation.status !== undefined && t(`search:status.${annotation.status ?? 'undefined'}`),
    ].filter((line): line is string => typeof line === 'string' && line !== '');
  const mine = (edit: Conflict): string[] =>
    edit.kind === 'remove' ? [t('conflict.removed')] : said({ ...edit.current, ...edit.patch } as Partial<Annotation>);
  return { said, mine };
}

/** 412: shows what we wanted beside what somebody else left; nothing is overwritten without a decision. */
export function ConflictDialog({
  labelling,
  documentIdentifier,
}: {
  readonly labelling: Labelling;
  readonly documentIdentifier?: string;
}): ReactNode {
  const { t } = useTranslation('labelling');
  const { said, mine } = useLines();
  const edits = useEdits(labelling.project, documentIdentifier);
  const edit = edits.find((other): other is Conflict => other.state === 'conflict' && (other.kind === 'change' || other.kind === 'remove'));
  if (edit?.current === undefined) return null;
  return (
    <Dialog
      open
      locked
      width="small"
      title={t('conflict.title')}
      onClose={() => labelling.takeCurrent(edit)}
      actions={
        <>
          <Button onClick={() => labelling.applyMine(edit)}>{t('conflict.applyMine')}</Button>
          <Button kind="solid" autoFocus onClick={() => labelling.takeCurrent(edit)}>
            {t('conflict.takeCurrent')}
          </Button>
        </>
      }
    >
      <p>{t('conflict.text')}</p>
      <div className={styles['sides']}>
        <Side title={t('conflict.mine')} lines={mine(edit)} />
        <Side title={t('conflict.current')} lines={said(edit.current)} />
      </div>
    </Dialog>
  );
}
