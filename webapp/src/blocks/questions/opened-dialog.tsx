/** The dialogs over the list of saved questions. */
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, notifyFailure } from '@/api/errors';
import type { SavedQuestion } from '@/api/resources/questions';
import { notify } from '@/state/notifications-store';
import { DeleteDialog } from '@/ui/delete-dialog';
import { useFormat } from '@/ui/format';
import { lazyPart } from '@/ui/lazy-part';
import styles from './questions.module.css';
import { useQuestionActions } from './use-question-actions';

const QuestionDialog = lazyPart(async () => (await import('./question-dialog')).QuestionDialog);
const QuestionImportDialog = lazyPart(async () => (await import('./import-dialog')).QuestionImportDialog);

/** What is open over the list. */
export type Opened =
  | { readonly kind: 'add' | 'deleteAll' }
  | { readonly kind: 'import'; readonly files: readonly File[] }
  | { readonly kind: 'edit' | 'delete'; readonly question: SavedQuestion };

interface OpenedProps {
  readonly project: string;
  readonly total: number;
  readonly onOpen: (opened: Opened | undefined) => void;
}

function ImportQuestions({ project, files, onOpen }: OpenedProps & { readonly files: readonly File[] }): ReactNode {
  const { t } = useTranslation('questions');
  return (
    <QuestionImportDialog
      project={project}
      initial={files}
      onClose={() => onOpen(undefined)}
      onSuccess={() => {
        onOpen(undefined);
        notify({ type: 'success', message: t('done.imported') });
      }}
      onFailure={(error, chosen) => {
        // T-011: closes on failure too; the notification leads back to the files.
        onOpen(undefined);
        const again = { label: t('import.again'), run: () => onOpen({ kind: 'import', files: chosen }) };
        notifyFailure(error, 'loadingQuestions', again);
      }}
    />
  );
}

export function OpenedDialog({ opened, ...props }: OpenedProps & { readonly opened: Opened }): ReactNode {
  const { t } = useTranslation('questions');
  const format = useFormat();
  const { project, total, onOpen } = props;
  const { add, change, remove, removeAll } = useQuestionActions(project);
  const close = () => onOpen(undefined);
  const refusal = (error: unknown) => (error instanceof ApiError ? error.fields.find(({ field }) => field === 'text')?.message : undefined);
  switch (opened.kind) {
    case 'import':
      return <ImportQuestions {...props} files={opened.files} />;
    case 'add':
      return (
        <QuestionDialog
          busy={add.isPending}
          error={refusal(add.error)}
          onClose={close}
          onSave={(content) => add.mutate(content, { onSuccess: close })}
        />
      );
    case 'edit':
      return (
        <QuestionDialog
          given={opened.question}
          busy={change.isPending}
          error={refusal(change.error)}
          onClose={close}
          onSave={(content) => change.mutate({ identifier: opened.question.identifier, ...content }, { onSuccess: close })}
        />
      );
    case 'delete':
      return (
        <DeleteDialog
          title={t('deleteOne.title')}
          keepLabel={t('deleteOne.keep')}
          deleteLabel={t('deleteOne.verb')}
          onClose={close}
          onDelete={() => remove.mutateAsync({ ...opened.question, label: opened.question.text })}
        >
          <p className={styles['quoted']}>{opened.question.text}</p>
          <p>{t('deleteOne.text', { count: opened.question.judged, number: format.number(opened.question.judged) })}</p>
        </DeleteDialog>
      );
    case 'deleteAll':
      return (
        <DeleteDialog
          title={t('deleteEvery.title')}
          keepLabel={t('deleteEvery.keep')}
          deleteLabel={t('deleteEvery.verb', { count: total, number: format.number(total) })}
          strong={t('deleteEvery.strong')}
          onClose={close}
          onDelete={() => removeAll.mutateAsync()}
        >
          <p>{t('deleteEvery.text', { count: total, number: format.number(total) })}</p>
        </DeleteDialog>
      );
  }
}
