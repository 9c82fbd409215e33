/** The frame of dialogs for label operations: body, Cancel, submit button. */
import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FormDialog } from '@/ui/form-dialog';

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
