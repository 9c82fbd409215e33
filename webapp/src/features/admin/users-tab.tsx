import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Ban, CircleCheck, Pencil, Plus, Search, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { groupsQuery, type Group } from '@/api/resources/groups';
import { rolesQuery } from '@/api/resources/roles';
import { updateUser, userKeys, usersQuery, type User } from '@/api/resources/users';
import { translatedMessageOf } from '@/api/server-messages';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { SelectInput } from '@/ui/choice-inputs';
import { DataTable, TwoLineCell, type Column, type Sort } from '@/ui/data-table';
import { TextInput } from '@/ui/field';
import { IconButton } from '@/ui/icon-button';
import { useRoleTexts } from '@/ui/role-texts';
import { EmptyState, Skeleton } from '@/ui/placeholder-states';
import { When } from '@/ui/when';
import { ErrorState } from '@/blocks/error-state';
import { notify } from '@/state/notifications-store';
import { useCan, useSessionStore } from '@/state/session-store';
import { usePathState } from '@/state/use-path-state';
import { foldCaseAndAccents } from '@/text/fold-accents';
import styles from './admin.module.css';
import { DeleteUserDialog } from './delete-user-dialog';
import { EditUserDialog } from './edit-user-dialog';
import { NewUserDialog } from './new-user-dialog';
import { isAdministeredUser } from './user-draft';

/** the filters of the list, and the open user. */
const DEFAULTS = { group: '', words: '', user: '' };

const ROLES_SHOWN = 4;

const userDisplayName = (user: User) => user.profilename || user.username;

function useUserColumns(): Column<User>[] {
  const { t } = useTranslation('admin');
  const words = useRoleTexts();
  const { data: roles } = useQuery(rolesQuery());
  const me = useSessionStore((state) => state.principal?.username);
  const some = (labels: readonly string[]) =>
    labels.length <= ROLES_SHOWN
      ? labels.join(', ')
      : t('user.andMore', { some: labels.slice(0, ROLES_SHOWN - 1).join(', '), count: labels.length - ROLES_SHOWN + 1 });
  const roleLabel = (rolename: string) => words(roles?.find((role) => role.rolename === rolename) ?? { rolename }).label;
  return [
    {
      key: 'name',
      header: t('user.name'),
      sortable: true,
      cell: (user) => (
        <TwoLineCell
          first={
            <>
              {userDisplayName(user)} {user.username === me && <Badge>{t('user.you')}</Badge>}
            </>
          }
          second={user.email === undefined ? user.username : `${user.username} · ${user.email}`}
        />
      ),
    },
    {
      key: 'groups',
      header: t('tab.groups'),
      width: 180,
      cell: (user) => (user.groups ?? []).map(({ label }) => label).join(', '),
      priority: 1,
    },
    { key: 'roles', header: t('tab.roles'), cell: (user) => some((user.roles ?? []).map(roleLabel)) },
    {
      key: 'state',
      header: t('user.state'),
      sortable: true,
      cell: (user) =>
        user.disabled === undefined ? (
          ''
        ) : (
          <Badge tone={user.disabled ? 'warning' : 'success'}>{t(user.disabled ? 'user.disabled' : 'user.enabled')}</Badge>
        ),
    },
    {
      key: 'created',
      header: t('user.created'),
      sortable: true,
      cell: (user) =>
        user.createdAt !== undefined && (
          <span className={styles['moment']}>
            <When at={user.createdAt} />
          </span>
        ),
      priority: 2,
    },
  ];
}

const RANK: Record<string, (user: User) => string> = {
  name: (user) => foldCaseAndAccents(userDisplayName(user)),
  state: (user) => String(user.disabled === true),
  created: (user) => user.createdAt ?? '',
};

function filterAndSortUsers(users: readonly User[], { group, words }: typeof DEFAULTS, sort: Sort): User[] {
  const wanted = foldCaseAndAccents(words.trim());
  const rank = RANK[sort.key] ?? RANK['name']!;
  const found = users.filter(
    (user) =>
      (group === '' || (user.groups ?? []).some(({ name }) => name === group)) &&
      foldCaseAndAccents(`${user.username} ${userDisplayName(user)} ${user.email ?? ''}`).includes(wanted),
  );
  found.sort((a, b) => rank(a).localeCompare(rank(b)) || a.username.localeCompare(b.username));
  return sort.descending ? found.reverse() : found;
}

