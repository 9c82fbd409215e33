/** E-mail notification about the end of a job. */
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { profileQuery } from '@/api/resources/users';
import { useSessionStore } from '@/state/session-store';
import { SwitchRow } from '@/ui/choice-inputs';

/** V-015: the user's address; undefined where there is none, or where the server sends no e-mail. */
export function useEmailAddress(): string | undefined {
  const sends = useSessionStore((state) => state.config.emailNotifications === true);
  const username = useSessionStore((state) => state.principal?.username ?? '');
  const { data } = useQuery({ ...profileQuery(username), enabled: sends && username !== '', meta: { silent: true } });
  return sends && data?.email ? data.email : undefined;
}

export interface EmailOptionProps {
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** Only rendered for users who can receive e-mail. */
export function EmailOption({ checked, disabled = false, onChange }: EmailOptionProps) {
  const { t } = useTranslation();
  const address = useEmailAddress();
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
