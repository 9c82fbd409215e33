import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFormat } from '@/ui/format';
import { Badge, StatusBadge, type StatusName } from '@/ui/badge';
import { Button } from '@/ui/button';
import { SegmentedControl } from '@/ui/choice-inputs';
import { CopyButton } from '@/ui/copy-button';
import { TextInput } from '@/ui/field';
import { DataTable, TwoLineCell, type Column } from '@/ui/data-table';
import { usePersonName } from '@/blocks/projects/person-name';
import { Page, PageHead } from '@/ui/page';
import { JobReport } from '@/blocks/jobs/job-report';
import { ProgressBar } from '@/ui/progress-bar';
import { EmptyState, Skeleton } from '@/ui/placeholder-states';
import { When } from '@/ui/when';
import { ErrorState } from '@/blocks/error-state';
import {
  cancelGlobalJob,
  cancelJob,
  globalJobsQuery,
  isActive,
  jobKeys,
  jobFailureFix,
  jobMessage,
  jobName,
  jobStatus,
  projectJobsQuery,
  type Job,
} from '@/api/resources/jobs';
import { translatedMessageOf } from '@/api/server-messages';
import { dryRunResultOf } from '@/api/resources/document-imports';
import { useLayoutStore } from '@/state/layout-store';
import { useProjectName } from '@/state/session-store';
import { DownloadExportButton, UndoJobButton } from './job-actions';
import styles from './jobs.module.css';
import { JobParameters } from './job-parameters';
import { ItemsNotUndone } from './items-not-undone';

type Shown = 'all' | 'running' | 'failed';

const STATUS: Record<Job['status'], StatusName> = {
  STARTED: 'running',
  PAUSED: 'paused',
  COMPLETED: 'completed',
  CANCELLED: 'cancelled',
  FAILED: 'failed',
};

function JobStatusBadge({ job }: { readonly job: Job }) {
  const { t } = useTranslation('jobs');
  const format = useFormat();
  const failedAfter = job.status === 'FAILED' && job.completedAt !== undefined ? format.duration(job.completedAt - job.createdAt) : null;
  return (
    <StatusBadge status={STATUS[job.status]}>
      {failedAfter === null ? t(`status.${job.status}`) : t('failedAfter', { duration: failedAfter })}
    </StatusBadge>
  );
}

/** A progress bar, or the elapsed time when progress is unknown. */
function JobProgress({ job }: { readonly job: Job }) {
  const { t } = useTranslation('jobs');
  const format = useFormat();
  const { currentStepCount: done, totalStepCount: total } = job;
  const text = t('steps', { done: format.number(done), total: format.number(total) });
  if (isActive(job))
    return total > 0 ? (
      <ProgressBar share={done / total} label={jobName(job)} text={text} />
    ) : (
      <span title={format.moment(job.createdAt)}>{t('since', { when: format.whenWithin(job.createdAt) })}</span>
    );
  if (job.status === 'COMPLETED') return <>{jobStatus(job) || (total > 0 ? text : '')}</>;
  if (job.status === 'FAILED' && total === 0)
    return <>{(job.error === undefined ? undefined : translatedMessageOf(job.error, 'message')) ?? jobStatus(job) ?? ''}</>;
  return <>{total > 0 ? t('stoppedAt', { done: format.number(done), total: format.number(total) }) : ''}</>;
}

/** Imports and their dry runs have a report by item. */
const hasReport = (job: Job) => job.type === 'DOC_IMPORT' || dryRunResultOf(job) !== undefined;

