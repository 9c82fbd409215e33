import { ArrowLeft, Copy, Play, Square, WandSparkles } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Experiment, QualityFigures } from '@/api/resources/experiments';
import { measurementOf, sampleUnitOf, type ConfidenceInterval } from '@/api/resources/measurement';
import { useProjectLabels } from '@/blocks/labelling/project-labels';
import { appearanceOf, useAppearance } from '@/annotation/drawing/label-style';
import { LabelTag } from '@/annotation/labels/label-tag';
import { Button } from '@/ui/button';
import { SegmentedControl } from '@/ui/choice-inputs';
import { DataTable, type Column, type Sort } from '@/ui/data-table';
import { useFormat } from '@/ui/format';
import { IconButton } from '@/ui/icon-button';
import { PageHead } from '@/ui/page';
import { EmptyState } from '@/ui/placeholder-states';
import { ConfidenceIntervalText, MeasurementPanel } from './measurement';
import {
  AVERAGES,
  averageFigures,
  ScoreBar,
  changeSinceLastTraining,
  ScoreDelta,
  TrainingHistoryChart,
  TrainingHistoryTable,
  presentMetrics,
  type AverageType,
  type Metric,
} from './report-parts';
import { ExperimentStateBadge } from './experiment-state-badge';
import { reportedTopics, TopicsReport } from './topics-report';
import type { ExperimentActions } from './use-experiments';
import styles from './experiments.module.css';

interface Row {
  readonly name: string;
  readonly figures: QualityFigures;
  readonly interval: ConfidenceInterval | undefined;
}

function AverageTiles({ experiment, average }: { readonly experiment: Experiment; readonly average: AverageType }) {
  const { t } = useTranslation('experiments');
  const format = useFormat();
  const figures = averageFigures(experiment.report, average);
  const history = experiment.history ?? [];
  const testSize = experiment.report?.testSize;
  return (
    <dl className={styles['tiles']}>
      {presentMetrics([figures])
        .filter((metric) => metric !== 'support')
        .map((metric) => (
          <div key={metric}>
            <dt>{metric === 'f1' ? t('f1Of', { average: t(`average.${average}`).toLowerCase() }) : t(`metric.${metric}`)}</dt>
            <dd>
              {format.score(figures?.[metric] ?? 0)}{' '}
              <ScoreDelta value={changeSinceLastTraining(history, (training) => averageFigures(training.report, average)?.[metric])} />
              <ConfidenceIntervalText interval={experiment.report?.intervals?.[`${average}Avg`]?.[metric]} />
            </dd>
          </div>
        ))}
      <div>
        <dt>{t('tested')}</dt>
        <dd>
          {format.number(figures?.support ?? 0)}
          {testSize !== undefined && (
            <small>{t(`testedOn.${sampleUnitOf(experiment.report)}`, { count: testSize, number: format.number(testSize) })}</small>
          )}
        </dd>
      </div>
    </dl>
  );
}

function usePerLabelColumns(metrics: readonly Metric[]): Column<Row>[] {
  const { t } = useTranslation('experiments');
  const format = useFormat();
  const appearance = useAppearance();
  const { nameOf } = useProjectLabels();
  return [
    {
      key: 'name',
      header: t('column.label'),
      sortable: true,
      cell: (row) => {
        const label = appearanceOf(appearance, row.name);
        return (
          <span className={styles['label']}>
            <LabelTag label={label} /> <span>{nameOf(row.name)}</span>
          </span>
        );
      },
    },
    ...metrics.map((metric): Column<Row> => {
      const cell = (row: Row): ReactNode => {
        const value = row.figures[metric];
        if (value === undefined) return '–';
        if (metric === 'support') return format.number(value);
        return metric === 'f1' ? (
          <span className={styles['with-bar']}>
            <ScoreBar share={value} />
            <span>
              {format.score(value)} <ConfidenceIntervalText interval={row.interval} />
            </span>
          </span>
        ) : (
          format.score(value)
        );
      };
      return { key: metric, header: t(`metric.${metric}`), align: 'right', sortable: true, cell };
    }),
  ];
}

function PerLabelTable({ experiment }: { readonly experiment: Experiment }) {
  const { t } = useTranslation('experiments');
  const { nameOf } = useProjectLabels();
  const [sort, setSort] = useState<Sort>({ key: 'f1', descending: true });
  const classes = experiment.report?.classes ?? {};
  const rows = Object.entries(classes).map(([name, figures]): Row => ({
    name,
    figures,
    interval: experiment.report?.intervals?.classes?.[name]?.f1,
  }));
  const columns = usePerLabelColumns(presentMetrics(Object.values(classes)));
  const name = (row: Row) => nameOf(row.name);
  const compare = (a: Row, b: Row) =>
    sort.key === 'name'
      ? name(a).localeCompare(name(b))
      : (a.figures[sort.key as Metric] ?? -1) - (b.figures[sort.key as Metric] ?? -1) ||
        (a.figures.support ?? 0) - (b.figures.support ?? 0);
  rows.sort((a, b) => (sort.descending ? -compare(a, b) : compare(a, b)));
  return (
    <section className={styles['panel']}>
      <header>
        <h2>{t('perLabel')}</h2>
      </header>
      <DataTable label={t('perLabel')} columns={columns} rows={rows} rowKey={(row) => row.name} sort={sort} onSort={setSort} />
    </section>
  );
}

