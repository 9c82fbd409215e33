/** The difference of each configuration to the baseline, and whether it may be chance. */
import { useTranslation } from 'react-i18next';
import type { Comparison, QualityKind, QualityReport } from '@/api/resources/ranking-experiments';
import { Badge, type Tone } from '@/ui/badge';
import { useFormat } from '@/ui/format';
import { PageTable, type Column } from '@/ui/table-view';
import { useConfigurationName } from './quality-names';
import { configurationOf, MAIN_FIGURE, verdictOf, type Verdict } from './quality-rules';
import shared from '@/features/experiments/experiments.module.css';
import styles from './quality.module.css';

const TONES: Readonly<Record<Verdict, Tone>> = {
  better: 'success',
  worse: 'error',
  unclear: 'neutral',
  same: 'neutral',
};

function useDifferenceColumns(project: string, report: QualityReport): Column<Comparison>[] {
  const { t } = useTranslation('quality');
  const format = useFormat();
  const nameOf = useConfigurationName(project);
  const name = (key: string) => {
    const one = configurationOf(report, key);
    return one === undefined ? key : nameOf(one, report.configurations);
  };
  return [
    { key: 'name', header: t('configuration'), cell: (row) => <span className={styles['wrap']}>{name(row.key)}</span> },
    { key: 'difference', header: t('difference'), align: 'right', cell: (row) => format.signedScore(row.difference) },
    {
      key: 'questions',
      header: t('differences.questions'),
      headerTitle: t('differences.questionsHelp'),
      align: 'right',
      cell: (row) => `${format.number(row.better ?? 0)} / ${format.number(row.worse ?? 0)}`,
    },
    {
      key: 'verdict',
      header: t('differences.verdict'),
      cell: (row) => (
        <span title={t('differences.p', { p: format.probability(row.p) })}>
          <Badge tone={TONES[verdictOf(row)]}>{t(`verdict.${verdictOf(row)}`)}</Badge>
        </span>
      ),
    },
  ];
}

export function DifferencesTable({
  project,
  kind,
  report,
}: {
  readonly project: string;
  readonly kind: QualityKind;
  readonly report: QualityReport;
}) {
  const { t } = useTranslation('quality');
  const nameOf = useConfigurationName(project);
  const columns = useDifferenceColumns(project, report);
  const baseline = configurationOf(report, report.baseline);
  const rows = report.comparisons
    .filter(({ against, key }) => against === report.baseline && key !== against)
    .sort((a, b) => b.difference - a.difference);
  if (rows.length === 0 || baseline === undefined) return null;
  const title = t('differences.title', { baseline: nameOf(baseline, report.configurations) });
  return (
    <section className={shared['panel']}>
      <header>
        <h2>{title}</h2>
        <small>{t('differences.help', { figure: t(`figure.${MAIN_FIGURE[kind]}`) })}</small>
      </header>
      <PageTable label={title} columns={columns} rows={rows} rowKey={(row) => row.key} />
    </section>
  );
}
