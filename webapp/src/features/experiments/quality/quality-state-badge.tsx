import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { projectJobsQuery, type Job } from '@/api/resources/jobs';
import type { QualityExperiment } from '@/api/resources/ranking-experiments';
import { messageCodeOf } from '@/api/server-messages';
import { StatusBadge } from '@/ui/badge';
import { useProjectName } from '@/state/session-store';
import { RunProgress } from '@/features/experiments/experiment-state-badge';

/** Code of the description of its jobs. */
const RUN = 'start.measureSearches';
const ENDED = new Set<string>(['FAILED', 'CANCELLED']);

/** Its last run, where that ended without a new report: it failed or was stopped. */
export function endedWithoutReport({ running, label, timestamp }: QualityExperiment, jobs: readonly Job[]): Job | undefined {
  if (running) return undefined;
  const own = jobs.filter(
    (job) => messageCodeOf(job as { readonly said?: unknown }, 'description') === RUN && job.description.endsWith(label),
  );
  const last = own.reduce<Job | undefined>((newest, job) => (job.createdAt > (newest?.createdAt ?? 0) ? job : newest), undefined);
  return last !== undefined && last.createdAt > timestamp && ENDED.has(last.status) ? last : undefined;
}

export function useEndedWithoutReport(experiment: QualityExperiment): Job | undefined {
  const { data: jobs = [] } = useQuery({ ...projectJobsQuery(useProjectName()), meta: { silent: true } });
  return endedWithoutReport(experiment, jobs);
}

/** T-026, T-027: the state as one badge. */
export function QualityStateBadge({ experiment, wide = false }: { readonly experiment: QualityExperiment; readonly wide?: boolean }) {
  const { t } = useTranslation('quality');
  const ended = useEndedWithoutReport(experiment);
  if (experiment.running) return <RunProgress jobId={experiment.jobId ?? ''} wide={wide} name={t('state.running')} />;
  if (ended?.status === 'FAILED') return <StatusBadge status="failed">{t('state.failed')}</StatusBadge>;
  if (ended !== undefined) return <StatusBadge status="cancelled">{t('state.stopped')}</StatusBadge>;
  if (experiment.report == null) return <StatusBadge status="draft">{t('state.never')}</StatusBadge>;
  return (
    <StatusBadge status={experiment.uptodate ? 'completed' : 'stale'}>
      {t(experiment.uptodate ? 'state.uptodate' : 'state.stale')}
    </StatusBadge>
  );
}
