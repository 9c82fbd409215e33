/** The terms that most documents are linked to. */
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { facetValuesQuery } from '@/api/resources/facets';
import { useTermNames } from '@/blocks/terms/use-term-names';
import { BarChart } from '@/charts/bar-chart';
import { ChartCard } from '@/charts/chart-card';
import { SEARCH_DEFAULTS } from '@/state/search-address';
import { useCan } from '@/state/session-store';
import { TERM_FACET } from '@/state/term-facet';
import { useFormat } from '@/ui/format';
import { useFacetSearchLinks } from './dashboard-address';

/** Whether the search may be asked for terms. */
function useReadsTerms(): boolean {
  const searches = useCan('useSearch');
  const filters = useCan(`readFacet:${TERM_FACET}`);
  return searches && filters;
}

const ALL_DOCUMENTS = { searchIn: 'documents', search: { ...SEARCH_DEFAULTS, simpleQuery: true, size: 1 } } as const;

/** Nothing while no annotation is linked to a term: most projects have no lexicon. */
export function FrequentTermsCard({ project }: { readonly project: string }) {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const links = useFacetSearchLinks();
  const enabled = useReadsTerms();
  const { data = [] } = useQuery({ ...facetValuesQuery(project, ALL_DOCUMENTS, TERM_FACET, ''), enabled });
  const nameOf = useTermNames(
    project,
    data.map(({ key }) => key),
  );
  const [first] = data;
  if (first === undefined) return null;
  const values = { count: data.length, number: format.number(data.length), name: nameOf(first.key) };
  return (
    <ChartCard
      title={t('terms.title')}
      help={t('terms.help')}
      summary={t('terms.summary', values)}
      file={`${project}-terms`}
      table={{
        columns: [t('terms.term'), t('figure.documents')],
        rows: data.map(({ key, doc_count: count }) => [nameOf(key), count]),
      }}
      empty={t('empty.annotations')}
    >
      <BarChart
        rows={data.map(({ key, doc_count: count }) => ({
          key,
          name: nameOf(key),
          parts: [{ name: t('figure.documents'), value: count, look: 'solid' }],
          to: links.documents([TERM_FACET, key]),
        }))}
      />
    </ChartCard>
  );
}
