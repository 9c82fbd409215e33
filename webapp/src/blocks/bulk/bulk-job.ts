/** Follows a bulk job to its end and notifies the user, with a link and an undo action. */
import i18next from 'i18next';
import { notifyFailure } from '@/api/errors';
import { queryClient } from '@/api/query-client';
import { downloadLinkOfJob, waitForJobEnd, undoJob } from '@/api/resources/bulk-actions';
import { jobKeys, jobName, type Job } from '@/api/resources/jobs';
import { saveFromLink } from '@/ui/save-file';
import { notify } from '@/state/notifications-store';
import { can } from '@/state/permissions';
import { useSessionStore } from '@/state/session-store';

/** Longer than other notifications, as it offers to undo. */
export const UNDO_FADE_MS = 20_000;

/** Query keys that these jobs affect; live events also invalidate them, when connected. */
const CHANGED = ['documents', 'segments', 'labels', 'metrics', 'suggestions', 'relations'] as const;

const formatCount = (value: unknown) => new Intl.NumberFormat(i18next.language).format(typeof value === 'number' ? value : 0);
const loadBulkTranslations = async () => i18next.loadNamespaces('bulk');

function jobsLink(): { link?: string; linkmessage?: string } {
  return can(useSessionStore.getState().permissions, 'seeProjectJobs') ? { link: '/jobs', linkmessage: i18next.t('bulk:seeJobs') } : {};
}

function invalidateChangedQueries(): void {
  for (const head of [...CHANGED, ...jobKeys.all]) void queryClient.invalidateQueries({ queryKey: [head] });
}

/** Follows a job that was just started and reports its success; a failure is reported by the live events (E-025). */
export async function followAndNotify(started: Job): Promise<void> {
  void queryClient.invalidateQueries({ queryKey: jobKeys.all });
  let job: Job;
  try {
    job = await waitForJobEnd(started);
    await loadBulkTranslations();
  } catch (error) {
    notifyFailure(error, 'getJobs');
    return;
  }
  invalidateChangedQueries();
  if (job.status !== 'COMPLETED') return;
  const link = downloadLinkOfJob(job);
  if (link !== undefined) {
    const label = i18next.t('bulk:export.download');
    notify({
      type: 'success',
      message: i18next.t('bulk:export.ready'),
      fade: UNDO_FADE_MS,
      action: { label, run: () => saveFromLink(link) },
    });
    return;
  }
  const count = typeof job.result?.['documents'] === 'number' ? job.result['documents'] : 0;
  const undo = job.undoable === true ? { action: { label: i18next.t('bulk:undo'), run: () => void undoAndNotify(job) } } : {};
  notify({
    type: 'success',
    message: i18next.t('bulk:done', { job: jobName(job), count, number: formatCount(count) }),
    ...(job.undoable === true && { fade: UNDO_FADE_MS }),
    ...jobsLink(),
    ...undo,
  });
}

/** Undoes a job. What was changed since stays as it is; the notification has the number. */
export async function undoAndNotify(job: Job): Promise<void> {
  try {
    await loadBulkTranslations();
    const ended = await waitForJobEnd(await undoJob(job.project, job.id));
    invalidateChangedQueries();
    if (ended.status !== 'COMPLETED') return;
    const undone = ended.result?.['undone'];
    const kept = ended.result?.['kept'];
    const some = typeof kept === 'number' && kept > 0;
    notify({
      type: some ? 'warning' : 'success',
      message: i18next.t('bulk:undone', { count: Number(undone), number: formatCount(undone) }),
      ...(some && { cause: i18next.t('bulk:kept', { count: kept, number: formatCount(kept) }) }),
      ...jobsLink(),
    });
  } catch (error) {
    notifyFailure(error, 'undoJob');
  }
}
