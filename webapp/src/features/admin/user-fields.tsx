/** The fields shared by the forms for new and existing users. */
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { groupsQuery } from '@/api/resources/groups';
import { rolesQuery } from '@/api/resources/roles';
import { RevokeKeysSwitch } from '@/blocks/api-keys/revoke-keys-switch';
import { TextInput } from '@/ui/field';
import { useRoleTexts } from '@/ui/role-texts';
import { useCan, useSessionStore } from '@/state/session-store';
import { CheckList } from '@/ui/check-list';
import { offeredRoles, type UserDraft, type UserDraftErrors } from './user-draft';

interface UserFieldsProps {
  readonly draft: UserDraft;
  readonly fresh: boolean;
  readonly wrong: UserDraftErrors;
  /** Server errors by field. */
  readonly rejected: Readonly<Record<string, string>>;
  readonly onChange: (part: Partial<UserDraft>) => void;
}

export const useMinimumPasswordLength = (): number => useSessionStore((state) => state.config.passwordPolicy?.minLength ?? 8);

export function UserFields({ draft, fresh, wrong, rejected, onChange }: UserFieldsProps) {
  const { t } = useTranslation('admin');
  const minimum = useMinimumPasswordLength();
  const errorText = (field: keyof UserDraftErrors) => (wrong[field] === undefined ? rejected[field] : t(wrong[field], { count: minimum }));
  return (
    <>
      {fresh && (
        <TextInput
          autoFocus
          required
          label={t('user.username')}
          help={t('user.usernameHelp')}
          value={draft.username}
          maxLength={128}
          autoComplete="off"
          error={errorText('username')}
          onChange={(username) => onChange({ username })}
        />
      )}
      <TextInput
        label={t('user.name')}
        required={!fresh}
        value={draft.profilename}
        maxLength={255}
        autoComplete="off"
        error={errorText('profilename')}
        onChange={(profilename) => onChange({ profilename })}
      />
      <TextInput
        label={t('user.email')}
        type="email"
        value={draft.email}
        maxLength={255}
        autoComplete="off"
        error={errorText('email')}
        onChange={(email) => onChange({ email })}
      />
      <TextInput
        label={t(fresh ? 'user.password' : 'user.newPassword')}
        type="password"
        required={fresh}
        value={draft.password}
        autoComplete="new-password"
        help={t(fresh ? 'user.passwordHelp' : 'user.newPasswordHelp', { count: minimum })}
        error={errorText('password')}
        onChange={(password) => onChange({ password })}
      />
      {!fresh && draft.password !== '' && (
        <RevokeKeysSwitch
          username={draft.username}
          checked={draft.revokeKeys !== false}
          onChange={(revokeKeys) => onChange({ revokeKeys })}
        />
      )}
      <GroupAndRoleFields draft={draft} fresh={fresh} rejected={rejected} onChange={onChange} />
    </>
  );
}

type MembershipsProps = Pick<UserFieldsProps, 'draft' | 'fresh' | 'rejected' | 'onChange'>;

function GroupAndRoleFields({ draft, fresh, rejected, onChange }: MembershipsProps) {
  const { t } = useTranslation('admin');
  const words = useRoleTexts();
  const platform = useCan('platformUserAdministrator');
  const { data: groups = [] } = useQuery(groupsQuery());
  const { data: roles = [] } = useQuery(rolesQuery());
  const groupLabel = (name: string) => groups.find((group) => group.name === name)?.label ?? name;
  const withRoles = (rolenames: readonly string[]) => {
    const labels = rolenames.map((rolename) => words(roles.find((role) => role.rolename === rolename) ?? { rolename }).label);
    return labels.length === 0 ? '' : t('user.gives', { roles: labels.join(', ') });
  };
  return (
    <>
      <CheckList
        label={t('tab.groups')}
        items={groups.map(({ name, label, attachedRoles, systemAttachedRoles }) => ({
          value: name,
          label,
          help: fresh ? withRoles([...attachedRoles, ...systemAttachedRoles]) : '',
        }))}
        selected={draft.groups}
        {...(fresh && { help: t('user.groupsHelp') })}
        error={rejected['groupName']}
        onChange={(chosen) => onChange({ groups: chosen })}
      />
      <CheckList
        label={t('tab.roles')}
        items={offeredRoles(roles, draft).map((role) => ({
          value: role.rolename,
          label:
            role.groupName === undefined
              ? words(role).label
              : t('role.ofGroup', { label: words(role).label, group: groupLabel(role.groupName) }),
          help: words(role).description,
          disabled: !platform && role.restricted === true,
        }))}
        selected={draft.roles}
        error={rejected['roles']}
        onChange={(chosen) => onChange({ roles: chosen })}
      />
    </>
  );
}
