/** Parts shared by both tabs of the creation dialog. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { projectKeys } from '@/api/resources/projects';
import { userGroupsQuery } from '@/api/resources/users';
import { SelectInput } from '@/ui/choice-inputs';
import { useSessionStore } from '@/state/session-store';

export const FORM = 'create-project';

/** V-007: the group is only requested from users in several groups. */
export function useUserGroups() {
  const username = useSessionStore((state) => state.principal?.username ?? '');
  const { data = [] } = useQuery(userGroupsQuery(username));
  return data;
}

export interface CreateProjectTabProps {
  readonly onValid: (valid: boolean) => void;
  readonly onBusy: (busy: boolean) => void;
  readonly onCreated: (projectName: string) => void;
}

export function GroupSelect({
  value,
  onChange,
  tried,
}: {
  readonly value: string;
  readonly onChange: (group: string) => void;
  readonly tried: boolean;
}) {
  const { t } = useTranslation('home');
  const groups = useUserGroups();
  if (groups.length < 2) return null;
  return (
    <SelectInput
      required
      label={t('field.group')}
      value={value}
      onChange={onChange}
      options={groups.map((group) => ({ value: group.name, label: group.label || group.name }))}
      error={tried && value === '' ? t('groupMissing') : undefined}
    />
  );
}

export function useProjectCreated(onCreated: (name: string) => void) {
  const queryClient = useQueryClient();
  return async (name: string) => {
    await queryClient.invalidateQueries({ queryKey: projectKeys.all });
    onCreated(name);
  };
}
