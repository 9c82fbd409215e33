/** The frame of the dialogs that change much: body, Cancel, the verb. */
import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FormDialog } from '@/ui/form-dialog';

export interface LabelOperationDialogProps {
  readonly title: string;
  readonly verb: string;
  readonly valid: boolean;
  // The value given is the dialog's own business.
  readonly mutation: Pick<UseMutationResult<unknown, Error, void>, 'isPending' | 'mutate'>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function LabelOperationDialog({ title, verb, valid, mutation, onClose, children }: LabelOperationDialogProps) {
  return (
    <FormDialog
      title={title}
      onClose={onClose}
      onSubmit={() => {
        if (valid) mutation.mutate();
      }}
      submitLabel={verb}
      busy={mutation.isPending}
      disabled={!valid}
    >
      <div style={{ display: 'grid', gap: 16 }}>{children}</div>
    </FormDialog>
  );
}
