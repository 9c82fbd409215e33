/** The frame of dialogs for label operations: body, Cancel, submit button. */
import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';

export interface LabelOperationDialogProps {
  readonly title: string;
  readonly verb: string;
  readonly valid: boolean;
  // The dialog provides the variables of the mutation.
  readonly mutation: Pick<UseMutationResult<unknown, Error, void>, 'isPending' | 'mutate'>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function LabelOperationDialog({ title, verb, valid, mutation, onClose, children }: LabelOperationDialogProps) {
  const { t } = useTranslation('labels');
  return (
    <Dialog
      open
      title={title}
      locked={mutation.isPending}
      onClose={onClose}
      onSubmit={() => {
        if (valid) mutation.mutate();
      }}
      actions={
        <>
          <Button onClick={onClose} disabled={mutation.isPending}>
            {t('common:cancel')}
          </Button>
          <Button kind="solid" type="submit" busy={mutation.isPending} disabled={!valid}>
            {verb}
          </Button>
        </>
      }
    >
      <div style={{ display: 'grid', gap: 16 }}>{children}</div>
    </Dialog>
  );
}
