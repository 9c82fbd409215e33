import { useMutation, useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { rolesQuery } from '@/api/resources/roles';
import { fetchUser } from '@/api/resources/users';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { Disclosure } from '@/ui/disclosure';
import { useRoleTexts } from '@/ui/role-texts';
import { notify } from '@/state/notifications-store';
import { useSessionStore } from '@/state/session-store';
import { groupPermissions, roleType } from '@/state/permission-display-groups';
import lines from '@/ui/list-lines.module.css';
import styles from './profile.module.css';

function Roles() {
  const { t } = useTranslation('profile');
  const words = useRoleTexts();
  const held = useSessionStore((state) => state.roles);
  const { data } = useQuery(rolesQuery());
  const rows = useMemo(
    () =>
      held.map((rolename) => {
        const role = data?.find((one) => one.rolename === rolename);
        return { rolename, ...words(role ?? { rolename }), type: role === undefined ? null : roleType(rolename, role.type) };
      }),
    [held, data, words],
  );
  if (rows.length === 0) return <p>{t('rights.noRole')}</p>;
  return (
    <ul className={lines['lines']} aria-label={t('rights.roles')}>
      {rows.map(({ rolename, label, description, type }) => (
        <li key={rolename}>
          <span>
            <strong>{label}</strong>
            {description !== '' && <small>{description}</small>}
          </span>
          {type !== null && <Badge>{t(`rights.type.${type}`)}</Badge>}
        </li>
      ))}
    </ul>
  );
}

function Permissions() {
  const { t } = useTranslation('profile');
  const permissions = useSessionStore((state) => state.permissions);
  const groups = useMemo(() => groupPermissions(permissions), [permissions]);
  return (
    <>
      {groups.map(({ name, permissions: list }) => (
        <Disclosure
          key={name}
          className={styles['group']}
          summary={
            <>
              {t(`rights.group.${name}`, { defaultValue: t('rights.component', { kind: name.slice(3) }) })}
              <Badge>{list.length}</Badge>
            </>
          }
        >
          <p>
            {list.map((permission) => (
              <code key={permission}>{permission}</code>
            ))}
          </p>
        </Disclosure>
      ))}
    </>
  );
}

/** Roles and permissions of the user, with a button to fetch them again (B-005). */
export function RightsCard({ username }: { readonly username: string }) {
  const { t } = useTranslation('profile');
  const setRights = useSessionStore((state) => state.setRights);
  const refresh = useMutation({
    mutationFn: () => fetchUser(username),
    onSuccess: ({ permissions }) => {
      if (permissions !== undefined && permissions !== null) setRights(permissions);
      notify({ type: 'success', message: t('rights.refreshed') });
    },
    meta: { errorTitle: 'getProfile' },
  });
  return (
    <section className={styles['card']}>
      <div className={styles['card-head']}>
        <h2>{t('rights.title')}</h2>
        <Button small icon={RefreshCw} busy={refresh.isPending} onClick={() => refresh.mutate()}>
          {t('rights.refresh')}
        </Button>
      </div>
      <Roles />
      <Permissions />
    </section>
  );
}
