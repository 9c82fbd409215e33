import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { deleteTerm } from '@/api/resources/terms';
import type { TermReference } from '@/state/term-facet';
import { DeleteDialog } from '@/ui/delete-dialog';

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
  const queryClient = useQueryClient();
  const removal = useMutation({
    mutationFn: () => deleteTerm(project, term),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ['terms', project] });
      void queryClient.invalidateQueries({ queryKey: ['lexicons', project] });
      onDeleted?.();
    },
    meta: { errorTitle: 'deleteTerm' },
  });
  return (
    <DeleteDialog
      title={t('deletion.title', { name })}
      keepLabel={t('deletion.keep')}
      deleteLabel={t('deletion.confirm')}
      onClose={onClose}
      onDelete={() => removal.mutateAsync()}
    >
      {t('deletion.text', { lexicon })}
    </DeleteDialog>
  );
}
