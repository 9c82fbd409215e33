import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { engineFormQuery } from '@/api/resources/components';
import { modelMetricsQuery, type ModelMetrics, type ModelsMetrics } from '@/api/resources/metrics';
import { ChartCard } from '@/charts/chart-card';
import { LineChart } from '@/charts/line-chart';
import { FigureTiles } from '@/charts/figure-tiles';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { DataTable, TwoLineCell, type Column } from '@/ui/data-table';
import { useFormat } from '@/ui/format';
import { EmptyState } from '@/ui/placeholder-states';
import { When } from '@/ui/when';
import { useCan, useProjectName } from '@/state/session-store';
import { LoadedSection } from './loaded-section';
import type { DashboardTabProps } from './tab-props';
import styles from './dashboard.module.css';

/** C-034: the newest first; the server gives the oldest first. */
export const newestFirst = (history: readonly ModelMetrics[]): ModelMetrics[] => [...history].reverse();

const modelKey = (model: ModelMetrics) => `${model.name} ${model.timestamp_end}`;

/** F1, 0..1; undefined for topic models, whose quality is no accuracy. */
export const modelF1 = (model: ModelMetrics): number | undefined =>
  model.report?.topics === undefined ? (model.report?.microAvg?.f1 ?? model.quality / 100) : undefined;

/** Title of the engine, if its component is installed. */
function EngineTitle({ engine }: { readonly engine: string }) {
  const { i18n } = useTranslation();
  const { data } = useQuery({ ...engineFormQuery(useProjectName(), 'learner', engine, i18n.language), meta: { silent: true } });
  return <>{data?.title ?? engine}</>;
}

function useModelColumns(metrics: ModelsMetrics): Column<ModelMetrics>[] {
  const { t } = useTranslation(['dashboard', 'experiments']);
  const format = useFormat();
  const experiments = useCan('seeExperiments');
  const score = (value: number | undefined) => (value === undefined ? '–' : format.score(value));
  const is = (model: ModelMetrics, other: ModelMetrics | undefined) => other !== undefined && modelKey(model) === modelKey(other);
  return [
    {
      key: 'model',
      header: t('model.experiment'),
      cell: (model) => (
        <TwoLineCell
          first={
            <span className={styles['pair']}>
              {experiments ? <Link to="/experiments">{model.label || model.name}</Link> : model.label || model.name}
              {is(model, metrics.best) && <Badge tone="success">{t('model.best')}</Badge>}
              {is(model, metrics.last) && <Badge>{t('model.last')}</Badge>}
            </span>
          }
          second={<EngineTitle engine={model.engine} />}
        />
      ),
    },
    { key: 'f1', header: t('experiments:metric.f1'), align: 'right', cell: (model) => score(modelF1(model)) },
    {
      key: 'precision',
      header: t('experiments:metric.precision'),
      align: 'right',
      cell: (model) => score(model.report?.microAvg?.precision),
    },
    { key: 'recall', header: t('experiments:metric.recall'), align: 'right', cell: (model) => score(model.report?.microAvg?.recall) },
    { key: 'classes', header: t('model.labels'), align: 'right', priority: 2, cell: (model) => format.number(model.classes.length) },
    {
      key: 'took',
      header: t('model.took'),
      align: 'right',
      priority: 1,
      cell: (model) => format.duration(model.timestamp_end - model.timestamp),
    },
    { key: 'when', header: t('model.trained'), align: 'right', cell: (model) => <When at={model.timestamp_end} /> },
  ];
}

export function QualityCurve({ project, history }: { readonly project: string; readonly history: readonly ModelMetrics[] }) {
  const { t } = useTranslation(['dashboard', 'experiments']);
  const format = useFormat();
  const judged = history.filter((model) => modelF1(model) !== undefined);
  const last = judged.at(-1);
  const summary = last === undefined ? '' : t('model.summary', { count: judged.length, last: format.score(modelF1(last) ?? 0) });
  return (
    <ChartCard
      title={t('model.curve')}
      help={t('model.curveHelp')}
      summary={summary}
      file={`${project}-models`}
      table={{
        columns: [t('model.trained'), t('model.experiment'), t('experiments:metric.f1')],
        rows: newestFirst(judged).map((model) => [
          new Date(model.timestamp_end).toISOString(),
          model.label || model.name,
          modelF1(model) ?? 0,
        ]),
      }}
      empty={t('empty.models')}
    >
      <LineChart
        points={judged.map((model, place) => ({ x: place + 1, y: modelF1(model) ?? 0 }))}
        summary={summary}
        top={1}
        textOf={format.score}
        nameOf={(place) => {
          const model = judged[Math.round(place) - 1];
          return model === undefined ? format.number(place) : `${format.number(place)}. ${model.label || model.name}`;
        }}
      />
    </ChartCard>
  );
}

function ModelsOverview({ project, metrics }: { readonly project: string; readonly metrics: ModelsMetrics }) {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const columns = useModelColumns(metrics);
  const tile = (key: 'best' | 'last', model: ModelMetrics | undefined) =>
    model === undefined
      ? []
      : [
          {
            key,
            name: t(`model.${key}F1`),
            value: modelF1(model) === undefined ? '–' : format.score(modelF1(model) ?? 0),
            note: `${model.label || model.name}, ${format.when(model.timestamp_end)}`,
          },
        ];
  return (
    <div className={styles['grid']}>
      <div className={styles['wide']}>
        <FigureTiles
          tiles={[
            ...tile('best', metrics.best),
            ...tile('last', metrics.last),
            { key: 'trainings', name: t('model.trainings'), value: format.number(metrics.history.length), note: t('model.trainingsNote') },
          ]}
        />
      </div>
      <div className={styles['wide']}>
        <DataTable label={t('model.history')} columns={columns} rows={newestFirst(metrics.history)} rowKey={modelKey} twoLines />
      </div>
      <div className={styles['wide']}>
        <QualityCurve project={project} history={metrics.history} />
      </div>
    </div>
  );
}

export function ModelTab({ project }: DashboardTabProps) {
  const { t } = useTranslation('dashboard');
  const experiments = useCan('seeExperiments');
  const query = useQuery(modelMetricsQuery(project));
  return (
    <LoadedSection query={query}>
      {(metrics) =>
        metrics.history.length === 0 ? (
          <EmptyState
            title={t('noModels.title')}
            actions={
              experiments && (
                <Button kind="solid" to="/experiments">
                  {t('noModels.open')}
                </Button>
              )
            }
          >
            {t('noModels.text')}
          </EmptyState>
        ) : (
          <ModelsOverview project={project} metrics={metrics} />
        )
      }
    </LoadedSection>
  );
}