/** Cause, fix and code of a failed job; the message of other jobs. */
function JobDetails({ job, onClose }: { readonly job: Job; readonly onClose: () => void }) {
  const { t } = useTranslation('jobs');
  const project = useProjectName();
  const message = jobMessage(job) || t('noMessage');
  const fix = jobFailureFix(job);
  return (
    <div className={styles['details']} data-failed={job.status === 'FAILED' || undefined}>
      <dl>
        <dt>{t(job.status === 'FAILED' ? 'common:cause' : 'message')}</dt>
        <dd>{message}</dd>
        {fix !== undefined && (
          <>
            <dt>{t('common:whatToDo')}</dt>
            <dd>{fix}</dd>
          </>
        )}
      </dl>
      {typeof job.result?.['kept'] === 'number' && job.result['kept'] > 0 && <ItemsNotUndone job={job} />}
      {hasReport(job) && <JobReport project={job.project} job={job} linked={job.project === project} failureShown />}
      <JobParameters job={job} />
      <div className={styles['details-foot']}>
        <DownloadExportButton job={job} />
        <CopyButton small text={`${job.type} ${job.id}\n${message}`} label={t('common:copyDetails')} />
        <Button small kind="quiet" onClick={onClose}>
          {t('common:close')}
        </Button>
        <code>{t('code', { id: job.id.slice(0, 8), type: job.error?.error ?? job.type })}</code>
      </div>
    </div>
  );
}

/** Links to the jobs of that project; only text for a job without project or of a deleted one. */
function JobProjectLink({ job }: { readonly job: Job }) {
  const { t } = useTranslation('jobs');
  if (job.project === '') return <span className={styles['none']}>{t('noProject')}</span>;
  return (
    <Link to={`/openProject/${encodeURIComponent(job.project)}/jobs`} onClick={(event) => event.stopPropagation()}>
      {job.projectLabel || job.project}
    </Link>
  );
}

function JobTime({ at }: { readonly at: number }) {
  return (
    <span className={styles['moment']}>
      <When at={at} />
    </span>
  );
}

function useJobColumns(global: boolean): Column<Job>[] {
  const personName = usePersonName();
  const { t } = useTranslation(['jobs', 'shell']);
  const type = (job: Job) => t(`shell:jobType.${job.type}`, { defaultValue: job.type });
  const columns: Column<Job>[] = [
    { key: 'job', header: t('column.job'), cell: (job) => <TwoLineCell first={jobName(job) || type(job)} second={type(job)} /> },
    { key: 'state', header: t('column.state'), cell: (job) => <JobStatusBadge job={job} /> },
    { key: 'steps', header: t('column.steps'), cell: (job) => <JobProgress job={job} />, priority: 1 },
    { key: 'started', header: t('column.started'), cell: (job) => <JobTime at={job.createdAt} /> },
    {
      key: 'ended',
      header: t('column.ended'),
      cell: (job) => (job.completedAt === undefined ? '' : <JobTime at={job.completedAt} />),
      priority: 2,
    },
    { key: 'by', header: t('column.by'), cell: (job) => personName(job.createdBy), priority: 1 },
  ];
  if (global) columns.splice(1, 0, { key: 'project', header: t('column.project'), cell: (job) => <JobProjectLink job={job} /> });
  return columns;
}

interface JobsProps {
  readonly jobs: readonly Job[];
  readonly global: boolean;
  readonly stale: boolean;
}

function JobsTable({ jobs, global, stale }: JobsProps) {
  const { t } = useTranslation('jobs');
  const queryClient = useQueryClient();
  const [open, setOpen] = useState<string | null>(null);
  const cancel = useMutation({
    mutationFn: global ? cancelGlobalJob : cancelJob,
    onSettled: () => queryClient.invalidateQueries({ queryKey: jobKeys.all }),
    meta: { errorTitle: 'cancelJob' },
  });
  return (
    <DataTable
      label={t('title')}
      twoLines
      actionsAlways
      rows={jobs}
      rowKey={(job) => job.id}
      columns={useJobColumns(global)}
      stale={stale}
      onOpen={(job) => setOpen(open === job.id ? null : job.id)}
      expanded={(job) => (open === job.id ? <JobDetails job={job} onClose={() => setOpen(null)} /> : null)}
      rowActions={(job) =>
        isActive(job) || job.status === 'PAUSED' ? (
          <Button small busy={cancel.isPending && cancel.variables.id === job.id} onClick={() => cancel.mutate(job)}>
            {t('common:cancel')}
          </Button>
        ) : (
          <>
            <UndoJobButton job={job} />
            <Button small kind="quiet" aria-expanded={open === job.id} onClick={() => setOpen(open === job.id ? null : job.id)}>
              {open === job.id ? t('common:close') : t('common:details')}
            </Button>
          </>
        )
      }
    />
  );
}

