import { ShieldAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Notice } from '@/ui/notice';
import { useSessionStore } from '@/state/session-store';

/** W-023: who will have access to the documents, if configured by the operator. */
export function DocumentAccessNotice() {
  const { t } = useTranslation('import');
  const access = useSessionStore((state) => state.config.documentLevelAccessControl);
  if (access?.enabled !== true || access.showWarningMessage !== true) return null;
  return (
    <Notice tone="warning" icon={ShieldAlert}>
      {t('accessNotice')}
    </Notice>
  );
}
