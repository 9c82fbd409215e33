import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { apiKeysQuery } from '@/api/resources/api-keys';
import { SwitchRow } from '@/ui/choice-inputs';
import styles from './api-keys.module.css';

interface RevokeChoiceProps {
  readonly username: string;
  readonly checked: boolean;
  readonly onChange: (revoke: boolean) => void;
}

/** Option of a password change: whether the existing API keys stay valid. Renders nothing for an account without keys. */
export function RevokeKeysSwitch({ username, checked, onChange }: RevokeChoiceProps): ReactNode {
  const { t } = useTranslation('profile');
  const { data } = useQuery(apiKeysQuery(username));
  if (data === undefined || data.length === 0) return null;
  return (
    <div>
      <SwitchRow label={t('keys.revokeAll', { count: data.length })} checked={checked} onChange={onChange} />
      <small className={styles['help']}>{t(checked ? 'keys.revokeAllHelp' : 'keys.keepAllHelp')}</small>
    </div>
  );
}