/** Whether one of the texts in the job's row contains the search text. */
function jobMatchesText(job: Job, text: string, type: string, person: string): boolean {
  const wanted = text.trim().toLocaleLowerCase();
  return [jobName(job), type, job.projectLabel, job.createdBy, person].some((word) => word.toLocaleLowerCase().includes(wanted));
}

const matchesFilter: Record<Shown, (job: Job) => boolean> = {
  all: () => true,
  running: isActive,
  failed: (job) => job.status === 'FAILED',
};

function Jobs({
  global,
  query,
}: {
  readonly global: boolean;
  readonly query: ReturnType<typeof globalJobsQuery> | ReturnType<typeof projectJobsQuery>;
}) {
  const { t } = useTranslation(['jobs', 'shell']);
  const personName = usePersonName();
  const [shown, setShown] = useState<Shown>('all');
  const [text, setText] = useState('');
  // The screen shows the error itself.
  const { data, error, isPending, isRefetchError, refetch } = useQuery({
    ...(query as ReturnType<typeof globalJobsQuery>),
    meta: { silent: true },
  });
  const jobs = [...(data ?? [])].sort((a, b) => b.createdAt - a.createdAt);
  const failed = jobs.filter(matchesFilter.failed).length;
  const found = (job: Job) =>
    jobMatchesText(job, text, t(`shell:jobType.${job.type}`, { defaultValue: job.type }), personName(job.createdBy));
  const rows = jobs.filter((job) => matchesFilter[shown](job) && found(job));
  const body = () => {
    if (isPending) return <Skeleton rows={5} rowHeight={54} waitingFor={t('waiting')} />;
    if (error !== null && data === undefined)
      return <ErrorState title={t('errors:error.getJobs')} error={error} onRetry={() => void refetch()} />;
    if (rows.length === 0)
      return <EmptyState title={jobs.length === 0 ? t('empty.title') : t('empty.filtered')}>{t('empty.text')}</EmptyState>;
    return <JobsTable jobs={rows} global={global} stale={isRefetchError} />;
  };
  return (
    <Page screen={global ? 'globalJobs' : 'jobs'}>
      <PageHead
        title={t(global ? 'globalTitle' : 'title')}
        aside={failed > 0 && <Badge tone="error">{t('failedCount', { count: failed })}</Badge>}
        actions={
          <>
            {jobs.length > 0 && (
              <TextInput hideLabel label={t('find')} placeholder={t('find')} value={text} onChange={setText} start={<Search size={14} />} />
            )}
            <SegmentedControl
              label={t('show')}
              value={shown}
              onChange={setShown}
              options={(['all', 'running', 'failed'] as const).map((value) => ({ value, label: t(`filter.${value}`) }))}
            />
          </>
        }
      />
      {body()}
    </Page>
  );
}

/** jobs of the open project. Opening the screen marks their failures as seen (T-025). */
export function ProjectJobsScreen() {
  const project = useProjectName();
  const setChoice = useLayoutStore((state) => state.setChoice);
  useEffect(() => {
    const seen = () => setChoice(`jobs.seen.${project}`, String(Date.now()));
    seen();
    return seen;
  }, [project, setChoice]);
  return <Jobs global={false} query={projectJobsQuery(project)} />;
}

/** */
export function GlobalJobsScreen() {
  return <Jobs global query={globalJobsQuery()} />;
}
