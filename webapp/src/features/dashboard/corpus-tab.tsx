import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useProjectLabels } from '@/blocks/labelling/project-labels';
import { corpusMetricsQuery, type CorpusMetrics } from '@/api/resources/metrics';
import { FigureTiles } from '@/charts/figure-tiles';
import { useFormat } from '@/ui/format';
import { parseMetafacets } from '@/blocks/search/metadata-facets';
import { useFacetSearchLinks } from './dashboard-address';
import { MetadataCoverageCard, GrowthCard, LengthsCard, MetadataValuesCard } from './corpus-charts';
import { NoDocuments } from './no-documents';
import { LoadedSection } from './loaded-section';
import type { DashboardTabProps } from './tab-props';
import styles from './dashboard.module.css';

/** The metadata field of the address, else the first one shown by the project, else the first one. */
export function shownFacet(wanted: string, shown: readonly string[], known: readonly string[]): string {
  return wanted !== '' ? wanted : (shown.find((name) => known.includes(name)) ?? known[0] ?? '');
}

function CorpusTiles({ metrics }: { readonly metrics: CorpusMetrics }) {
  const { t } = useTranslation(['dashboard', 'home']);
  const format = useFormat();
  const links = useFacetSearchLinks();
  const { project } = useProjectLabels();
  const { documentCount: documents, segmentCount: segments, corpusSize } = metrics;
  const language = project?.lang ?? '';
  return (
    <FigureTiles
      tiles={[
        { key: 'documents', name: t('figure.documents'), value: format.number(documents), to: links.documents() },
        {
          key: 'segments',
          name: t('figure.segments'),
          value: format.number(segments),
          note: t('figure.perDocument', { number: format.number(Math.round((10 * segments) / Math.max(1, documents)) / 10) }),
          to: links.segments(),
        },
        {
          key: 'size',
          name: t('figure.characters'),
          value: format.number(corpusSize),
          note: t('figure.perDocument', { number: format.number(Math.round(corpusSize / Math.max(1, documents))) }),
        },
        {
          key: 'language',
          name: t('figure.language'),
          value: language === '' ? '–' : t(`home:language.${language}`, { defaultValue: language }),
        },
      ]}
    />
  );
}

export function CorpusTab({ project, state, change, writable }: DashboardTabProps) {
  const { project: bean } = useProjectLabels();
  const [first, shown] = [useQuery(corpusMetricsQuery(project, '')), parseMetafacets(bean?.metafacets).map(({ name }) => name)];
  const known = (first.data?.details?.metadata ?? []).map(({ _id }) => _id);
  const facet = shownFacet(state.facet, shown, known);
  const chosen = useQuery({ ...corpusMetricsQuery(project, facet), enabled: facet !== '', placeholderData: keepPreviousData });
  return (
    <LoadedSection query={first} rows={12}>
      {(metrics) =>
        metrics.documentCount === 0 ? (
          <NoDocuments writable={writable} />
        ) : (
          <div className={styles['grid']}>
            <div className={styles['wide']}>
              <CorpusTiles metrics={metrics} />
            </div>
            <GrowthCard project={project} metrics={metrics} />
            <LengthsCard project={project} metrics={metrics} />
            <MetadataValuesCard
              project={project}
              metrics={chosen.data ?? metrics}
              facet={facet}
              onFacet={(next) => change({ facet: next })}
              stale={chosen.isPlaceholderData}
            />
            <MetadataCoverageCard project={project} metrics={metrics} />
          </div>
        )
      }
    </LoadedSection>
  );
}
