import { useTranslation } from 'react-i18next';
import { Skeleton } from '@/ui/placeholder-states';
import { ErrorState } from '@/blocks/error-state';
import styles from './start-screen.module.css';

/** Shown until the user is known (T-004). After a failed start it shows the reason and a retry button (E-061). */
export function StartScreen({ error }: { readonly error: unknown }) {
  const { t } = useTranslation('shell');
  return (
    <main className={styles['page']}>
      <div>
        {error === null ? <Skeleton rows={3} /> : <ErrorState title={t('start.failed')} error={error} onRetry={() => location.reload()} />}
      </div>
    </main>
  );
}
