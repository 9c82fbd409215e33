import { useQuery } from '@tanstack/react-query';
import { ArrowUpToLine, Bell, LoaderCircle, WifiOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { jobName } from '@/api/resources/jobs';
import { projectQuery } from '@/api/resources/projects';
import { buildInfoQuery } from '@/api/resources/build-info-and-themes';
import { useFormat } from '@/ui/format';
import { ProgressBar } from '@/ui/progress-bar';
import { Tooltip } from '@/ui/tooltip';
import { useLiveStore } from '@/state/live-store';
import { useNotificationsStore } from '@/state/notifications-store';
import { useSeesOwnAnnotationsOnly } from '@/state/own-annotations';
import { useProjectName } from '@/state/session-store';
import { liveConnection } from '@/app/session-lifecycle';
import { useJobCounts } from './job-counts';
import { OperatorNotices } from './operator-notices';
import { NotificationTray } from './notification-tray';
import styles from './shell.module.css';

function LiveConnectionIndicator() {
  const { t } = useTranslation('shell');
  const format = useFormat();
  const { status, since, silentSince } = useLiveStore();
  if (status === 'off') return null;
  if (status === 'live' && silentSince !== null)
    return (
      <span className={styles['live']} data-status="offline" role="status">
        <i aria-hidden />
        {t('footer.noAnswerSince', { time: format.time(silentSince) })}
      </span>
    );
  const text =
    status === 'live'
      ? t('footer.live')
      : status === 'offline'
        ? t('footer.offlineSince', { time: format.time(since) })
        : t('footer.connecting');
  return (
    <span className={styles['live']} data-status={status} role="status">
      <i aria-hidden />
      {text}
    </span>
  );
}

function ProjectCounts() {
  const { t } = useTranslation('shell');
  const format = useFormat();
  const { data } = useQuery({ ...projectQuery(useProjectName()), meta: { silent: true } });
  const ownOnly = useSeesOwnAnnotationsOnly(data);
  if (data?.documents === undefined) return null;
  const parts = [t('footer.documents', { count: data.documents, number: format.number(data.documents) })];
  if (data.segments !== undefined) parts.push(t('footer.segments', { count: data.segments, number: format.number(data.segments) }));
  // Depends on the nature: a classification project has no annotations to count.
  const labelled = data.nature === 'classification' ? 'categories' : 'annotations';
  const count = data[labelled];
  if (count !== undefined) parts.push(t(`footer.${labelled}`, { count, number: format.number(count) }));
  return (
    <span className={styles['counts']} title={ownOnly ? t('common:ownOnlyWhy') : undefined}>
      {[...parts, ...(ownOnly ? [t('common:ownOnly')] : [])].join(' · ')}
    </span>
  );
}

function RunningJob() {
  const { running, active } = useJobCounts();
  const { t } = useTranslation('shell');
  if (running === undefined) return <span className={styles['counts']}>{t('footer.noJob')}</span>;
  const { currentStepCount: done, totalStepCount: total } = running;
  const name = jobName(running) || t(`jobType.${running.type}`);
  return (
    <span className={styles['job']}>
      <LoaderCircle size={12} className="turning" aria-hidden />
      <span>{active > 1 ? t('footer.jobs', { count: active }) : name}</span>
      {total > 0 && <ProgressBar share={done / total} label={name} width={90} text={t('footer.steps', { done, total })} />}
    </span>
  );
}

function scrollToTop(): void {
  document.querySelector('[data-scroll]')?.scrollTo({ top: 0, behavior: 'smooth' });
}

/** Background information (W-020, W-022). */
export function Footer({ inProject }: { /** The screen is about the opened project. */ readonly inProject: boolean }) {
  const { t } = useTranslation('shell');
  const { data: build } = useQuery(buildInfoQuery());
  const status = useLiveStore((state) => state.status);
  const waiting = useNotificationsStore((state) => state.items.length);
  const name = build?.version ?? build?.buildId;
  return (
    <footer className={styles['footer']}>
      <LiveConnectionIndicator />
      {inProject && <ProjectCounts />}
      <OperatorNotices />
      <span className={styles['spring']} />
      {status === 'offline' && (
        <button type="button" className={styles['warn']} onClick={() => liveConnection.retry()}>
          <WifiOff size={12} aria-hidden />
          {t('footer.reconnect')}
        </button>
      )}
      {inProject && <RunningJob />}
      <NotificationTray
        trigger={(props) => (
          <button type="button" aria-label={t('tray.open', { count: waiting })} {...props}>
            <Bell size={12} aria-hidden />
            {waiting > 0 && waiting}
          </button>
        )}
      />
      {name !== undefined && (
        <Tooltip
          title={[build?.buildId, ...Object.entries(build?.images ?? {}).map(([image, tag]) => `${image} ${tag}`)]
            .filter(Boolean)
            .join('\n')}
        >
          <span className={styles['build']}>{t('footer.build', { build: name })}</span>
        </Tooltip>
      )}
      <button type="button" onClick={scrollToTop}>
        <ArrowUpToLine size={12} aria-hidden />
        {t('footer.top')}
      </button>
    </footer>
  );
}
