/** How often each answerer was right, wrong, or did not answer although the documents tell the answer. */
import { useTranslation } from 'react-i18next';
import type { Configuration, QualityExperiment, QualityReport } from '@/api/resources/ranking-experiments';
import { BarChart, type BarRow } from '@/charts/bar-chart';
import { ChartCard } from '@/charts/chart-card';
import { useFormat } from '@/ui/format';
import { useConfigurationName } from './quality-names';

const NAMES = ['toldRight', 'notToldRight', 'toldWrong', 'notToldWrong'] as const;

const rightOf = ({ toldRight = 0, notToldRight = 0 }: Configuration) => toldRight + notToldRight;

interface GivenProps {
  readonly project: string;
  readonly experiment: QualityExperiment;
  readonly report: QualityReport;
}

export function AnswersGivenChart({ project, experiment, report }: GivenProps) {
  const { t } = useTranslation('quality');
  const format = useFormat();
  const nameOf = useConfigurationName(project);
  const counted = report.configurations.filter((one) => NAMES.some((name) => one[name] !== undefined));
  const row = (one: Configuration): BarRow => ({
    key: one.key,
    name: nameOf(one, report.configurations),
    parts: [
      { name: t('given.right'), value: rightOf(one), look: 'solid' },
      { name: t('given.toldWrong'), value: one.toldWrong ?? 0, look: 'hatched' },
      { name: t('given.notToldWrong'), value: one.notToldWrong ?? 0, look: 'faint' },
    ],
  });
  const summary = (one: Configuration) =>
    t('given.summary', {
      name: nameOf(one),
      right: format.number(rightOf(one)),
      total: format.number(NAMES.reduce((sum, name) => sum + (one[name] ?? 0), 0)),
    });
  return (
    <ChartCard
      title={t('given.title')}
      help={t('given.help')}
      summary={counted.map(summary).join(', ')}
      file={`${project}-${experiment.name}-given`}
      table={{
        columns: [t('configuration'), ...NAMES.map((name) => t(`given.${name}`))],
        rows: counted.map((one) => [nameOf(one), ...NAMES.map((name) => one[name] ?? 0)]),
      }}
    >
      <BarChart rows={counted.map(row)} shownValue="first" />
    </ChartCard>
  );
}
