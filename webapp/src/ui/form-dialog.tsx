import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button';
import { Dialog, type DialogProps } from './dialog';

export interface FormDialogProps extends Pick<DialogProps, 'title' | 'width' | 'onClose' | 'onSubmit' | 'children'> {
  readonly submitLabel: ReactNode;
  /** It is being sent: nothing closes the dialog until that is over. */
  readonly busy: boolean;
  /** What is filled in cannot be sent yet. */
  readonly disabled?: boolean;
  /** Id of the form in the body, where the dialog is none itself (`onSubmit`). */
  readonly form?: string;
}

/** An open dialog with a form: Cancel, then the verb that submits. */
export function FormDialog({ submitLabel, busy, disabled = false, form, onClose, children, ...dialog }: FormDialogProps) {
  const { t } = useTranslation('common');
  return (
    <Dialog
      {...dialog}
      open
      locked={busy}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose} disabled={busy}>
            {t('cancel')}
          </Button>
          <Button kind="solid" type="submit" busy={busy} disabled={disabled} {...(form !== undefined && { form })}>
            {submitLabel}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
