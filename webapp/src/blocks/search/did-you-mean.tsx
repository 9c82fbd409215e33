import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { spellingQuery } from '@/api/resources/documents';
import type { SearchAddress } from '@/state/search-address';
import { useCan } from '@/state/session-store';
import { useFormat } from '@/ui/format';
import { Button } from '@/ui/button';

interface DidYouMeanProps {
  readonly project: string;
  readonly state: SearchAddress;
  readonly onQuery: (query: string) => void;
}

/** For a search that finds nothing: what is close to the words of the query, as a button; nothing if nothing is. */
export function DidYouMean({ project, state, onQuery }: DidYouMeanProps): ReactNode {
  const { t } = useTranslation('search');
  const format = useFormat();
  const maySearch = useCan('useSearch');
  const asked = maySearch && state.searchType === 'text' ? state.query : '';
  const { data } = useQuery(spellingQuery(project, asked, state.isSimpleQueryMode));
  const query = data?.query;
  if (data === undefined || query === undefined) return null;
  return (
    <Button kind="solid" onClick={() => onQuery(query)}>
      {t('didYouMean', { query, count: data.documents, number: format.number(data.documents) })}
    </Button>
  );
}
