/** Charts of the corpus: growth, text lengths, metadata values. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { segmentLengthsQuery, type CorpusMetrics, type LengthCount } from '@/api/resources/metrics';
import { BarChart } from '@/charts/bar-chart';
import { ChartCard } from '@/charts/chart-card';
import { ColumnChart } from '@/charts/column-chart';
import { LineChart } from '@/charts/line-chart';
import { cumulativeCounts } from '@/charts/scales';
import { SegmentedControl, SelectInput } from '@/ui/choice-inputs';
import { readerLocale, useFormat } from '@/ui/format';
import { useFacetSearchLinks } from './dashboard-address';
import { LoadedSection } from './loaded-section';
import { useMetadataTitle } from '@/blocks/search/metadata-titles';
import styles from './dashboard.module.css';

/** Days of the server are UTC. */
export const useFormatDay = () => {
  const { language } = useFormat();
  const form = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const;
  return (ms: number) => new Date(ms).toLocaleDateString(readerLocale(language), form);
};

export function GrowthCard({ project, metrics }: { readonly project: string; readonly metrics: CorpusMetrics }) {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const day = useFormatDay();
  const growth = metrics.details?.growth ?? [];
  const points = cumulativeCounts(growth);
  const first = growth[0];
  const last = growth.at(-1);
  const summary =
    first === undefined || last === undefined
      ? ''
      : t('growth.summary', {
          count: metrics.documentCount,
          number: format.number(metrics.documentCount),
          first: day(first.date),
          last: day(last.date),
        });
  return (
    <ChartCard
      title={t('growth.title')}
      help={t('growth.help')}
      summary={summary}
      file={`${project}-growth`}
      table={{
        columns: [t('growth.day'), t('growth.added'), t('growth.total')],
        rows: growth.map(({ date, count }, place) => [new Date(date).toISOString().slice(0, 10), count, points[place]?.y ?? 0]),
      }}
      empty={t('empty.documents')}
    >
      {points.length === 1 && first !== undefined ? (
        <p className={styles['one']}>{t('growth.one', { count: first.count, number: format.number(first.count), day: day(first.date) })}</p>
      ) : (
        <LineChart points={points} summary={summary} nameOf={day} steps />
      )}
    </ChartCard>
  );
}

const formatCompact = (value: number, language: string) => new Intl.NumberFormat(language, { notation: 'compact' }).format(value);

function LengthDistribution({
  steps,
  rangeText,
}: {
  readonly steps: readonly LengthCount[];
  readonly rangeText: (step: LengthCount) => string;
}) {
  const { t } = useTranslation('dashboard');
  const { language } = useFormat();
  const most = steps.reduce<LengthCount | undefined>(
    (best, step) => (best === undefined || step.count > best.count ? step : best),
    undefined,
  );
  return (
    <ColumnChart
      summary={most === undefined ? '' : t('lengths.summary', { step: rangeText(most), count: most.count })}
      columns={steps.map((step) => ({
        key: String(step.from),
        name: formatCompact(step.from, language),
        title: rangeText(step),
        value: step.count,
      }))}
    />
  );
}

export function LengthsCard({ project, metrics }: { readonly project: string; readonly metrics: CorpusMetrics }) {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const [of, setOf] = useState<'documents' | 'segments'>('documents');
  const segments = useQuery({ ...segmentLengthsQuery(project), enabled: of === 'segments' });
  const steps = of === 'documents' ? (metrics.details?.documentLengths ?? []) : (segments.data ?? []);
  const rangeText = ({ from, to }: LengthCount) =>
    to === undefined
      ? t('lengths.from', { from: format.number(from) })
      : t('lengths.step', { from: format.number(from), to: format.number(to - 1) });
  return (
    <ChartCard
      title={t('lengths.title')}
      help={t('lengths.help')}
      summary={t(`lengths.of.${of}`)}
      file={`${project}-lengths-${of}`}
      aside={
        <SegmentedControl
          label={t('lengths.title')}
          value={of}
          onChange={setOf}
          options={(['documents', 'segments'] as const).map((value) => ({ value, label: t(`lengths.of.${value}`) }))}
        />
      }
      table={{
        columns: [t('lengths.characters'), t(`lengths.of.${of}`)],
        rows: steps.map((step) => [rangeText(step), step.count]),
      }}
      empty={t('empty.documents')}
      loading={of === 'segments' && segments.data === undefined}
    >
      {of === 'documents' ? (
        <LengthDistribution steps={steps} rangeText={rangeText} />
      ) : (
        <LoadedSection query={segments} rows={5}>
          {(found) => <LengthDistribution steps={found} rangeText={rangeText} />}
        </LoadedSection>
      )}
    </ChartCard>
  );
}

