import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorState } from './error-state';
import { EmptyState, Skeleton } from '@/ui/placeholder-states';

interface LoadedListProps<T> {
  readonly query: { readonly data: readonly T[] | undefined; readonly error: unknown; readonly refetch: () => unknown };
  /** Key of the error catalogue. */
  readonly errorTitle: string;
  /** Grey rows while it loads. */
  readonly rows: number;
  /** Where there is nothing: that, and what may be done. */
  readonly empty: { readonly title: string; readonly text: string; readonly actions: ReactNode };
  readonly children: (items: readonly T[]) => ReactNode;
}

/** The items of a query; before that grey rows, without any a word about it, and why they could not be read. */
export function LoadedList<T>({ query, errorTitle, rows, empty, children }: LoadedListProps<T>): ReactNode {
  const { t } = useTranslation('errors');
  const { data, error, refetch } = query;
  if (error !== null && data === undefined)
    return <ErrorState title={t(`errors:error.${errorTitle}`)} error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton rows={rows} rowHeight={54} />;
  if (data.length > 0) return children(data);
  return (
    <EmptyState title={empty.title} actions={empty.actions}>
      {empty.text}
    </EmptyState>
  );
}
