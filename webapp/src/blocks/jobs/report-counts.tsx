/** The head of a report: progress of the job, counts by outcome, findings of a dry run. */
import { useTranslation } from 'react-i18next';
import { jobName, type Job } from '@/api/resources/jobs';
import { dryRunResultOf, hasEnded, OUTCOMES } from '@/api/resources/document-imports';
import { useFormat } from '@/ui/format';
import { ProgressBar } from '@/ui/progress-bar';
import styles from './job-report.module.css';

/** A progress bar, or the elapsed time when progress is unknown. */
function JobProgress({ job }: { readonly job: Job }) {
  const { t } = useTranslation('import');
  const format = useFormat();
  const { currentStepCount: done, totalStepCount: total } = job;
  if (total === 0) return <small title={format.dateTime(job.createdAt)}>{t('since', { when: format.whenWithin(job.createdAt) })}</small>;
  return (
    <ProgressBar
      share={done / total}
      label={jobName(job)}
      text={t('steps', { done: format.number(done), total: format.number(total) })}
      width={90}
    />
  );
}

/** Outcomes that are always shown, and those that occurred. */
export const shownOutcomes = (outcomes: Readonly<Record<string, number>>) =>
  OUTCOMES.filter((outcome) => ['imported', 'replaced', 'refused'].includes(outcome) || (outcomes[outcome] ?? 0) > 0);

/** Counts of a job whose report has lines for its problems only, such as the import of a million terms. */
function resultCounts({ type, result }: Job): Readonly<Record<string, number>> {
  if (type !== 'TERM_IMPORT' || typeof result !== 'object' || result === null) return {};
  const entries = Object.entries(result as Readonly<Record<string, unknown>>);
  return Object.fromEntries(entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number'));
}

export interface OutcomeCountsProps {
  readonly job: Job;
  /** Undefined while loading: no count is shown. */
  readonly outcomes: Readonly<Record<string, number>> | undefined;
  readonly check: boolean;
}

export function OutcomeCounts({ job, outcomes: lines, check }: OutcomeCountsProps) {
  const { t } = useTranslation('import');
  const format = useFormat();
  const outcomes = lines && { ...lines, ...resultCounts(job) };
  return (
    <div className={styles['counts']}>
      <div className={styles['counts-state']} role="status">
        <strong>{t(`${check ? 'checkState' : 'state'}.${job.status}`)}</strong>
        {hasEnded(job) ? <small>{!check && job.status === 'CANCELLED' ? t('stateHelp.CANCELLED') : ''}</small> : <JobProgress job={job} />}
      </div>
      {shownOutcomes(outcomes ?? {}).map((outcome) => (
        <div key={outcome} data-outcome={outcome} data-none={(outcomes?.[outcome] ?? 0) === 0 || undefined}>
          <b>{outcomes === undefined ? '–' : format.number(outcomes[outcome] ?? 0)}</b>
          <small>{t(`${check ? 'wouldBe' : 'outcome'}.${outcome}`)}</small>
        </div>
      ))}
    </div>
  );
}

/** Summary of what a dry run found in all items. */
export function ImportCheckSummary({ job }: { readonly job: Job }) {
  const { t } = useTranslation(['import', 'measurement']);
  const format = useFormat();
  const result = dryRunResultOf(job);
  if (result === undefined) return null;
  const parts = (['characters', 'segments', 'annotations', 'categories'] as const).flatMap((name) => {
    const count = result[name] ?? 0;
    return count === 0 ? [] : [t(`facts.${name}`, { count, number: format.number(count) })];
  });
  const more = result.newLabelCount - result.newLabels.length;
  return (
    <div className={styles['summary']}>
      <p>
        <strong>{t('check.nothingWritten')}</strong> {parts.length > 0 && t('check.wouldGoIn', { what: parts.join(', ') })}
      </p>
      <p>
        {result.newLabelCount === 0
          ? t('check.noLabels')
          : t('check.labels', { count: result.newLabelCount, names: result.newLabels.join(', ') })}
        {more > 0 && ` ${t('check.moreLabels', { count: more, number: format.number(more) })}`}
      </p>
      {result.parts !== undefined && (
        <p>
          {t('measurement:import.parts', {
            train: format.number(result.parts.train ?? 0),
            test: format.number(result.parts.test ?? 0),
          })}
        </p>
      )}
    </div>
  );
}
