import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Copy, Eye, Pencil, Plus, Search, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { groupsQuery } from '@/api/resources/groups';
import { deleteRole, roleKeys, rolesQuery, type Role } from '@/api/resources/roles';
import { userKeys, usersQuery } from '@/api/resources/users';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { DataTable, TwoLineCell, type Column } from '@/ui/data-table';
import { DeleteDialog } from '@/ui/delete-dialog';
import { TextInput } from '@/ui/field';
import { useFormat } from '@/ui/format';
import { IconButton } from '@/ui/icon-button';
import { useRoleTexts } from '@/ui/role-texts';
import { Skeleton } from '@/ui/placeholder-states';
import { ErrorState } from '@/blocks/error-state';
import { can } from '@/state/permissions';
import { notify } from '@/state/notifications-store';
import { roleType } from '@/state/permission-display-groups';
import { useCan, useSessionStore } from '@/state/session-store';
import { usePathState } from '@/state/use-path-state';
import { foldCaseAndAccents } from '@/text/fold-accents';
import styles from './admin.module.css';
import { RoleDialog } from './role-dialog';
import { roleSections, shownRoles } from './role-draft';

const DEFAULTS = { role: '' };

function useRoleHolderCount(): (role: Role) => number {
  const { data } = useQuery(usersQuery());
  return (role) => (data ?? []).filter((user) => user.roles?.includes(role.rolename) === true).length;
}

function useRoleColumns(): Column<Role>[] {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const words = useRoleTexts();
  const holders = useRoleHolderCount();
  return [
    { key: 'name', header: t('role.name'), cell: (role) => <TwoLineCell first={words(role).label} second={words(role).description} /> },
    {
      key: 'type',
      header: t('role.type'),
      cell: (role) => {
        const type = roleType(role.rolename, role.type);
        return (
          <span className={styles['badges']}>
            {type !== null && <Badge>{t(`role.type_${type}`)}</Badge>}
            {role.restricted === true && role.predefined !== true && <Badge tone="warning">{t('role.restricted')}</Badge>}
          </span>
        );
      },
    },
    { key: 'permissions', header: t('role.permissions'), align: 'right', cell: (role) => format.number(role.permissions.length) },
    { key: 'users', header: t('tab.users'), align: 'right', cell: (role) => format.number(holders(role)) },
  ];
}

function DeleteRoleDialog({ role, onClose }: { readonly role: Role; readonly onClose: () => void }) {
  const { t } = useTranslation('admin');
  const queryClient = useQueryClient();
  const count = useRoleHolderCount()(role);
  const remove = useMutation({
    mutationFn: () => deleteRole(role.rolename),
    onSuccess: async () => {
      await Promise.all([roleKeys.all, userKeys.all].map((queryKey) => queryClient.invalidateQueries({ queryKey })));
      notify({ type: 'success', message: t('role.deleted', { name: role.label }) });
    },
    meta: { errorTitle: 'role' },
  });
  return (
    <DeleteDialog
      title={t('role.deleteTitle', { name: role.label })}
      keepLabel={t('role.keep')}
      deleteLabel={t('role.deleteDo')}
      onClose={onClose}
      onDelete={() => remove.mutateAsync()}
    >
      <p>{t('role.deleteText', { count })}</p>
    </DeleteDialog>
  );
}

type Opened = { readonly mode: 'create' | 'clone'; readonly role?: Role } | null;

interface RoleTablesProps {
  readonly roles: readonly Role[];
  readonly writable: (role: Role) => boolean;
  readonly onOpen: (role: Role) => void;
  readonly onClone: (role: Role) => void;
  readonly onDelete: (role: Role) => void;
}

/** One table for each owner: the product, everybody, each group. */
function RoleTables({ roles, writable, onOpen, onClone, onDelete }: RoleTablesProps) {
  const { t } = useTranslation('admin');
  const columns = useRoleColumns();
  const words = useRoleTexts();
  const { data: groups } = useQuery(groupsQuery());
  const actions = (role: Role) => {
    const name = words(role).label;
    const mine = writable(role);
    return (
      <>
        <IconButton small label={t(mine ? 'role.edit' : 'role.look', { name })} icon={mine ? Pencil : Eye} onClick={() => onOpen(role)} />
        <IconButton small label={t('role.clone', { name })} icon={Copy} onClick={() => onClone(role)} />
        {mine && <IconButton small label={t('role.delete', { name })} icon={Trash2} onClick={() => onDelete(role)} />}
      </>
    );
  };
  return roleSections(roles).map(({ kind, group, roles: shown }) => {
    const title = t(`role.section_${kind}`, { group: groups?.find(({ name }) => name === group)?.label ?? group });
    return (
      <section key={`${kind} ${group}`} className={styles['role-group']} aria-label={title}>
        <h2>
          {title} <Badge>{shown.length}</Badge>
        </h2>
        <p>{t(`role.about_${kind}`)}</p>
        <DataTable
          label={title}
          columns={columns}
          rows={shown}
          rowKey={(role) => role.rolename}
          twoLines
          onOpen={onOpen}
          rowActions={actions}
        />
      </section>
    );
  });
}

/** S-069: roles the caller may assign, without Minimal. */
export function RolesTab() {
  const { t } = useTranslation('admin');
  const words = useRoleTexts();
  const platform = useCan('platformUserAdministrator');
  const permissions = useSessionStore((state) => state.permissions);
  const [state, change] = usePathState('/admin/roles', DEFAULTS, 'selectionParams');
  const [typed, setTyped] = useState('');
  const [opened, setOpened] = useState<Opened>(null);
  const [doomed, setDoomed] = useState<Role | null>(null);
  const { data, error, refetch } = useQuery(rolesQuery());
  if (error !== null && data === undefined)
    return <ErrorState title={t('errors:error.role')} error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton rows={8} rowHeight={54} />;
  const roles = shownRoles(data, (role) => words(role).label);
  const writable = (role: Role) =>
    role.predefined !== true && (role.groupName === undefined ? platform : can(permissions, `writeGroup:${role.groupName}`));
  const looked = roles.find((role) => role.rolename === state.role);
  const wanted = foldCaseAndAccents(typed.trim());
  const found = roles.filter((role) => foldCaseAndAccents(`${words(role).label} ${words(role).description}`).includes(wanted));
  return (
    <>
      <div className={styles['bar']}>
        <div>
          <TextInput
            hideLabel
            label={t('filter', { what: t('tab.roles') })}
            placeholder={t('filterPlaceholder')}
            start={<Search size={14} aria-hidden />}
            value={typed}
            onChange={setTyped}
          />
        </div>
        <Badge>{found.length}</Badge>
        <Button kind="solid" icon={Plus} onClick={() => setOpened({ mode: 'create' })}>
          {t('role.add')}
        </Button>
      </div>
      <RoleTables
        roles={found}
        writable={writable}
        onOpen={(role) => change({ role: role.rolename })}
        onClone={(role) => setOpened({ mode: 'clone', role })}
        onDelete={setDoomed}
      />
      {found.length === 0 && <p>{t('common:nothingMatches')}</p>}
      {opened !== null && <RoleDialog {...opened} onClose={() => setOpened(null)} />}
      {looked !== undefined && (
        <RoleDialog key={looked.rolename} mode={writable(looked) ? 'edit' : 'look'} role={looked} onClose={() => change({ role: '' })} />
      )}
      {doomed !== null && <DeleteRoleDialog role={doomed} onClose={() => setDoomed(null)} />}
    </>
  );
}
