/** All trained models by F1 on their test documents, as bars on one axis that people compare. */
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { measurementOf, sampleUnitOf, type ConfidenceInterval } from '@/api/resources/measurement';
import type { EngineForm } from '@/api/resources/components';
import type { Experiment } from '@/api/resources/experiments';
import { projectQuery } from '@/api/resources/projects';
import { ChartCard } from '@/charts/chart-card';
import { IntervalBar } from '@/charts/interval-bars';
import { Button } from '@/ui/button';
import { useFormat } from '@/ui/format';
import { Notice } from '@/ui/notice';
import { EmptyState } from '@/ui/placeholder-states';
import { testedF1 } from './experiment-kinds';
import { SplitBanner } from './split-banner';
import styles from './experiments.module.css';

export interface RankedModel {
  readonly experiment: Experiment;
  readonly f1: number;
  readonly interval: ConfidenceInterval | undefined;
}

/** Best first; equal ones by name. */
export function rankedModels(experiments: readonly Experiment[]): RankedModel[] {
  return experiments
    .flatMap((experiment) => {
      const f1 = testedF1(experiment);
      const interval = experiment.report?.intervals?.microAvg?.f1;
      return f1 === undefined ? [] : [{ experiment, f1, interval: Array.isArray(interval) ? interval : undefined }];
    })
    .sort((a, b) => b.f1 - a.f1 || a.experiment.label.localeCompare(b.experiment.label));
}

/** Whether all were tested on the test part of the project: only then is the order certain. */
export const testedTheSameWay = (models: readonly RankedModel[]): boolean =>
  models.every(({ experiment }) => measurementOf(experiment.report)?.method === 'project');

interface LineProps {
  readonly model: RankedModel;
  readonly place: number;
  readonly engine: string;
  readonly current: boolean;
  readonly onOpen: (experiment: Experiment) => void;
}

function useTestedOn() {
  const { t } = useTranslation('experiments');
  const format = useFormat();
  return ({ report }: Experiment): string => {
    const size = report?.testSize ?? 0;
    return t(`testedOn.${sampleUnitOf(report)}`, { count: size, number: format.number(size) });
  };
}

function RankLine({ model, place, engine, current, onOpen }: LineProps) {
  const { t } = useTranslation(['experiments', 'measurement']);
  const format = useFormat();
  const testedOn = useTestedOn();
  const { experiment, f1, interval } = model;
  return (
    <li>
      <button type="button" data-current={current || undefined} aria-pressed={current} onClick={() => onOpen(experiment)}>
        <span className={styles['rank-place']}>{format.number(place)}</span>
        <span className={styles['rank-name']}>
          <strong>{experiment.label}</strong>
          <small>
            {engine} · {testedOn(experiment)}
          </small>
        </span>
        <span className={styles['rank-bar']}>
          <IntervalBar value={f1} interval={interval} best={place === 1} />
        </span>
        <span className={styles['rank-f1']}>
          <strong>
            <span className="visually-hidden">{t('metric.f1')} </span>
            {format.score(f1)}
          </strong>
          {interval !== undefined && (
            <small title={t('measurement:intervalHelp')}>
              {t('measurement:interval', { low: format.score(interval[0]), high: format.score(interval[1]) })}
            </small>
          )}
        </span>
      </button>
    </li>
  );
}

/** The order is only rough: why, and what makes it certain. */
function DifferentTests({ project, writable, onSplit }: Pick<RankingProps, 'project' | 'writable' | 'onSplit'>) {
  const { t } = useTranslation('experiments');
  const { data: info } = useQuery(projectQuery(project));
  const split = info?.hasSplit === true;
  const button = (
    <Button small onClick={onSplit}>
      {t('split.make')}
    </Button>
  );
  return (
    <Notice tone="warning" action={writable && !split && button}>
      {t(split ? 'ranking.launchAgain' : 'ranking.unlike')}
    </Notice>
  );
}

export interface RankingProps {
  readonly project: string;
  readonly writable: boolean;
  readonly onSplit: () => void;
  readonly experiments: readonly Experiment[];
  readonly titles: ReadonlyMap<string, EngineForm>;
  readonly current: Experiment | undefined;
  readonly onOpen: (experiment: Experiment) => void;
}

export function ModelRanking({ project, writable, experiments, titles, current, onSplit, onOpen }: RankingProps) {
  const { t } = useTranslation('experiments');
  const format = useFormat();
  const testedOn = useTestedOn();
  const models = rankedModels(experiments);
  const [first] = models;
  const engineOf = ({ engine }: Experiment) => titles.get(engine)?.title ?? engine;
  if (first === undefined) return <EmptyState title={t('ranking.none')}>{t('ranking.noneText')}</EmptyState>;
  const range = ({ interval }: RankedModel) => (interval === undefined ? ['', ''] : interval.map((bound) => format.score(bound)));
  return (
    <div className={styles['ranking']}>
      {models.length > 1 && !testedTheSameWay(models) ? (
        <DifferentTests {...{ project, writable, onSplit }} />
      ) : (
        <SplitBanner {...{ project, writable, onSplit }} />
      )}
      <ChartCard
        title={t('ranking.title')}
        help={t('ranking.help')}
        summary={t('ranking.summary', { count: models.length, best: first.experiment.label, f1: format.score(first.f1) })}
        file={`${project}-ranking`}
        table={{
          columns: [t('column.experiment'), t('engine'), t('metric.f1'), t('ranking.low'), t('ranking.high'), t('ranking.testedOn')],
          rows: models.map((model) => [
            model.experiment.label,
            engineOf(model.experiment),
            format.score(model.f1),
            ...range(model),
            testedOn(model.experiment),
          ]),
        }}
      >
        <ol className={styles['rank']}>
          {models.map((model, index) => (
            <RankLine
              key={model.experiment.name}
              model={model}
              place={index + 1}
              engine={engineOf(model.experiment)}
              current={current?.name === model.experiment.name}
              onOpen={onOpen}
            />
          ))}
        </ol>
      </ChartCard>
    </div>
  );
}
