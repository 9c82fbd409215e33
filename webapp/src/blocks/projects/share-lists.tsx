import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  groupNamesQuery,
  peopleQuery,
  shareWithGroup,
  shareWithUser,
  sharesQuery,
  unshareGroup,
  unshareUser,
  type ShareMode,
} from '@/api/resources/archives-and-shares';
import { projectKeys } from '@/api/resources/projects';
import { Button } from '@/ui/button';
import { SelectInput } from '@/ui/choice-inputs';
import { TextInput } from '@/ui/field';
import { IconButton } from '@/ui/icon-button';
import { Notice } from '@/ui/notice';
import { Skeleton } from '@/ui/placeholder-states';
import { ErrorState } from '@/blocks/error-state';
import { AccessChoice, type Access } from './access-choice';
import { InvitationLinks } from './invitation-links';
import { usePersonName } from './person-name';
import { useSessionStore } from '@/state/session-store';
import { personOption, optionsNotTaken } from './people-options';
import styles from './projects.module.css';

type Kind = 'users' | 'groups';
const shareModeFor = (access: Access): ShareMode => ({ read: true, write: access === 'write' });

interface Row {
  readonly name: string;
  readonly label: string;
  readonly mode: ShareMode;
  readonly canRevoke?: boolean;
  readonly sharedBy?: string | null;
}

interface SectionProps {
  readonly kind: Kind;
  readonly project: string;
  readonly rows: readonly Row[];
  /** Selectable names; null when they cannot be listed. */
  readonly names: readonly { readonly name: string; readonly label: string }[] | null;
  readonly may: boolean;
}

function SharesSection({ kind, project, rows, names, may }: SectionProps) {
  const { t } = useTranslation('project');
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const [access, setAccess] = useState<Access>('read');
  const personName = usePersonName();
  const refresh = () => queryClient.invalidateQueries({ queryKey: projectKeys.all });
  const share = useMutation({
    mutationFn: (row: { readonly name: string; readonly access: Access }) =>
      (kind === 'users' ? shareWithUser : shareWithGroup)(project, row.name, shareModeFor(row.access)),
    onSuccess: () => setName(''),
    onSettled: refresh,
    meta: { errorTitle: 'projectShares' },
  });
  const end = useMutation({
    mutationFn: (which: string) => (kind === 'users' ? unshareUser : unshareGroup)(project, which),
    onSettled: refresh,
    meta: { errorTitle: 'projectShares' },
  });
  return (
    <section className={styles['section']}>
      <h3>{t(`share.${kind}`)}</h3>
      {rows.length === 0 && <p>{t('share.nobody')}</p>}
      <ul className={styles['shares']}>
        {rows.map((row) => (
          <li key={row.name} className={styles['share']}>
            <span className={styles['who']}>
              {row.label}
              {row.label !== row.name && <small>{row.name}</small>}
              {row.sharedBy !== undefined && row.sharedBy !== null && <small>{t('share.by', { name: personName(row.sharedBy) })}</small>}
            </span>
            {may ? (
              <AccessChoice
                label={t('share.accessOf', { name: row.label })}
                value={row.mode.write ? 'write' : 'read'}
                onChange={(next) => share.mutate({ name: row.name, access: next })}
              />
            ) : (
              <span>{t(row.mode.write ? 'share.write' : 'share.read')}</span>
            )}
            {row.canRevoke === true && (
              <IconButton small icon={X} label={t('share.end', { name: row.label })} onClick={() => end.mutate(row.name)} />
            )}
          </li>
        ))}
      </ul>
      {may && names !== null && names.length === 0 && <p>{t(`share.nobodyElse.${kind}`)}</p>}
      {may && (names === null || names.length > 0) && (
        <div className={styles['add']}>
          {names === null ? (
            <TextInput label={t(`share.add.${kind}`)} value={name} onChange={setName} />
          ) : (
            <SelectInput
              label={t(`share.add.${kind}`)}
              value={name}
              onChange={setName}
              options={names.map((one) => ({ value: one.name, label: one.label }))}
            />
          )}
          <AccessChoice label={t('share.access')} value={access} onChange={setAccess} />
          <Button
            icon={Plus}
            busy={share.isPending}
            disabled={name.trim() === ''}
            onClick={() => share.mutate({ name: name.trim(), access })}
          >
            {t('share.do')}
          </Button>
        </div>
      )}
    </section>
  );
}

export interface ShareListsProps {
  readonly project: string;
  /** Whether the caller may share: the owner, or users with write access and `shareProject`. */
  readonly may: boolean;
}

/** V-020: users and groups with read or write access besides the owner, and links that invite others. Changes are saved immediately. */
export function ShareLists({ project, may }: ShareListsProps) {
  const { t } = useTranslation('project');
  const me = useSessionStore((state) => state.principal?.username ?? '');
  const { data, error, refetch } = useQuery(sharesQuery(project));
  const people = useQuery(peopleQuery());
  const groups = useQuery(groupNamesQuery());
  const personName = usePersonName();
  if (error !== null && data === undefined)
    return <ErrorState title={t('errors:error.getShares')} error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton rows={3} rowHeight={36} />;
  const users = data.users.map((one) => ({ ...one, name: one.username, label: personName(one.username) }));
  const groupLabel = (name: string) => groups.data?.find((one) => one.name === name)?.label ?? name;
  const shared = data.groups.map((one) => ({ ...one, name: one.groupName, label: groupLabel(one.groupName) }));
  const named = people.data?.map(personOption) ?? null;
  return (
    <>
      {!may && <Notice tone="info">{t('share.readers')}</Notice>}
      <SharesSection kind="users" {...{ project, may }} rows={users} names={optionsNotTaken(named, users, me)} />
      <SharesSection kind="groups" {...{ project, may }} rows={shared} names={optionsNotTaken(groups.data ?? null, shared)} />
      {may && <InvitationLinks project={project} />}
    </>
  );
}
