/** C-015: notifies that a project is read-only, shortly after it was opened, when its rights are known. */
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '@/state/notifications-store';
import { useProjectWritable, useSessionStore } from '@/state/session-store';

export const READ_ONLY_MESSAGE_MS = 1000;

export function useReadOnlyMessage(): void {
  const { t } = useTranslation('errors');
  const project = useSessionStore((state) => state.projectName);
  const writable = useProjectWritable();
  useEffect(() => {
    if (project === null || writable) return undefined;
    const timer = setTimeout(() => notify({ type: 'info', message: t('readOnlyProject') }), READ_ONLY_MESSAGE_MS);
    return () => clearTimeout(timer);
  }, [project, writable, t]);
}
