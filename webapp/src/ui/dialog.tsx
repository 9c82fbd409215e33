import MuiDialog from '@mui/material/Dialog';
import { X } from 'lucide-react';
import { useEffect, useId, useState, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from './icon-button';
import { MuiRoot } from './mui-root';
import styles from './ui.module.css';

/** C-005: dialogs appear after 150 ms. */
export const DIALOG_DELAY_MS = 150;

export interface DialogProps {
  readonly open: boolean;
  /** The question or the task. */
  readonly title: ReactNode;
  readonly children: ReactNode;
  /** Escape, close button, click outside. */
  readonly onClose: () => void;
  /** Right side of the fixed footer: Cancel, then the main action. */
  readonly actions?: ReactNode;
  /** Left side of the footer. */
  readonly secondary?: ReactNode;
  readonly titleAside?: ReactNode;
  /** 650 px, or 520 px for confirmations. */
  readonly width?: 'normal' | 'small';
  /** Work would be lost, or something is running: only the buttons close the dialog. */
  readonly locked?: boolean;
  /** Makes the body and footer one form. */
  readonly onSubmit?: () => void;
}

/** True `DIALOG_DELAY_MS` after `open` became true; false immediately when it becomes false. */
export function useDelayedOpen(open: boolean): boolean {
  const [ready, setReady] = useState(false);
  useEffect(() => {
    if (!open) return undefined;
    const timer = setTimeout(() => setReady(true), DIALOG_DELAY_MS);
    return () => {
      clearTimeout(timer);
      setReady(false);
    };
  }, [open]);
  return open && ready;
}

/** Title, scrolling body, fixed footer. It never closes itself: the caller closes it after success. */
export function Dialog({
  open,
  title,
  children,
  onClose,
  actions,
  secondary,
  titleAside,
  width = 'normal',
  locked = false,
  onSubmit,
}: DialogProps) {
  const { t } = useTranslation('common');
  const id = useId();
  const shown = useDelayedOpen(open);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    onSubmit?.();
  };
  const inner = (
    <>
      <div className={styles['dialog-body']}>{children}</div>
      {(actions !== undefined || secondary !== undefined) && (
        <div className={styles['dialog-footer']}>
          <div>{secondary}</div>
          <div className={styles['dialog-actions']}>{actions}</div>
        </div>
      )}
    </>
  );
  return (
    <MuiRoot>
      <MuiDialog
        open={shown}
        onClose={() => {
          if (!locked) onClose();
        }}
        aria-labelledby={id}
        slotProps={{
          paper: { className: styles['dialog'], style: { width: width === 'small' ? 520 : 650, maxWidth: 'calc(100vw - 32px)' } },
        }}
      >
        <div className={styles['dialog-head']}>
          <h2 id={id} className={styles['dialog-title']}>
            {title}
          </h2>
          {titleAside}
          <IconButton label={t('close')} icon={X} onClick={onClose} disabled={locked} />
        </div>
        {onSubmit === undefined ? (
          inner
        ) : (
          <form noValidate onSubmit={submit} className={styles['dialog-form']}>
            {inner}
          </form>
        )}
      </MuiDialog>
    </MuiRoot>
  );
}
