import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { TermReference } from '@/state/term-facet';
import { DeleteDialog } from '@/ui/delete-dialog';
import { useTermDeletion } from './use-term-deletion';

interface DeleteTermDialogProps {
  readonly project: string;
  readonly term: TermReference;
  readonly name: string;
  /** Readable name of its lexicon. */
  readonly lexicon: string;
  readonly onClose: () => void;
  readonly onDeleted?: (() => void) | undefined;
}

/** Deletes a term from its lexicon. */
export function DeleteTermDialog({ project, term, name, lexicon, onClose, onDeleted }: DeleteTermDialogProps): ReactNode {
  const { t } = useTranslation('terms');
  const removal = useTermDeletion(project);
  return (
    <DeleteDialog
      title={t('deletion.title', { name })}
      keepLabel={t('deletion.keep')}
      deleteLabel={t('deletion.confirm')}
      onClose={onClose}
      onDelete={async () => {
        await removal.mutateAsync({ lexicon: term.lexicon, identifier: term.identifier, label: name });
        onDeleted?.();
      }}
    >
      {t('deletion.text', { lexicon })}
    </DeleteDialog>
  );
}
