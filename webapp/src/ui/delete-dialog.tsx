import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button';
import { CheckRow } from './choice-inputs';
import { Dialog } from './dialog';
import styles from './ui.module.css';

export interface DeleteDialogProps {
  /** By default: for a dialog that is mounted to be asked. */
  readonly open?: boolean;
  /** `Delete "Building permits"?` */
  readonly title: string;
  /** What is deleted, how much, who is affected, whether it can be undone. */
  readonly children: ReactNode;
  /** `Keep project` */
  readonly keepLabel: string;
  /** `Delete project` */
  readonly deleteLabel: string;
  /** V-002: label of the checkbox that must be ticked first. */
  readonly strong?: string;
  readonly strongHelp?: string;
  readonly secondary?: ReactNode;
  readonly onClose: () => void;
  /** The dialog closes when it resolves. When it rejects, the dialog stays open and the caller reports the error. */
  readonly onDelete: () => Promise<unknown>;
}

export function DeleteDialog({
  open = true,
  title,
  children,
  keepLabel,
  deleteLabel,
  strong,
  strongHelp,
  secondary,
  onClose,
  onDelete,
}: DeleteDialogProps) {
  const { t } = useTranslation('common');
  const [confirmed, setConfirmed] = useState(false);
  const [busy, setBusy] = useState(false);
  const [wasOpen, setWasOpen] = useState(open);
  if (wasOpen !== open) {
    setWasOpen(open);
    setConfirmed(false);
  }
  const run = async () => {
    setBusy(true);
    try {
      await onDelete();
      onClose();
    } catch {
      // Reported by the mutation; the dialog stays open so that the user can retry.
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open={open}
      title={title}
      width="small"
      locked={busy}
      onClose={onClose}
      secondary={secondary}
      actions={
        <>
          <Button autoFocus disabled={busy} onClick={onClose}>
            {keepLabel}
          </Button>
          <Button kind="danger" busy={busy} disabled={strong !== undefined && !confirmed} onClick={() => void run()}>
            {deleteLabel}
          </Button>
        </>
      }
    >
      <div className={styles['delete-text']}>{children}</div>
      {strong !== undefined && (
        <div className={styles['delete-box']} role="group" aria-label={t('confirmation')}>
          <CheckRow
            label={strong}
            checked={confirmed}
            onChange={setConfirmed}
            {...(strongHelp === undefined ? {} : { help: strongHelp })}
          />
        </div>
      )}
    </Dialog>
  );
}
