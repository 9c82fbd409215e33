import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorState, Skeleton } from '@/components/states';

export interface PartProps<T> {
  readonly query: { readonly data: T | undefined; readonly error: unknown; readonly refetch: () => unknown };
  readonly rows?: number;
  readonly children: (data: T) => ReactNode;
}

/** What a part of the page shows while its figures come, when they do not, and with them; old figures stay in sight. */
export function Part<T>({ query, rows = 8, children }: PartProps<T>) {
  const { t } = useTranslation();
  if (query.data !== undefined) return children(query.data);
  if (query.error !== null) return <ErrorState title={t('errors:error.stats')} error={query.error} onRetry={() => void query.refetch()} />;
  return <Skeleton rows={rows} />;
}
