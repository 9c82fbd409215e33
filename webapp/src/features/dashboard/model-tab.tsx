import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { engineFormQuery } from '@/api/resources/components';
import { modelMetricsQuery, type ModelMetrics, type ModelsMetrics } from '@/api/resources/metrics';
import { ChartCard } from '@/charts/chart-card';
import { Curve } from '@/charts/curve';
import { Tiles } from '@/charts/tiles';
import { Badge } from '@/components/badge';
import { Button } from '@/components/button';
import { DataTable, TwoLines, type Column } from '@/components/data-table';
import { useFormat } from '@/components/format';
import { EmptyState } from '@/components/states';
import { useCan, useProjectName } from '@/state/session-store';
import { Part } from './part';
import type { DashboardTabProps } from './tab-props';
import styles from './dashboard.module.css';

/** C-034: the newest first; the server gives the oldest first. */
export const newestFirst = (history: readonly ModelMetrics[]): ModelMetrics[] => [...history].reverse();

const keyOf = (model: ModelMetrics) => `${model.name} ${model.timestamp_end}`;

/** `87%`, `87 %`: quality comes in percent. */
export function useQuality() {
  const { language } = useFormat();
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 });
  return (quality: number) => percent.format(quality / 100);
}

/** What the engine is called, where its component is installed. */
function EngineTitle({ engine }: { readonly engine: string }) {
  const { i18n } = useTranslation();
  const { data } = useQuery({ ...engineFormQuery(useProjectName(), 'learner', engine, i18n.language), meta: { silent: true } });
  return <>{data?.title ?? engine}</>;
}

function useColumns(metrics: ModelsMetrics): Column<ModelMetrics>[] {
  const { t } = useTranslation(['dashboard', 'experiments']);
  const format = useFormat();
  const quality = useQuality();
  const experiments = useCan('seeExperiments');
  const score = (value: number | undefined) => (value === undefined ? '–' : format.score(value));
  const is = (model: ModelMetrics, other: ModelMetrics | undefined) => other !== undefined && keyOf(model) === keyOf(other);
  return [
    {
      key: 'model',
      header: t('model.experiment'),
      cell: (model) => (
        <TwoLines
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
    { key: 'quality', header: t('model.quality'), align: 'right', cell: (model) => quality(model.quality) },
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
    { key: 'when', header: t('model.trained'), align: 'right', cell: (model) => format.when(model.timestamp_end) },
  ];
}

export function QualityCurve({ project, history }: { readonly project: string; readonly history: readonly ModelMetrics[] }) {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const quality = useQuality();
  const last = history.at(-1);
  const summary = last === undefined ? '' : t('model.summary', { count: history.length, last: quality(last.quality) });
  return (
    <ChartCard
      title={t('model.curve')}
      help={t('model.curveHelp')}
      summary={summary}
      file={`${project}-models`}
      table={{
        columns: [t('model.trained'), t('model.experiment'), t('model.quality')],
        rows: newestFirst(history).map((model) => [new Date(model.timestamp_end).toISOString(), model.label || model.name, model.quality]),
      }}
      empty={t('empty.models')}
    >
      <Curve
        points={history.map((model, place) => ({ x: place + 1, y: model.quality }))}
        summary={summary}
        top={100}
        wordsOf={quality}
        nameOf={(place) => {
          const model = history[Math.round(place) - 1];
          return model === undefined ? format.number(place) : `${format.number(place)}. ${model.label || model.name}`;
        }}
      />
    </ChartCard>
  );
}

function Models({ project, metrics }: { readonly project: string; readonly metrics: ModelsMetrics }) {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const quality = useQuality();
  const columns = useColumns(metrics);
  const tile = (key: 'best' | 'last', model: ModelMetrics | undefined) =>
    model === undefined
      ? []
      : [
          {
            key,
            name: t(`model.${key}Quality`),
            value: quality(model.quality),
            note: `${model.label || model.name}, ${format.when(model.timestamp_end)}`,
          },
        ];
  return (
    <div className={styles['grid']}>
      <div className={styles['wide']}>
        <Tiles
          tiles={[
            ...tile('best', metrics.best),
            ...tile('last', metrics.last),
            { key: 'trainings', name: t('model.trainings'), value: format.number(metrics.history.length), note: t('model.trainingsNote') },
          ]}
        />
      </div>
      <div className={styles['wide']}>
        <DataTable label={t('model.history')} columns={columns} rows={newestFirst(metrics.history)} rowKey={keyOf} twoLines />
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
    <Part query={query}>
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
          <Models project={project} metrics={metrics} />
        )
      }
    </Part>
  );
}
