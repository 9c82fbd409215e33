/** Giving a project to somebody or something else, by name: chosen of a list, or typed where there is none. */
import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { SelectInput } from '@/ui/choice-inputs';
import { TextInput } from '@/ui/field';
import { FormDialog } from '@/ui/form-dialog';

interface MoveProjectDialogProps {
  readonly title: string;
  readonly submitLabel: string;
  /** Of the new owner; empty: nothing is sent. */
  readonly name: string;
  readonly move: Pick<UseMutationResult<unknown, Error, void>, 'isPending' | 'mutate'>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function MoveProjectDialog({ title, submitLabel, name, move, onClose, children }: MoveProjectDialogProps) {
  const missing = name.trim() === '';
  return (
    <FormDialog
      width="small"
      title={title}
      submitLabel={submitLabel}
      busy={move.isPending}
      disabled={missing}
      onClose={onClose}
      onSubmit={() => !missing && move.mutate()}
    >
      {children}
    </FormDialog>
  );
}

interface NewOwnerInputProps {
  readonly label: string;
  /** Null: this person may not see the list. */
  readonly names: readonly { readonly name: string; readonly label: string }[] | null;
  readonly value: string;
  readonly onChange: (name: string) => void;
}

export function NewOwnerInput({ label, names, value, onChange }: NewOwnerInputProps) {
  if (names === null) return <TextInput label={label} value={value} onChange={onChange} />;
  return (
    <SelectInput label={label} value={value} onChange={onChange} options={names.map((one) => ({ value: one.name, label: one.label }))} />
  );
}
