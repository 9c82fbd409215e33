/** The frame of the admin forms: body, Cancel, submit button. It only closes on success; otherwise the input is kept. */
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '@/api/errors';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';

interface FormDialogProps {
  readonly title: string;
  readonly verb: string;
  readonly busy: boolean;
  /** Nothing to save. */
  readonly idle?: boolean;
  readonly secondary?: ReactNode;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function FormDialog({ title, verb, busy, idle = false, secondary, onSubmit, onClose, children }: FormDialogProps) {
  const { t } = useTranslation('common');
  return (
    <Dialog
      open
      title={title}
      locked={busy}
      onClose={onClose}
      onSubmit={onSubmit}
      secondary={secondary}
      actions={
        <>
          <Button onClick={onClose} disabled={busy}>
            {t('cancel')}
          </Button>
          <Button kind="solid" type="submit" busy={busy} disabled={idle}>
            {verb}
          </Button>
        </>
      }
    >
      <div style={{ display: 'grid', gap: 16 }}>{children}</div>
    </Dialog>
  );
}

/** Server errors by field. */
export function fieldErrorsFromServer(error: unknown): Readonly<Record<string, string>> {
  return error instanceof ApiError ? Object.fromEntries(error.fields.map(({ field, message }) => [field, message])) : {};
}
