/** The frame of the dialogs that change much: body, Cancel, the verb. */
import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/button';
import { Dialog } from '@/components/dialog';

export interface ActDialogProps {
  readonly title: string;
  readonly verb: string;
  readonly valid: boolean;
  // The value given is the dialog's own business.
  readonly act: Pick<UseMutationResult<unknown, Error, void>, 'isPending' | 'mutate'>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function ActDialog({ title, verb, valid, act, onClose, children }: ActDialogProps) {
  const { t } = useTranslation('labels');
  return (
    <Dialog
      open
      title={title}
      locked={act.isPending}
      onClose={onClose}
      onSubmit={() => {
        if (valid) act.mutate();
      }}
      actions={
        <>
          <Button onClick={onClose} disabled={act.isPending}>
            {t('common:cancel')}
          </Button>
          <Button kind="solid" type="submit" busy={act.isPending} disabled={!valid}>
            {verb}
          </Button>
        </>
      }
    >
      <div style={{ display: 'grid', gap: 16 }}>{children}</div>
    </Dialog>
  );
}
