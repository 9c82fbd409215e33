import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isUnreadableQuery } from '@/api/resources/search';
import { ErrorState } from '@/blocks/error-state';
import { Button } from '@/ui/button';

interface SearchFailedProps {
  readonly state: { readonly query: string };
  readonly change: (part: { readonly query: string }) => void;
  readonly error: unknown;
  /** Key of the error catalogue; of a query that cannot be read something else is said. */
  readonly errorTitle: string;
  readonly onRetry: () => unknown;
}

/** What stands where results would when a search failed. */
export function SearchFailed({ state, change, error, errorTitle, onRetry }: SearchFailedProps): ReactNode {
  const { t } = useTranslation('search');
  return (
    <ErrorState
      title={isUnreadableQuery(error) ? t('errors:wrongQuery') : t(`errors:error.${errorTitle}`)}
      error={error}
      retained={t('kept')}
      onRetry={() => void onRetry()}
      actions={
        state.query !== '' && (
          <Button small onClick={() => change({ query: '' })}>
            {t('clearQuery')}
          </Button>
        )
      }
    />
  );
}
