/** The terms that most documents are linked to. */
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { termMetricsQuery } from '@/api/resources/metrics';
import { BarChart } from '@/charts/bar-chart';
import { ChartCard } from '@/charts/chart-card';
import { TERM_FACET, termFacetValue } from '@/state/term-facet';
import { useFormat } from '@/ui/format';
import { useFacetSearchLinks } from './dashboard-address';

/** Nothing while no annotation is linked to a term: most projects have no lexicon. */
export function FrequentTermsCard({ project, wide }: { readonly project: string; readonly wide: boolean }) {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const links = useFacetSearchLinks();
  const { data } = useQuery(termMetricsQuery(project));
  const terms = data?.terms ?? [];
  const [first] = terms;
  if (data === undefined || first === undefined) return null;
  const values = { count: data.documents, number: format.number(data.documents), name: first.preferredForm };
  return (
    <ChartCard
      wide={wide}
      title={t('terms.title')}
      help={t('terms.help')}
      summary={t('terms.summary', values)}
      file={`${project}-terms`}
      table={{
        columns: [t('terms.term'), t('figure.documents'), t('figure.segments')],
        rows: terms.map(({ preferredForm, documentCount, segmentCount }) => [preferredForm, documentCount, segmentCount]),
      }}
      empty={t('empty.annotations')}
    >
      <BarChart
        rows={terms.map((term) => ({
          key: termFacetValue(term),
          name: term.preferredForm,
          parts: [{ name: t('figure.documents'), value: term.documentCount, look: 'solid' }],
          to: links.documents([TERM_FACET, termFacetValue(term)]),
        }))}
      />
    </ChartCard>
  );
}
