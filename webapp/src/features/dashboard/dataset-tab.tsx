import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useProjectLabels } from '@/blocks/labelling/project-labels';
import {
  annotationMetricsQuery,
  categoryMetricsQuery,
  type AnnotationMetrics,
  type CategoryMetrics,
  type LabellingDetails,
} from '@/api/resources/metrics';
import { FigureTiles, type FigureTile } from '@/charts/figure-tiles';
import { ButtonLink } from '@/ui/button-link';
import { SegmentedControl } from '@/ui/choice-inputs';
import { useFormat } from '@/ui/format';
import { EmptyState } from '@/ui/placeholder-states';
import { addressPath } from '@/state/search-address';
import { useCan } from '@/state/session-store';
import { useFacetSearchLinks, type CountedLabelling, type DashboardAddress } from './dashboard-address';
import {
  LabelsCard,
  LabelOverlapsCard,
  MOST_LABELS_IN_HALF_ROW,
  LabellingPerPersonCard,
  StatusAndModeCard,
  AnnotatedTextsCard,
} from './dataset-charts';
import { FrequentTermsCard } from './frequent-terms-card';
import { NoDocuments } from './no-documents';
import { LoadedSection } from './loaded-section';
import type { DashboardTabProps } from './tab-props';
import styles from './dashboard.module.css';

/** The value of the address, else the one for the nature of the project. */
export function countedLabellingToShow(wanted: DashboardAddress['counted'], nature: string | undefined): CountedLabelling {
  if (wanted !== '') return wanted;
  return nature === 'classification' ? 'categories' : 'annotations';
}

function useFormatPercent() {
  const { language } = useFormat();
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  return (part: number, whole: number) => percent.format(whole === 0 ? 0 : part / whole);
}

/** Share of the dataset in the corpus, and its split. */
function useDatasetTiles(documents: number, segments: number | undefined, details: LabellingDetails): FigureTile[] {
  const { t } = useTranslation(['dashboard', 'search']);
  const format = useFormat();
  const percent = useFormatPercent();
  const links = useFacetSearchLinks();
  const explore = useCan('seeExplore');
  const split = details.splits.map(({ _id, count }) => `${t(`search:split.${_id}`, { defaultValue: _id })} ${format.number(count)}`);
  return [
    {
      key: 'documents',
      name: t('figure.documentsInDataset'),
      value: format.number(documents),
      note: t('figure.shareOf', { share: percent(documents, details.documentCount), total: format.number(details.documentCount) }),
      to: links.documents(['inDataset', 'true']),
    },
    ...(segments === undefined
      ? []
      : [
          {
            key: 'segments',
            name: t('figure.segmentsInDataset'),
            value: format.number(segments),
            note: t('figure.shareOf', { share: percent(segments, details.segmentCount), total: format.number(details.segmentCount) }),
            to: explore ? addressPath('/explore', { datasetSelector: '$inDataset' }) : undefined,
          },
        ]),
    ...(split.length === 0 ? [] : [{ key: 'split', name: t('figure.split'), value: split.join(' · '), note: t('figure.splitNote') }]),
  ];
}

function NoLabelling({ counted }: { readonly counted: CountedLabelling }) {
  const { t } = useTranslation('dashboard');
  const documents = useCan('seeDocuments');
  return (
    <EmptyState
      title={t(`noLabelling.title.${counted}`)}
      actions={
        documents && (
          <ButtonLink kind="solid" to="/documents">
            {t('noLabelling.open')}
          </ButtonLink>
        )
      }
    >
      {t('noLabelling.text')}
    </EmptyState>
  );
}

function AnnotationsView({ project, metrics }: { readonly project: string; readonly metrics: AnnotationMetrics }) {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const suggestions = useCan('seeSuggestions');
  const details = metrics.details as LabellingDetails;
  const tiles = useDatasetTiles(metrics.documentsInDataset, metrics.segmentsInDataset, details);
  const perDocument = Math.round((10 * metrics.annotationCount) / Math.max(1, metrics.documentsInDataset)) / 10;
  if (details.labels.length === 0) return <NoLabelling counted="annotations" />;
  const card = { project, details, counted: 'annotations' } as const;
  return (
    <div className={styles['grid']}>
      <div className={styles['wide']}>
        <FigureTiles
          tiles={[
            {
              key: 'annotations',
              name: t('figure.annotations'),
              value: format.number(metrics.annotationCount),
              note: t('figure.perDocument', { number: format.number(perDocument) }),
            },
            ...tiles,
            {
              key: 'suggestions',
              name: t('figure.suggestions'),
              value: format.number(metrics.suggestionCount),
              note: t('figure.suggestionsNote'),
              to: suggestions && metrics.suggestionCount > 0 ? '/suggestions' : undefined,
            },
          ]}
        />
      </div>
      <LabelsCard {...card} />
      <LabellingPerPersonCard {...card} />
      <StatusAndModeCard {...card} />
      <LabelOverlapsCard {...card} />
      <AnnotatedTextsCard project={project} />
      {/* The card of overlaps takes a whole row too when there are more than ten labels: no half of a row stays empty. */}
      <FrequentTermsCard project={project} wide={details.labels.length <= MOST_LABELS_IN_HALF_ROW} />
    </div>
  );
}

function CategoriesView({ project, metrics }: { readonly project: string; readonly metrics: CategoryMetrics }) {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const details = metrics.details as LabellingDetails;
  const tiles = useDatasetTiles(metrics.documentsInDataset, undefined, details);
  if (details.labels.length === 0) return <NoLabelling counted="categories" />;
  const card = { project, details, counted: 'categories' } as const;
  return (
    <div className={styles['grid']}>
      <div className={styles['wide']}>
        <FigureTiles
          tiles={[{ key: 'categories', name: t('figure.categories'), value: format.number(metrics.categoriesCount) }, ...tiles]}
        />
      </div>
      <LabelsCard {...card} />
      <LabellingPerPersonCard {...card} />
      <StatusAndModeCard {...card} />
      <LabelOverlapsCard {...card} />
    </div>
  );
}

export function DatasetTab({ project, state, change, writable }: DashboardTabProps) {
  const { t } = useTranslation('dashboard');
  const { project: bean } = useProjectLabels();
  const counted = countedLabellingToShow(state.counted, bean?.nature);
  const annotations = useQuery({ ...annotationMetricsQuery(project), enabled: counted === 'annotations' });
  const categories = useQuery({ ...categoryMetricsQuery(project), enabled: counted === 'categories' });
  const empty = (details: LabellingDetails | undefined) => details?.documentCount === 0;
  return (
    <>
      <div className={styles['counted']}>
        <SegmentedControl
          label={t('dataset.counted')}
          value={counted}
          onChange={(next) => change({ counted: next })}
          options={(['annotations', 'categories'] as const).map((value) => ({ value, label: t(`tabOf.${value}`) }))}
        />
      </div>
      {counted === 'annotations' ? (
        <LoadedSection query={annotations} rows={12}>
          {(metrics) =>
            empty(metrics.details) ? <NoDocuments writable={writable} /> : <AnnotationsView project={project} metrics={metrics} />
          }
        </LoadedSection>
      ) : (
        <LoadedSection query={categories} rows={12}>
          {(metrics) =>
            empty(metrics.details) ? <NoDocuments writable={writable} /> : <CategoriesView project={project} metrics={metrics} />
          }
        </LoadedSection>
      )}
    </>
  );
}
