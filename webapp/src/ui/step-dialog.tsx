import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button';
import { Dialog } from './dialog';
import styles from './ui.module.css';

export interface Step {
  readonly key: string;
  readonly title: string;
  readonly content: ReactNode;
  /** Next or finish stays disabled until true. */
  readonly valid?: boolean;
}

export interface StepDialogProps {
  readonly open: boolean;
  readonly title: string;
  readonly steps: readonly Step[];
  readonly finishLabel?: string;
  readonly hideCancel?: boolean;
  readonly busy?: boolean;
  readonly onCancel: () => void;
  readonly onFinish: () => void;
}

/** D-003: the first step disables Previous; the last shows Finish instead of Next; Escape or a click outside cancels. */
export function StepDialog({ open, title, steps, finishLabel, hideCancel = false, busy = false, onCancel, onFinish }: StepDialogProps) {
  const { t } = useTranslation('common');
  const [index, setIndex] = useState(0);
  const at = Math.min(index, steps.length - 1);
  const step = steps[at];
  const last = at === steps.length - 1;
  const cancel = () => {
    setIndex(0);
    onCancel();
  };
  return (
    <Dialog
      open={open}
      title={title}
      locked={busy}
      onClose={cancel}
      secondary={
        !hideCancel && (
          <Button kind="quiet" disabled={busy} onClick={cancel}>
            {t('cancel')}
          </Button>
        )
      }
      actions={
        <>
          <Button disabled={at === 0 || busy} onClick={() => setIndex(at - 1)}>
            {t('previous')}
          </Button>
          {last ? (
            <Button kind="solid" busy={busy} disabled={step?.valid === false} onClick={onFinish}>
              {finishLabel ?? t('finish')}
            </Button>
          ) : (
            <Button kind="solid" disabled={step?.valid === false} onClick={() => setIndex(at + 1)}>
              {t('next')}
            </Button>
          )}
        </>
      }
    >
      <ol className={styles['steps']} aria-label={t('steps')}>
        {steps.map((item, position) => (
          <li key={item.key} aria-current={position === at ? 'step' : undefined}>
            {position + 1}. {item.title}
          </li>
        ))}
      </ol>
      {step?.content}
    </Dialog>
  );
}
