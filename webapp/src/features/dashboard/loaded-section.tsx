import { useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Skeleton } from '@/ui/placeholder-states';
import { ErrorState } from '@/blocks/error-state';

export interface LoadedSectionProps<T> {
  readonly query: { readonly data: T | undefined; readonly error: unknown; readonly refetch: () => unknown };
  readonly rows?: number;
  readonly children: (data: T) => ReactNode;
}

/**
 * Part of a page that depends on a query: placeholder while loading, error state without old data on failure (E-060: logged), else the
 * content.
 */
export function LoadedSection<T>({ query, rows = 8, children }: LoadedSectionProps<T>) {
  const { t } = useTranslation();
  const { error } = query;
  useEffect(() => {
    if (error !== null) console.warn('The figures could not be read', error);
  }, [error]);
  if (query.data !== undefined && error === null) return children(query.data);
  if (error !== null) return <ErrorState title={t('errors:error.stats')} error={error} onRetry={() => void query.refetch()} />;
  return <Skeleton rows={rows} />;
}
