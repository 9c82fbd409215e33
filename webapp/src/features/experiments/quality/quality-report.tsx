/** The report of an experiment: the best configuration, all of them as bars, differences, what was learned, and each question. */
import { ArrowLeft, Copy, Download, Play, Square } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { jobFailureFix, jobMessage } from '@/api/resources/jobs';
import { qualityExportAddress, type QualityExperiment, type QualityReport } from '@/api/resources/ranking-experiments';
import { FigureTiles } from '@/charts/figure-tiles';
import { Button } from '@/ui/button';
import { FailureText } from '@/ui/failure-text';
import { useFormat } from '@/ui/format';
import { IconButton } from '@/ui/icon-button';
import { Menu } from '@/ui/menu';
import { PageHead } from '@/ui/page';
import { EmptyState } from '@/ui/placeholder-states';
import { saveFromLink } from '@/ui/save-file';
import { AnswersGivenChart } from './answers-given-chart';
import { ConfigurationChart } from './configuration-chart';
import { DifferencesTable } from './differences-table';
import { LearnedRankingPanel } from './learned-ranking-panel';
import { QuestionsTable } from './questions-table';
import { WinnerPanel } from './winner-panel';
import { configurationOf, figuresOf } from './quality-rules';
import { QualityStateBadge, useEndedWithoutReport } from './quality-state-badge';
import type { QualityActions } from './use-quality-experiments';
import shared from '@/features/experiments/experiments.module.css';
import styles from './quality.module.css';

export interface QualityReportProps {
  readonly project: string;
  readonly experiment: QualityExperiment;
  readonly actions: QualityActions;
  readonly writable: boolean;
  readonly onBack: () => void;
}

/** Why the last run ended without a report. */
export function EndedRunText({ experiment }: { readonly experiment: QualityExperiment }) {
  const { t } = useTranslation('quality');
  const ended = useEndedWithoutReport(experiment);
  if (ended === undefined) return null;
  if (ended.status !== 'FAILED') return <p>{t(experiment.report == null ? 'stoppedText' : 'stoppedKept')}</p>;
  return <FailureText>{[jobMessage(ended), jobFailureFix(ended)].filter(Boolean).join('. ')}</FailureText>;
}

function ExportMenu({ project, experiment }: Pick<QualityReportProps, 'project' | 'experiment'>) {
  const { t } = useTranslation('quality');
  const entry = (format: 'json' | 'csv') => ({
    key: format,
    label: t(`export.${format}`),
    onSelect: () => saveFromLink(qualityExportAddress(project, experiment.name, format)),
  });
  return (
    <Menu
      label={t('export.title')}
      entries={[entry('csv'), entry('json')]}
      trigger={(props) => (
        <Button icon={Download} {...props}>
          {t('export.title')}
        </Button>
      )}
    />
  );
}

function ReportHead({ project, experiment, actions, writable, onBack }: QualityReportProps) {
  const { t } = useTranslation(['quality', 'experiments']);
  const format = useFormat();
  const { timestamp, duration, running, report } = experiment;
  return (
    <PageHead
      title={
        <span className={shared['report-title']}>
          <IconButton icon={ArrowLeft} label={t('experiments:back')} onClick={onBack} />
          {experiment.label}
        </span>
      }
      aside={
        <>
          <QualityStateBadge experiment={experiment} />
          {timestamp > 0 && (
            <small className={shared['facts']}>
              {t('measuredWhen', { when: format.whenWithin(timestamp) })} · {format.duration(duration)}
            </small>
          )}
        </>
      }
      actions={
        <>
          {report != null && <ExportMenu {...{ project, experiment }} />}
          {writable && (
            <Button icon={Copy} onClick={() => actions.clone(experiment)}>
              {t('experiments:clone')}
            </Button>
          )}
          {writable &&
            (running ? (
              <Button icon={Square} onClick={() => actions.stop(experiment)}>
                {t('experiments:stop')}
              </Button>
            ) : (
              <Button kind="solid" icon={Play} onClick={() => actions.launch(experiment)}>
                {t('experiments:launch')}
              </Button>
            ))}
        </>
      }
    />
  );
}

function ReportTiles({ experiment, report }: { readonly experiment: QualityExperiment; readonly report: QualityReport }) {
  const { t } = useTranslation('quality');
  const format = useFormat();
  const best = configurationOf(report, report.best);
  const skipped = Math.max(0, report.questions - report.judged);
  const figures = figuresOf(experiment.kind, report).map((figure) => ({
    key: figure,
    name: t(`figure.${figure}`),
    value: typeof best?.[figure] === 'number' ? format.score(best[figure]) : '–',
    note: t('tile.best'),
  }));
  const questions = {
    key: 'questions',
    name: t('tile.questions'),
    value: format.number(report.judged),
    ...(skipped > 0 && { note: t(`tile.skipped.${experiment.kind}`, { count: skipped, number: format.number(skipped) }) }),
  };
  return <FigureTiles tiles={[...figures, questions]} />;
}

export function QualityReportView(props: QualityReportProps) {
  const { t } = useTranslation(['quality', 'experiments']);
  const { project, experiment, writable } = props;
  const { report, kind } = experiment;
  return (
    <>
      <ReportHead {...props} />
      <EndedRunText experiment={experiment} />
      {report == null && <EmptyState title={t('experiments:noReport.title')}>{t('noReport')}</EmptyState>}
      {report != null && (
        <div className={styles['report']}>
          <ReportTiles {...{ experiment, report }} />
          <WinnerPanel {...{ project, experiment, report, writable }} />
          <div className={styles['columns']}>
            <div>
              <ConfigurationChart {...{ project, experiment, report }} />
              {report.learned != null && <LearnedRankingPanel learned={report.learned} file={experiment.name} />}
              {kind === 'answers' && <AnswersGivenChart {...{ project, experiment, report }} />}
            </div>
            <div>{report.configurations.length > 1 && <DifferencesTable {...{ project, kind, report }} />}</div>
          </div>
          <QuestionsTable {...{ project, experiment, report }} />
        </div>
      )}
    </>
  );
}
