/** All configurations by one figure, as bars with confidence intervals. */
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Configuration, Figure, QualityExperiment, QualityReport } from '@/api/resources/ranking-experiments';
import { ChartCard } from '@/charts/chart-card';
import { IntervalBars } from '@/charts/interval-bars';
import { Badge } from '@/ui/badge';
import { SelectInput } from '@/ui/choice-inputs';
import { useFormat } from '@/ui/format';
import { useConfigurationName } from './quality-names';
import { byFigure, figuresOf, MAIN_FIGURE } from './quality-rules';
import styles from './quality.module.css';

interface ChartProps {
  readonly project: string;
  readonly experiment: QualityExperiment;
  readonly report: QualityReport;
}

function useFigureTable({ project, experiment, report }: ChartProps) {
  const { t } = useTranslation('quality');
  const format = useFormat();
  const nameOf = useConfigurationName(project);
  const figures = figuresOf(experiment.kind, report);
  const score = (value: number | null | undefined) => (typeof value === 'number' ? format.score(value) : '–');
  const cells = (one: Configuration, figure: Figure) => {
    const [low, high] = one.ci?.[figure] ?? [undefined, undefined];
    return [score(one[figure]), score(low), score(high)];
  };
  return {
    columns: [
      t('configuration'),
      ...figures.flatMap((figure) => {
        const name = t(`figure.${figure}`);
        return [name, t('bound.low', { figure: name }), t('bound.high', { figure: name })];
      }),
      t('seconds'),
    ],
    rows: report.configurations.map((one) => [
      nameOf(one, report.configurations),
      ...figures.flatMap((figure) => cells(one, figure)),
      one.seconds === undefined ? '–' : format.duration(1000 * one.seconds),
    ]),
  };
}

export function ConfigurationChart(props: ChartProps) {
  const { t } = useTranslation('quality');
  const format = useFormat();
  const { project, experiment, report } = props;
  const nameOf = useConfigurationName(project);
  const [figure, setFigure] = useState<Figure>(MAIN_FIGURE[experiment.kind]);
  const table = useFigureTable(props);
  const sorted = byFigure(report.configurations, figure);
  const [first] = sorted;
  const badge = (one: Configuration) =>
    one.key === report.baseline && report.configurations.length > 1 ? <Badge>{t('baseline')}</Badge> : undefined;
  return (
    <ChartCard
      title={t('chart.title')}
      help={t(`figureHelp.${figure}`)}
      summary={t('chart.summary', {
        count: sorted.length,
        figure: t(`figure.${figure}`),
        best: first === undefined ? '' : nameOf(first, sorted),
        value: format.score(first?.[figure] ?? 0),
      })}
      file={`${project}-${experiment.name}`}
      table={table}
      aside={
        <span className={styles['figure-choice']}>
          <SelectInput<Figure>
            hideLabel
            label={t('chart.figure')}
            value={figure}
            options={figuresOf(experiment.kind, report).map((value) => ({ value, label: t(`figure.${value}`) }))}
            onChange={setFigure}
          />
        </span>
      }
    >
      <IntervalBars
        rows={sorted.map((one) => ({
          key: one.key,
          name: nameOf(one, sorted),
          mark: badge(one),
          value: one[figure] ?? undefined,
          interval: one.ci?.[figure] ?? undefined,
          best: one.key === first?.key,
        }))}
      />
    </ChartCard>
  );
}