/** Reports of older trainings contain only two numbers. */
function TrainTestSizes({ experiment }: { readonly experiment: Experiment }) {
  const { t } = useTranslation(['experiments', 'measurement']);
  const format = useFormat();
  const report = experiment.report;
  if (report?.trainingSize === undefined) return null;
  const numbers = { train: format.number(report.trainingSize), test: format.number(report.testSize ?? 0) };
  return (
    <section className={styles['panel']}>
      <header>
        <h2>{t('measurement:title')}</h2>
      </header>
      <div className={styles['panel-body']}>
        <p>{t('measurement:old', numbers)}</p>
      </div>
    </section>
  );
}

function MeasurementSection({ experiment }: { readonly experiment: Experiment }) {
  const { report } = experiment;
  const measurement = measurementOf(report);
  if (report === undefined || measurement === undefined) return <TrainTestSizes experiment={experiment} />;
  return <MeasurementPanel report={report} measurement={measurement} />;
}

function TrainingHistory({ experiment }: { readonly experiment: Experiment }) {
  const { t } = useTranslation('experiments');
  const [view, setView] = useState<'chart' | 'table'>('chart');
  const history = experiment.history ?? [];
  return (
    <section className={styles['panel']}>
      <header>
        <h2>{t('history')}</h2>
        <small>{t('historyHelp')}</small>
        {history.length > 1 && (
          <SegmentedControl
            label={t('historyView')}
            value={view}
            onChange={setView}
            options={(['chart', 'table'] as const).map((value) => ({ value, label: t(`view.${value}`) }))}
          />
        )}
      </header>
      <div className={styles['panel-body']}>
        {view === 'chart' ? <TrainingHistoryChart history={history} /> : <TrainingHistoryTable history={history} />}
      </div>
    </section>
  );
}

export interface ExperimentReportProps {
  readonly experiment: Experiment;
  readonly engineTitle: string;
  readonly actions: ExperimentActions;
  readonly writable: boolean;
  readonly onBack: () => void;
}

/** Picture 06-report: averages, figures per label, measurement, development over trainings. */
export function ExperimentReport({ experiment, engineTitle, actions, writable, onBack }: ExperimentReportProps) {
  const { t } = useTranslation('experiments');
  const format = useFormat();
  const [average, setAverage] = useState<AverageType>('micro');
  const report = experiment.report;
  const topics = reportedTopics(experiment);
  const averages = AVERAGES.filter((name) => averageFigures(report, name) !== undefined);
  const facts = [
    engineTitle,
    ...(experiment.timestamp > 0
      ? [t('trainedWhen', { when: format.whenWithin(experiment.timestamp) }), format.duration(experiment.duration)]
      : []),
  ];
  return (
    <>
      <PageHead
        title={
          <span className={styles['report-title']}>
            <IconButton icon={ArrowLeft} label={t('back')} onClick={onBack} />
            {experiment.label}
          </span>
        }
        aside={
          <>
            <ExperimentStateBadge experiment={experiment} />
            <small className={styles['facts']}>{facts.join(' · ')}</small>
          </>
        }
        actions={
          writable && (
            <>
              <Button icon={Copy} onClick={() => actions.clone(experiment)}>
                {t('clone')}
              </Button>
              {experiment.models > 0 && (
                <Button icon={WandSparkles} onClick={() => actions.annotateCorpus(experiment)}>
                  {t('annotateCorpus')}
                </Button>
              )}
              {experiment.running ? (
                <Button icon={Square} onClick={() => actions.stop(experiment)}>
                  {t('stop')}
                </Button>
              ) : (
                <Button kind="solid" icon={Play} onClick={() => actions.launch(experiment)}>
                  {t('launch')}
                </Button>
              )}
            </>
          )
        }
      />
      {report === undefined && <EmptyState title={t('noReport.title')}>{t('noReport.text')}</EmptyState>}
      {topics !== undefined && <TopicsReport experiment={experiment} topics={topics} />}
      {topics !== undefined && measurementOf(report) !== undefined && <MeasurementSection experiment={experiment} />}
      {report !== undefined && topics === undefined && (
        <div className={styles['report']}>
          <div>
            {averages.length > 1 && (
              <SegmentedControl
                label={t('averages')}
                value={average}
                onChange={setAverage}
                options={averages.map((value) => ({ value, label: t(`average.${value}`) }))}
              />
            )}
            <AverageTiles experiment={experiment} average={average} />
            <PerLabelTable experiment={experiment} />
          </div>
          <div>
            <TrainingHistory experiment={experiment} />
            <MeasurementSection experiment={experiment} />
          </div>
        </div>
      )}
    </>
  );
}
