import { CircleX } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, describeFailure } from '@/api/errors';
import { Button } from '@/ui/button';
import { CopyButton } from '@/ui/copy-button';
import styles from './error-state.module.css';

export interface ErrorStateProps {
  /** What failed, translated. */
  readonly title: string;
  readonly error: unknown;
  /** Texts of the server about this failure, instead of those of its status. */
  readonly texts?: { readonly cause: string; readonly fix?: string; readonly code: string };
  /** What is still available. */
  readonly retained?: string;
  readonly onRetry?: () => void;
  readonly actions?: ReactNode;
}

/** Code that users can quote; status 0 means that there was no response. */
const displayedErrorCode = ({ status, body }: ApiError): string => {
  if (status === 0) return 'offline';
  // Id of the error in the server's log, for administrators.
  const id = typeof body === 'object' && body !== null && 'errorId' in body ? String(body.errorId) : '';
  return id === '' ? String(status) : `${status} · ${id}`;
};

/** An error in a part of the page: cause, fix, what is still available, actions, code. */
export function ErrorState({ title, error, texts, retained, onRetry, actions }: ErrorStateProps) {
  const { t } = useTranslation(['common', 'errors']);
  const failure = describeFailure(error);
  const code = texts?.code ?? (error instanceof ApiError ? displayedErrorCode(error) : 'error');
  const cause = texts?.cause ?? t(`errors:cause.${failure.cause}`, { message: failure.message });
  const usualFix = failure.fix === undefined ? undefined : t(`errors:fix.${failure.fix}`);
  const fix = texts === undefined ? usualFix : texts.fix;
  return (
    <section className={styles['card']} role="alert">
      <CircleX size={16} aria-hidden />
      <div>
        <h3>{title}</h3>
        <dl>
          <dt>{t('cause')}</dt>
          <dd>{cause}</dd>
          {fix !== undefined && (
            <>
              <dt>{t('whatToDo')}</dt>
              <dd>{fix}</dd>
            </>
          )}
          {retained !== undefined && (
            <>
              <dt>{t('kept')}</dt>
              <dd>{retained}</dd>
            </>
          )}
        </dl>
        <div className={styles['actions']}>
          {onRetry !== undefined && (
            <Button small kind="solid" onClick={onRetry}>
              {t('tryAgain')}
            </Button>
          )}
          {actions}
          <CopyButton small text={`${title}\n${cause}\n${code}`} label={t('copyDetails')} />
          <code>{code}</code>
        </div>
      </div>
    </section>
  );
}
