/** The dialogs of a label, a label set and a name of relations: what others changed meanwhile, the fields, Cancel, the verb. */
import type { UseMutationResult } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import { FormDialog, type FormDialogProps } from '@/ui/form-dialog';
import { ConcurrentChanges } from './concurrent-changes';

interface LabelFormDialogProps extends Pick<FormDialogProps, 'title' | 'width' | 'submitLabel' | 'onClose'> {
  readonly valid: boolean;
  /** It was tried to save: what is missing is to be shown. */
  readonly onTry: () => void;
  readonly save: Pick<UseMutationResult<unknown, Error, void>, 'isPending' | 'mutate'>;
  readonly concurrent?: ComponentProps<typeof ConcurrentChanges>;
  readonly children: ReactNode;
}

export function LabelFormDialog({ valid, onTry, save, concurrent, children, ...dialog }: LabelFormDialogProps) {
  const submit = () => {
    onTry();
    if (valid) save.mutate();
  };
  return (
    <FormDialog {...dialog} busy={save.isPending} onSubmit={submit}>
      <div style={{ display: 'grid', gap: 16 }}>
        {concurrent !== undefined && <ConcurrentChanges {...concurrent} />}
        {children}
      </div>
    </FormDialog>
  );
}
