import { useTranslation } from 'react-i18next';
import type { UnavailableEngine } from '@/api/resources/components';
import { Notice } from '@/ui/notice';

/** C-074: an engine that this server is not set up for. Administrators read the setting. */
export function UnavailableNotice({ engine }: { readonly engine: UnavailableEngine }) {
  const { t } = useTranslation('settings');
  const { title, setting } = engine;
  return (
    <Notice tone="info">
      {t('unavailableEngine.text', { title })}{' '}
      {setting === undefined || setting === null ? t('unavailableEngine.ask') : t('unavailableEngine.setting', { setting })}
    </Notice>
  );
}