export function MetadataCoverageCard({ project, metrics }: { readonly project: string; readonly metrics: CorpusMetrics }) {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const metadataTitle = useMetadataTitle();
  const rows = metrics.details?.metadata ?? [];
  const percent = (count: number) =>
    new Intl.NumberFormat(format.language, { style: 'percent', maximumFractionDigits: 0 }).format(
      count / Math.max(1, metrics.documentCount),
    );
  return (
    <ChartCard
      title={t('coverage.title')}
      help={t('coverage.help')}
      summary={t('coverage.summary', { count: rows.length })}
      file={`${project}-metadata`}
      table={{
        columns: [t('coverage.metadata'), t('figure.documents'), t('coverage.share')],
        rows: rows.map(({ _id, documentCount }) => [metadataTitle(_id), documentCount, percent(documentCount)]),
      }}
      empty={t('empty.metadata')}
    >
      <BarChart
        rows={rows.map(({ _id, documentCount }) => ({
          key: _id,
          name: metadataTitle(_id),
          parts: [
            { name: t('coverage.with'), value: documentCount, look: 'solid' },
            { name: t('coverage.without'), value: metrics.documentCount - documentCount, look: 'faint' },
          ],
        }))}
        shownValue="first"
      />
    </ChartCard>
  );
}

export interface MetadataValuesCardProps {
  readonly project: string;
  readonly metrics: CorpusMetrics;
  readonly facet: string;
  readonly onFacet: (facet: string) => void;
  readonly stale: boolean;
}

export function MetadataValuesCard({ project, metrics, facet, onFacet, stale }: MetadataValuesCardProps) {
  const { t } = useTranslation('dashboard');
  const metadataTitle = useMetadataTitle();
  const links = useFacetSearchLinks();
  const [of, setOf] = useState<'documents' | 'segments'>('documents');
  const names = (metrics.details?.metadata ?? []).map(({ _id }) => _id);
  const rows = metrics.documentFacets.facets;
  const count = (row: (typeof rows)[number]) => (of === 'documents' ? row.documentCount : row.segmentCount);
  return (
    <ChartCard
      wide
      title={t('metadata.title')}
      help={t('metadata.help')}
      summary={t('metadata.summary', { name: metadataTitle(metrics.documentFacets.metadata), count: rows.length })}
      file={`${project}-${metrics.documentFacets.metadata}`}
      stale={stale}
      aside={
        names.length > 0 && (
          <div className={styles['choices']}>
            <SelectInput
              hideLabel
              label={t('metadata.choose')}
              value={facet}
              options={names.map((value) => ({ value, label: metadataTitle(value) }))}
              onChange={onFacet}
            />
            <SegmentedControl
              label={t('metadata.count')}
              value={of}
              onChange={setOf}
              options={(['documents', 'segments'] as const).map((value) => ({ value, label: t(`lengths.of.${value}`) }))}
            />
          </div>
        )
      }
      table={{
        columns: [metadataTitle(metrics.documentFacets.metadata), t('figure.documents'), t('figure.segments')],
        rows: rows.map((row) => [row._id, row.documentCount, row.segmentCount]),
      }}
      empty={t('empty.metadata')}
    >
      <BarChart
        key={`${metrics.documentFacets.metadata} ${of}`}
        rows={rows.map((row) => ({
          key: row._id,
          name: row._id,
          parts: [{ name: t(`lengths.of.${of}`), value: count(row), look: 'solid' }],
          to: links[of]([`metadata.${metrics.documentFacets.metadata}`, row._id]),
        }))}
      />
    </ChartCard>
  );
}
