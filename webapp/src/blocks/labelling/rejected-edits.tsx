import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import styles from './labelling.module.css';
import type { LabellingEdit } from '@/labelling-sync/edits/types';
import type { LabellingEditor } from '@/labelling-sync/labelling-editor';
import { useProjectLabels } from './project-labels';

interface RejectedEditsProps {
  readonly labelling: LabellingEditor;
  readonly edits: readonly LabellingEdit[];
  readonly open: boolean;
  readonly onClose: () => void;
}

/** A short description of the edit. */
function useEditDescription() {
  const { t } = useTranslation('labelling');
  const { nameOf } = useProjectLabels();
  return (edit: LabellingEdit): string => {
    switch (edit.kind) {
      case 'create':
        return t('refused.create', { label: nameOf(edit.body.labelName), text: edit.body.text });
      case 'change':
        return edit.patch.labelName === undefined
          ? t(edit.patch.status === undefined ? 'refused.resize' : 'refused.decide')
          : t('refused.relabel', { label: nameOf(edit.patch.labelName) });
      case 'category':
        return t('refused.category', { label: nameOf(edit.body.labelName) });
      case 'decideCategory':
      case 'dropCategory':
        return t(`refused.${edit.kind}`, { label: nameOf(edit.category.labelName) });
      case 'link':
        return t('refused.link', { name: edit.body.name });
      default:
        return t(`refused.${edit.kind}`);
    }
  };
}

/** Edits that the server refused: each with its reason, and buttons to retry or discard it. None is discarded automatically. */
export function RejectedEdits({ labelling, edits, open, onClose }: RejectedEditsProps): ReactNode {
  const { t } = useTranslation('labelling');
  const said = useEditDescription();
  return (
    <Dialog
      open={open}
      title={t('refused.title')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('common:close')}</Button>
          <Button kind="solid" onClick={() => labelling.retryAll()}>
            {t('refused.retryAll')}
          </Button>
        </>
      }
    >
      <ul className={styles['refused']}>
        {edits.map((edit) => (
          <li key={edit.idempotencyKey}>
            <div>
              <strong dir="auto">{said(edit)}</strong>
              <p>{t('refused.where', { document: edit.documentIdentifier })}</p>
              {edit.problem !== undefined && <p>{edit.problem.message}</p>}
              {edit.problem?.fix !== undefined && <p>{edit.problem.fix}</p>}
            </div>
            <Button small onClick={() => labelling.retry(edit)}>
              {t('retry')}
            </Button>
            <Button small kind="danger-text" onClick={() => labelling.discard(edit)}>
              {t('refused.discard')}
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
