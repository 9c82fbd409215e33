import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { jobQuery } from '@/api/resources/document-imports';
import type { Gazetteer } from '@/api/resources/gazetteers';
import { jobStatus, projectJobsQuery, type Job } from '@/api/resources/jobs';
import { useProjectName } from '@/state/session-store';
import { StatusBadge } from '@/ui/badge';
import { useFormat } from '@/ui/format';
import { ProgressBar } from '@/ui/progress-bar';
import styles from './vocabularies.module.css';

/** What a running synchronisation does: its step, the percentage, a bar. */
function SynchronisationProgress({ jobId }: { readonly jobId: string }) {
  const { t } = useTranslation('vocabularies');
  const format = useFormat();
  const { data: job } = useQuery({ ...jobQuery(useProjectName(), jobId), meta: { silent: true } });
  const total = job?.totalStepCount ?? 0;
  const share = total > 0 ? Math.min(1, (job?.currentStepCount ?? 0) / total) : undefined;
  const step = (job === undefined ? undefined : jobStatus(job)) ?? t('state.waiting');
  return (
    <span className={styles['running']}>
      <span>
        <StatusBadge status="running">{t('state.running')}</StatusBadge>
        <b>{share === undefined ? '' : format.percent(share)}</b>
      </span>
      <ProgressBar share={share ?? 0} label={t('state.running')} width={166} />
      <small title={step}>{step}</small>
    </span>
  );
}

/** The last synchronisation of a gazetteer, if it failed after the last successful one. */
export function failedSynchronisation(gazetteer: Gazetteer, jobs: readonly Job[]): Job | undefined {
  const own = jobs.filter((job) => job.type === 'SYNCHRONIZE_TERMS' && job.description.endsWith(gazetteer.label));
  const last = own.reduce<Job | undefined>(
    (newest, job) => (newest === undefined || job.createdAt > newest.createdAt ? job : newest),
    undefined,
  );
  return last?.status === 'FAILED' && last.createdAt > gazetteer.timestamp ? last : undefined;
}

export function useFailedSynchronisation(gazetteer: Gazetteer): Job | undefined {
  const { data: jobs = [] } = useQuery({ ...projectJobsQuery(useProjectName()), meta: { silent: true } });
  return failedSynchronisation(gazetteer, jobs);
}

/** T-028: the state as one badge. */
export function GazetteerState({ gazetteer }: { readonly gazetteer: Gazetteer }) {
  const { t } = useTranslation('vocabularies');
  const failed = useFailedSynchronisation(gazetteer);
  if (gazetteer.running) return <SynchronisationProgress jobId={gazetteer.jobId ?? ''} />;
  if (failed !== undefined) return <StatusBadge status="failed">{t('state.failed')}</StatusBadge>;
  if (gazetteer.models === 0) return <StatusBadge status="draft">{t('state.never')}</StatusBadge>;
  return (
    <StatusBadge status={gazetteer.uptodate ? 'completed' : 'stale'}>
      {t(gazetteer.uptodate ? 'state.uptodate' : 'state.stale')}
    </StatusBadge>
  );
}
