import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Skeleton } from '@/ui/placeholder-states';
import { ErrorState } from '@/blocks/error-state';
import { ensureStarted, resetStart } from './session-lifecycle';
import styles from './start-screen.module.css';

/** Shown until the user is known (T-004). After a failed start it shows the reason and a retry button (E-061). */
export function StartScreen() {
  const { t } = useTranslation('shell');
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    ensureStarted().catch((reason: unknown) => {
      console.error('The studio could not start', reason);
      setError(reason);
    });
  }, []);
  const retry = () => {
    resetStart();
    location.reload();
  };
  return (
    <main className={styles['page']}>
      <div>{error === null ? <Skeleton rows={3} /> : <ErrorState title={t('start.failed')} error={error} onRetry={retry} />}</div>
    </main>
  );
}
