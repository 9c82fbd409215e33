import { useQuery } from '@tanstack/react-query';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { groupsQuery, UNLIMITED, type Group } from '@/api/resources/groups';
import { rolesQuery } from '@/api/resources/roles';
import { usersQuery } from '@/api/resources/users';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { DataTable, TwoLineCell, type Column } from '@/ui/data-table';
import { useFormat } from '@/ui/format';
import { IconButton } from '@/ui/icon-button';
import { useRoleTexts } from '@/ui/role-texts';
import { EmptyState, Skeleton } from '@/ui/placeholder-states';
import { ErrorState } from '@/blocks/error-state';
import { can } from '@/state/permissions';
import { pathWithState } from '@/state/path-state';
import { useCan, useSessionStore } from '@/state/session-store';
import { usePathState } from '@/state/use-path-state';
import styles from './admin.module.css';
import { DeleteGroupDialog } from './delete-group-dialog';
import { GroupDialog } from './group-dialog';

const DEFAULTS = { group: '' };

/** Path of the users tab, filtered by a group. */
const usersTabPath = (group: Group) => pathWithState('/admin/users', { group: group.name }, { group: '', words: '', user: '' });

function useGroupColumns(): Column<Group>[] {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const words = useRoleTexts();
  const { data: roles } = useQuery(rolesQuery());
  const { data: users } = useQuery(usersQuery());
  const members = (group: Group) => (users ?? []).filter((user) => user.groups?.some(({ name }) => name === group.name) === true).length;
  const limit = (count: number) => (count === UNLIMITED ? t('unlimited') : format.number(count));
  return [
    { key: 'name', header: t('group.name'), cell: (group) => <TwoLineCell first={group.label} second={group.name} /> },
    {
      key: 'users',
      header: t('tab.users'),
      align: 'right',
      cell: (group) => (
        <Link to={usersTabPath(group)} onClick={(event) => event.stopPropagation()}>
          {group.maxUsers === UNLIMITED
            ? format.number(members(group))
            : t('group.of', { count: members(group), shown: format.number(members(group)), limit: format.number(group.maxUsers) })}
        </Link>
      ),
    },
    { key: 'maxProjects', header: t('group.maxProjects'), align: 'right', cell: (group) => limit(group.maxProjects), priority: 1 },
    { key: 'maxDocs', header: t('group.maxDocsPerProject'), align: 'right', cell: (group) => limit(group.maxDocsPerProject), priority: 2 },
    {
      key: 'roles',
      header: t('group.attached'),
      cell: (group) =>
        [...group.attachedRoles, ...group.systemAttachedRoles]
          .map((rolename) => words(roles?.find((role) => role.rolename === rolename) ?? { rolename }).label)
          .join(', '),
    },
    {
      key: 'login',
      header: t('group.login'),
      cell: (group) => (
        <Badge tone={group.loginAllowed ? 'success' : 'warning'}>{t(group.loginAllowed ? 'group.open' : 'group.closed')}</Badge>
      ),
    },
  ];
}

/** S-067 */
export function GroupsTab() {
  const { t } = useTranslation('admin');
  const columns = useGroupColumns();
  const mayWriteAny = useCan('mayWriteAnyGroup');
  const permissions = useSessionStore((state) => state.permissions);
  const [state, change] = usePathState('/admin/groups', DEFAULTS, 'selectionParams');
  const [adding, setAdding] = useState(false);
  const [doomed, setDoomed] = useState<Group | null>(null);
  const { data: groups, error, refetch } = useQuery(groupsQuery());
  if (error !== null && groups === undefined)
    return <ErrorState title={t('errors:error.group')} error={error} onRetry={() => void refetch()} />;
  if (groups === undefined) return <Skeleton rows={6} rowHeight={54} />;
  const writable = (group: Group) => can(permissions, `writeGroup:${group.name}`);
  const opened = groups.find((group) => group.name === state.group);
  return (
    <>
      <div className={styles['bar']}>
        <p>{t('group.about')}</p>
        <Badge>{groups.length}</Badge>
        {mayWriteAny && (
          <Button kind="solid" icon={Plus} onClick={() => setAdding(true)}>
            {t('group.add')}
          </Button>
        )}
      </div>
      {groups.length === 0 ? (
        <EmptyState title={t('group.none')}>{t('group.about')}</EmptyState>
      ) : (
        <DataTable
          label={t('tab.groups')}
          columns={columns}
          rows={groups}
          rowKey={(group) => group.name}
          twoLines
          onOpen={(group) => writable(group) && change({ group: group.name })}
          rowActions={(group) =>
            writable(group) && (
              <>
                <IconButton
                  small
                  label={t('group.edit', { name: group.label })}
                  icon={Pencil}
                  onClick={() => change({ group: group.name })}
                />
                {mayWriteAny && (
                  <IconButton small label={t('group.delete', { name: group.label })} icon={Trash2} onClick={() => setDoomed(group)} />
                )}
              </>
            )
          }
        />
      )}
      {adding && <GroupDialog onClose={() => setAdding(false)} />}
      {opened !== undefined && writable(opened) && <GroupDialog key={opened.name} group={opened} onClose={() => change({ group: '' })} />}
      {doomed !== null && <DeleteGroupDialog group={doomed} onClose={() => setDoomed(null)} />}
    </>
  );
}
