import { useQuery } from '@tanstack/react-query';
import { Check, Circle } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useProjectLabels } from '@/blocks/labelling/project-labels';
import {
  annotationMetricsQuery,
  categoryMetricsQuery,
  corpusMetricsQuery,
  modelMetricsQuery,
  type CorpusMetrics,
  type LabellingDetails,
  type ModelsMetrics,
} from '@/api/resources/metrics';
import { FigureTiles } from '@/charts/figure-tiles';
import { useFormat } from '@/ui/format';
import { addressPath } from '@/state/search-address';
import { useCan } from '@/state/session-store';
import { useFacetSearchLinks } from './dashboard-address';
import { GrowthCard } from './corpus-charts';
import { LabelsCard } from './dataset-charts';
import { countedLabellingToShow } from './dataset-tab';
import { modelF1, QualityCurve } from './model-tab';
import { NoDocuments } from './no-documents';
import { LoadedSection } from './loaded-section';
import type { DashboardTabProps } from './tab-props';
import styles from './dashboard.module.css';
import cards from '@/charts/charts.module.css';

interface Overview {
  readonly corpus: CorpusMetrics;
  readonly details: LabellingDetails;
  readonly models: ModelsMetrics;
  /** Annotations or categories that are confirmed. */
  readonly labelled: number;
  /** Those and the ones nobody reviewed, as in the footer and in the list of documents. */
  readonly labelledOrProposed: number;
  readonly inDataset: number;
  readonly suggestions: number;
}

/** Progress through the typical steps of a project. */
function ProjectProgress({ overview }: { readonly overview: Overview }) {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const { project, appearance } = useProjectLabels();
  const may = { documents: useCan('seeDocuments'), labels: useCan('seeLabels'), experiments: useCan('seeExperiments') };
  const counted = countedLabellingToShow('', project?.nature);
  const steps = [
    { key: 'documents', count: overview.corpus.documentCount, to: may.documents ? '/documents' : undefined },
    { key: 'labels', count: appearance.labels.size, to: may.labels ? '/labels/default' : undefined },
    { key: counted, count: overview.labelled, to: may.documents ? '/documents' : undefined },
    { key: 'models', count: overview.models.history.length, to: may.experiments ? '/experiments' : undefined },
  ];
  return (
    <section className={cards['card']} aria-labelledby="progress">
      <header>
        <div>
          <h2 id="progress">{t('progress.title')}</h2>
          <small>{t('progress.help')}</small>
        </div>
      </header>
      <div className={cards['body']}>
        <ul className={styles['ready']}>
          {steps.map(({ key, count, to }) => {
            const Icon = count > 0 ? Check : Circle;
            const text = t(`progress.${key}.${count > 0 ? 'done' : 'open'}`);
            return (
              <li key={key} data-done={count > 0 || undefined}>
                <Icon size={16} aria-hidden />
                <span>{to === undefined ? text : <Link to={to}>{text}</Link>}</span>
                <small>{format.number(count)}</small>
              </li>
            );
          })}
        </ul>
      </div>
    </section>
  );
}

function OverviewTiles({ overview }: { readonly overview: Overview }) {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const links = useFacetSearchLinks();
  const { project } = useProjectLabels();
  const may = { explore: useCan('seeExplore'), suggestions: useCan('seeSuggestions'), experiments: useCan('seeExperiments') };
  const counted = countedLabellingToShow('', project?.nature);
  const { corpus, models, labelled, labelledOrProposed, inDataset, suggestions } = overview;
  const documents = { count: inDataset, number: format.number(inDataset) };
  const best = models.best;
  return (
    <FigureTiles
      tiles={[
        { key: 'documents', name: t('figure.documents'), value: format.number(corpus.documentCount), to: links.documents() },
        { key: 'segments', name: t('figure.segments'), value: format.number(corpus.segmentCount), to: links.segments() },
        {
          key: counted,
          name: t(`figure.${counted}`),
          value: format.number(labelledOrProposed),
          note:
            labelled === labelledOrProposed
              ? t('figure.inDocuments', documents)
              : t('figure.confirmedInDocuments', { ...documents, confirmed: format.number(labelled) }),
          to: may.explore ? addressPath('/explore', { datasetSelector: '$inDataset' }) : undefined,
        },
        {
          key: 'suggestions',
          name: t('figure.suggestions'),
          value: format.number(suggestions),
          note: t('figure.suggestionsNote'),
          to: may.suggestions && suggestions > 0 ? '/suggestions' : undefined,
        },
        {
          key: 'f1',
          name: t('model.bestF1'),
          value: best === undefined ? '–' : format.score(modelF1(best) ?? 0),
          note: best === undefined ? t('empty.models') : best.label || best.name,
          to: may.experiments && best !== undefined ? '/experiments' : undefined,
        },
      ]}
    />
  );
}

function useProjectOverview(project: string) {
  const { project: bean } = useProjectLabels();
  const counted = countedLabellingToShow('', bean?.nature);
  const corpus = useQuery(corpusMetricsQuery(project, ''));
  const annotations = useQuery(annotationMetricsQuery(project));
  const categories = useQuery({ ...categoryMetricsQuery(project), enabled: counted === 'categories' });
  const models = useQuery(modelMetricsQuery(project));
  const all = [corpus, annotations, models, ...(counted === 'categories' ? [categories] : [])];
  const refetch = () => all.forEach((query) => void query.refetch());
  const error = all.find((query) => query.data === undefined && query.error !== null)?.error ?? null;
  const found = counted === 'categories' ? categories.data : annotations.data;
  if (corpus.data === undefined || found?.details === undefined || models.data === undefined || annotations.data === undefined)
    return { data: undefined, error, refetch };
  const data: Overview = {
    corpus: corpus.data,
    details: found.details,
    models: models.data,
    labelled: 'annotationCount' in found ? found.annotationCount : found.categoriesCount,
    labelledOrProposed: found.details.labels.reduce((sum, { confirmed, unreviewed }) => sum + confirmed + unreviewed, 0),
    inDataset: found.documentsInDataset,
    suggestions: annotations.data.suggestionCount,
  };
  return { data, error, refetch };
}

/** S-039: overview, for users with access to the overall statistics. */
export function ProjectTab({ project, writable }: DashboardTabProps) {
  const { project: bean } = useProjectLabels();
  const query = useProjectOverview(project);
  return (
    <LoadedSection<Overview> query={query} rows={12}>
      {(overview) =>
        overview.corpus.documentCount === 0 ? (
          <NoDocuments writable={writable} />
        ) : (
          <div className={styles['grid']}>
            <div className={styles['wide']}>
              <OverviewTiles overview={overview} />
            </div>
            <ProjectProgress overview={overview} />
            <GrowthCard project={project} metrics={overview.corpus} />
            <LabelsCard project={project} counted={countedLabellingToShow('', bean?.nature)} details={overview.details} />
            {overview.models.history.length > 1 && <QualityCurve project={project} history={overview.models.history} />}
          </div>
        )
      }
    </LoadedSection>
  );
}
