import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Experiment } from '@/api/resources/experiments';
import { jobStatus, projectJobsQuery, type Job } from '@/api/resources/jobs';
import { jobQuery } from '@/api/resources/document-imports';
import { Badge, StatusBadge } from '@/ui/badge';
import { useFormat } from '@/ui/format';
import { ProgressBar } from '@/ui/progress-bar';
import { useProjectName } from '@/state/session-store';
import styles from './experiments.module.css';

/** The end of a message such as `Training · round 2 of 5 · pass 12 of 50`, which changes most. */
export const lastSteps = (message: string): string => message.split(' · ').slice(1).join(' · ') || message;

/** What a running job of an experiment does: its step, the percentage, a bar; the height does not change when the progress becomes known. */
export function RunProgress({ jobId, wide, name }: { readonly jobId: string; readonly wide: boolean; readonly name: string }) {
  const { t } = useTranslation('experiments');
  const format = useFormat();
  const { data: job } = useQuery({ ...jobQuery(useProjectName(), jobId), meta: { silent: true } });
  const total = job?.totalStepCount ?? 0;
  const share = total > 0 ? Math.min(1, (job?.currentStepCount ?? 0) / total) : undefined;
  const percent = share === undefined ? '' : format.percent(share);
  const step = (job === undefined ? undefined : jobStatus(job)) ?? t('state.waiting');
  return (
    <span className={styles['running']} data-wide={wide || undefined}>
      <span>
        <StatusBadge status="running">{name}</StatusBadge>
        <b>{percent}</b>
      </span>
      <ProgressBar share={share ?? 0} label={name} width={wide ? 400 : 166} />
      <small title={step}>{wide ? step : lastSteps(step)}</small>
    </span>
  );
}

/** The last training job of an experiment, if it failed after the last successful one. */
export function failedTrainingJob(experiment: Experiment, jobs: readonly Job[]): Job | undefined {
  const own = jobs.filter((job) => job.type === 'EXPERIMENT_TRAINING' && job.description.endsWith(experiment.label));
  const last = own.reduce<Job | undefined>(
    (newest, job) => (newest === undefined || job.createdAt > newest.createdAt ? job : newest),
    undefined,
  );
  return last?.status === 'FAILED' && last.createdAt > experiment.timestamp ? last : undefined;
}

export function useFailedTrainingJob(experiment: Experiment): Job | undefined {
  const { data: jobs = [] } = useQuery({ ...projectJobsQuery(useProjectName()), meta: { silent: true } });
  return failedTrainingJob(experiment, jobs);
}

/** T-026, T-027: the state as one badge. */
export function ExperimentStateBadge({ experiment, wide = false }: { readonly experiment: Experiment; readonly wide?: boolean }) {
  const { t } = useTranslation('experiments');
  const failed = useFailedTrainingJob(experiment);
  if (experiment.running) return <RunProgress jobId={experiment.jobId ?? ''} wide={wide} name={t('state.running')} />;
  if (failed !== undefined) return <StatusBadge status="failed">{t('state.failed')}</StatusBadge>;
  if (experiment.models === 0) return <StatusBadge status="draft">{t('state.never')}</StatusBadge>;
  if (experiment.foreignModel === 'waiting' || experiment.foreignModel === 'crashed')
    return (
      <Badge tone={experiment.foreignModel === 'waiting' ? 'warning' : 'error'}>{t(`state.foreign.${experiment.foreignModel}`)}</Badge>
    );
  return (
    <StatusBadge status={experiment.uptodate ? 'completed' : 'stale'}>
      {t(experiment.uptodate ? 'state.uptodate' : 'state.stale')}
    </StatusBadge>
  );
}
