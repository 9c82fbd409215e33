import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { apiKeysQuery, revokeApiKey, type ApiKey } from '@/api/resources/api-keys';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { DataTable, TwoLineCell, type Column } from '@/ui/data-table';
import { DeleteDialog } from '@/ui/delete-dialog';
import { useFormat } from '@/ui/format';
import { useMediaQuery } from '@/ui/media-query';
import { Skeleton } from '@/ui/placeholder-states';
import { ErrorState } from '@/blocks/error-state';
import { notify } from '@/state/notifications-store';
import lines from '@/ui/list-lines.module.css';
import { When } from '@/ui/when';
import styles from './api-keys.module.css';
import { apiKeyLimits } from './key-limits';

/** Describes what a key may do. */
function useApiKeyLimitsText(): (key: ApiKey) => string {
  const { t } = useTranslation('profile');
  return (key) =>
    [
      t(`keys.limit.${apiKeyLimits(key).may}`),
      ...(key.projectFilter == null ? [] : [t('keys.limit.projects', { pattern: key.projectFilter })]),
      ...(key.noPermissions ? [t('keys.limit.noPermissions')] : []),
      ...(key.permissions == null ? [] : [t('keys.limit.permissions', { count: key.permissions.length })]),
    ].join(', ');
}

interface RowsProps {
  readonly keys: readonly ApiKey[];
  readonly onRevoke: (key: ApiKey) => void;
}

function RevokeKeyButton({ one, onRevoke }: { readonly one: ApiKey; readonly onRevoke: (key: ApiKey) => void }) {
  const { t } = useTranslation('profile');
  return (
    <Button small kind="quiet" aria-label={t('keys.revokeOf', { name: one.label })} onClick={() => onRevoke(one)}>
      {t('keys.revoke')}
    </Button>
  );
}

function WideKeyTable({ keys, onRevoke }: RowsProps) {
  const { t } = useTranslation('profile');
  const limits = useApiKeyLimitsText();
  const columns: readonly Column<ApiKey>[] = [
    { key: 'name', header: t('keys.column.name'), cell: (one) => <TwoLineCell first={one.label} second={limits(one)} /> },
    { key: 'created', header: t('keys.column.created'), cell: (one) => <When at={one.createdAt} /> },
    {
      key: 'lastUsed',
      header: t('keys.column.lastUsed'),
      cell: (one) => (one.lastUsedAt == null ? t('keys.neverUsed') : <When at={one.lastUsedAt} />),
    },
    {
      key: 'expires',
      header: t('keys.column.expires'),
      cell: (one) => {
        if (one.expired) return <Badge tone="warning">{t('keys.expired')}</Badge>;
        return one.expiresAt == null ? t('keys.never') : <When at={one.expiresAt} />;
      },
    },
  ];
  return (
    <DataTable
      twoLines
      actionsAlways
      label={t('keys.title')}
      columns={columns}
      rows={keys}
      rowKey={(one) => one.identifier}
      rowActions={(one) => <RevokeKeyButton one={one} onRevoke={onRevoke} />}
    />
  );
}

function NarrowKeyList({ keys, onRevoke }: RowsProps) {
  const { t } = useTranslation('profile');
  const format = useFormat();
  const limits = useApiKeyLimitsText();
  const end = (one: ApiKey) =>
    one.expiresAt == null ? t('keys.neverExpires') : t('keys.expires', { when: format.whenWithin(one.expiresAt) });
  const facts = (one: ApiKey) => [
    t('keys.created', { when: format.whenWithin(one.createdAt) }),
    one.lastUsedAt == null ? t('keys.unused') : t('keys.lastUsed', { when: format.whenWithin(one.lastUsedAt) }),
    one.expired ? t('keys.expired') : end(one),
  ];
  return (
    <ul className={lines['lines']} aria-label={t('keys.title')}>
      {keys.map((one) => (
        <li key={one.identifier}>
          <span>
            <strong>{one.label}</strong>
            <small>{limits(one)}</small>
            <small>{facts(one).join(' · ')}</small>
          </span>
          <RevokeKeyButton one={one} onRevoke={onRevoke} />
        </li>
      ))}
    </ul>
  );
}

function RevokeApiKeyDialog({ username, one, onClose }: { readonly username: string; readonly one: ApiKey; readonly onClose: () => void }) {
  const { t } = useTranslation('profile');
  const queryClient = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => revokeApiKey(username, one.identifier),
    onSuccess: () => notify({ type: 'success', message: t('keys.revoked', { name: one.label }) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: apiKeysQuery(username).queryKey }),
    meta: { errorTitle: 'revokeKey' },
  });
  return (
    <DeleteDialog
      title={t('keys.revokeTitle', { name: one.label })}
      keepLabel={t('keys.revokeKeep')}
      deleteLabel={t('keys.revokeDo')}
      onClose={onClose}
      onDelete={() => revoke.mutateAsync()}
    >
      <p>{t('keys.revokeText')}</p>
    </DeleteDialog>
  );
}

interface KeyListProps {
  readonly username: string;
  /** Shown when there are none. */
  readonly empty: string;
  /** Shows rows as on a narrow screen, at any width. */
  readonly narrow?: boolean;
}

/** API keys of an account with their permissions, and buttons to revoke them. */
export function ApiKeyList({ username, empty, narrow = false }: KeyListProps): ReactNode {
  const { t } = useTranslation('errors');
  const { data, error, refetch } = useQuery(apiKeysQuery(username));
  const wide = useMediaQuery('(min-width: 800px)') && !narrow;
  const [revoked, setRevoked] = useState<ApiKey | null>(null);
  const Rows = wide ? WideKeyTable : NarrowKeyList;
  return (
    <>
      {error !== null && data === undefined && <ErrorState title={t('error.getKeys')} error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton rows={2} rowHeight={40} />}
      {data?.length === 0 && <p className={styles['empty']}>{empty}</p>}
      {data !== undefined && data.length > 0 && <Rows keys={data} onRevoke={setRevoked} />}
      {revoked !== null && <RevokeApiKeyDialog username={username} one={revoked} onClose={() => setRevoked(null)} />}
    </>
  );
}