/** T-044: an update disables and enables the account. */
function useToggleDisabled() {
  const { t } = useTranslation('admin');
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (user: User) => updateUser(user.username, { disabled: user.disabled !== true }),
    onSuccess: async (_answer, user) => {
      await queryClient.invalidateQueries({ queryKey: userKeys.all });
      notify({
        type: 'success',
        message: t(user.disabled === true ? 'user.enabledNow' : 'user.disabledNow', { name: userDisplayName(user) }),
      });
    },
    meta: { errorTitle: 'user' },
  });
}

interface FiltersProps {
  readonly state: typeof DEFAULTS;
  readonly groups: readonly Group[];
  readonly onChange: (part: Partial<typeof DEFAULTS>) => void;
}

function UserFilters({ state, groups, onChange }: FiltersProps) {
  const { t } = useTranslation('admin');
  return (
    <>
      <TextInput
        hideLabel
        label={t('user.find')}
        placeholder={t('user.find')}
        type="search"
        start={<Search size={14} aria-hidden />}
        value={state.words}
        onChange={(words) => onChange({ words })}
      />
      <SelectInput
        hideLabel
        label={t('user.ofGroup')}
        value={state.group === '' ? '*' : state.group}
        options={[{ value: '*', label: t('user.everyGroup') }, ...groups.map(({ name, label }) => ({ value: name, label }))]}
        onChange={(group) => onChange({ group: group === '*' ? '' : group })}
      />
    </>
  );
}

/** S-068 */
export function UsersTab() {
  const { t } = useTranslation('admin');
  const me = useSessionStore((state) => state.principal?.username);
  const platform = useCan('platformUserAdministrator');
  const columns = useUserColumns();
  const disabling = useToggleDisabled();
  const [state, change] = usePathState('/admin/users', DEFAULTS, 'selectionParams');
  const [sort, setSort] = useState<Sort>({ key: 'name', descending: false });
  const [adding, setAdding] = useState(false);
  const [doomed, setDoomed] = useState<User | null>(null);
  const { data: users, error, refetch } = useQuery(usersQuery());
  const { data: groups = [] } = useQuery(groupsQuery());
  const shown = useMemo(() => filterAndSortUsers(users ?? [], state, sort), [users, state, sort]);
  const opened = users?.find((user) => user.username === state.user);
  if (error !== null && users === undefined)
    return <ErrorState title={t('errors:error.user')} error={error} onRetry={() => void refetch()} />;
  if (users === undefined) return <Skeleton rows={8} rowHeight={54} />;
  const managed = (user: User) => isAdministeredUser(user, platform);
  /** Why the account cannot be changed, as text. */
  const barred = (user: User) => (user.administered === false ? (translatedMessageOf(user, 'whyNot') ?? t('user.notYours')) : undefined);
  return (
    <>
      <div className={styles['bar']}>
        <UserFilters state={state} groups={groups} onChange={change} />
        <Badge>{shown.length}</Badge>
        <Button kind="solid" icon={Plus} onClick={() => setAdding(true)}>
          {t('user.add')}
        </Button>
      </div>
      {shown.length === 0 ? (
        <EmptyState title={t('user.nobody')}>{t('user.nobodyText')}</EmptyState>
      ) : (
        <DataTable
          label={t('tab.users')}
          columns={columns}
          rows={shown}
          rowKey={(user) => user.username}
          twoLines
          sort={sort}
          onSort={setSort}
          onOpen={(user) => managed(user) && change({ user: user.username })}
          rowActions={(user) =>
            managed(user) && (
              <>
                <IconButton
                  small
                  label={t('user.edit', { name: userDisplayName(user) })}
                  icon={Pencil}
                  onClick={() => change({ user: user.username })}
                />
                <IconButton
                  small
                  label={t(user.disabled === true ? 'user.enable' : 'user.disable', { name: userDisplayName(user) })}
                  icon={user.disabled === true ? CircleCheck : Ban}
                  disabled={user.username === me || disabling.isPending || barred(user) !== undefined}
                  reason={barred(user) ?? (user.username === me ? t('user.notSelf') : undefined)}
                  onClick={() => disabling.mutate(user)}
                />
                <IconButton
                  small
                  label={t('user.delete', { name: userDisplayName(user) })}
                  icon={Trash2}
                  disabled={user.username === me || barred(user) !== undefined}
                  reason={barred(user) ?? (user.username === me ? t('user.notSelf') : undefined)}
                  onClick={() => setDoomed(user)}
                />
              </>
            )
          }
        />
      )}
      {adding && <NewUserDialog group={state.group} onClose={() => setAdding(false)} />}
      {opened !== undefined && managed(opened) && (
        <EditUserDialog key={opened.username} user={opened} onClose={() => change({ user: '' })} />
      )}
      {doomed !== null && <DeleteUserDialog user={doomed} onClose={() => setDoomed(null)} />}
    </>
  );
}
