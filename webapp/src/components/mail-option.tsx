/** Being told by e-mail how a job ended. */
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { profileQuery } from '@/api/resources/users';
import { useSessionStore } from '@/state/session-store';
import { SwitchRow } from './choices';

/** V-015: the user's address; undefined where there is none, or where the server sends no e-mail. */
export function useMailAddress(): string | undefined {
  const sends = useSessionStore((state) => state.config.emailNotifications === true);
  const username = useSessionStore((state) => state.principal?.username ?? '');
  const { data } = useQuery({ ...profileQuery(username), enabled: sends && username !== '', meta: { silent: true } });
  return sends && data?.email ? data.email : undefined;
}

export interface MailOptionProps {
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** Shown to whom a message can be sent, to nobody else. */
export function MailOption({ checked, disabled = false, onChange }: MailOptionProps) {
  const { t } = useTranslation();
  const address = useMailAddress();
  if (address === undefined) return null;
  return (
    <SwitchRow
      label={t('common:mail.option')}
      help={t('common:mail.help', { address })}
      checked={checked}
      disabled={disabled}
      onChange={onChange}
    />
  );
}
