import { ShieldAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useSessionStore } from '@/state/session-store';
import styles from './import.module.css';

/** W-023: who will see the documents, where the operator wants it said. */
export function AccessNotice() {
  const { t } = useTranslation('import');
  const access = useSessionStore((state) => state.config.documentLevelAccessControl);
  if (access?.enabled !== true || access.showWarningMessage !== true) return null;
  return (
    <p className={styles['notice']} role="note">
      <ShieldAlert size={16} aria-hidden />
      {t('accessNotice')}
    </p>
  );
}
