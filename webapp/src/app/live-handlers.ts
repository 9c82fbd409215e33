/** Application-wide reactions to live events: jobs (T-023), rights on projects (T-007). Caches are refreshed by api/live-connection. */
import i18next from 'i18next';
import { onLiveEvent, type LiveEvent } from '@/api/live-connection';
import { translatedMessageOf } from '@/api/server-messages';
import { addressPath } from '@/state/search-address';
import { notify } from '@/state/notifications-store';
import { allowed, can } from '@/state/permissions';
import { useSessionStore } from '@/state/session-store';
import { handleVisibilityChange } from './rights';

interface JobArgument {
  readonly id?: string;
  readonly type?: string;
  readonly status?: string;
  readonly description?: string;
  readonly said?: unknown;
}

const announced = new Set<string>();
const QUIET = new Set(['TRAIN_AND_SUGGEST', 'PROCESS_CANDIDATES']);

const jobName = (job: JobArgument) => translatedMessageOf(job, 'description') || i18next.t(`shell:jobType.${job.type ?? 'UNSPECIFIED'}`);

/**
 * T-023: one notification per started job, in the tray: footer and job list show what runs. An error with a link when it failed.
 */
export function announceJob(job: JobArgument): void {
  const key = job.id ?? job.type ?? '';
  if (job.status === 'STARTED') {
    if (announced.has(key) || QUIET.has(job.type ?? '')) return;
    announced.add(key);
    notify({ type: 'info', message: i18next.t('shell:live.jobStarted', { job: jobName(job) }), quiet: true });
    return;
  }
  announced.delete(key);
  if (job.status !== 'FAILED') return;
  const link = can(useSessionStore.getState().permissions, 'seeProjectJobs')
    ? { link: '/jobs', linkmessage: i18next.t('shell:live.seeJobs') }
    : {};
  notify({ type: 'error', message: i18next.t('errors:jobFailed', { job: jobName(job) }), ...link });
}

/** E-038: notifies outside the suggestions screen, which shows new suggestions itself. */
export function announceSuggestions(event: LiveEvent): void {
  const { type, count = 1 } = (event.arg ?? {}) as { type?: string; count?: number };
  const { projectName, permissions } = useSessionStore.getState();
  const there = window.location.pathname.startsWith('/suggestions');
  if (type !== 'new' || count === 0 || event.project !== projectName || there || !can(permissions, 'seeSuggestions')) return;
  const message = i18next.t('shell:live.newSuggestions', { count });
  notify({ type: 'info', message, link: '/suggestions', linkmessage: i18next.t('shell:live.seeSuggestions') });
}

interface ProjectArgument {
  readonly type?: string;
  readonly by?: string;
  readonly label?: string;
  readonly visible?: boolean;
}

/** Sent to this user only; deletions are sent to all readers of the project. */
function handleProjectVisibility(event: LiveEvent, name: string): void {
  const { type, by, label, visible } = (event.arg ?? {}) as ProjectArgument;
  if (event.project === undefined) return;
  const gone = name === 'project' && type === 'deleted' && by !== useSessionStore.getState().principal?.username;
  if (name === 'visibility' && typeof visible === 'boolean') void handleVisibilityChange(event.project, visible, label);
  else if (gone) void handleVisibilityChange(event.project, false, label);
}

/**
 * T-020: an import assigned several categories, so they are no longer exclusive. Not shown for changes in the settings, which the user
 * made.
 */
export function announceSeveralCategories(event: LiveEvent): void {
  const { cause } = (event.arg ?? {}) as { cause?: string };
  const { projectName, permissions } = useSessionStore.getState();
  if (cause !== 'severalCategories' || event.project !== projectName) return;
  const link = allowed(permissions, 'seeSettings') ? { link: '/settings', linkmessage: i18next.t('shell:live.seeSettings') } : {};
  notify({ type: 'warning', message: i18next.t('shell:live.notExclusive'), ...link });
}

/** Somebody named the user in a comment. */
export function announceMention(event: LiveEvent): void {
  const {
    by,
    mentions = [],
    documentIdentifier,
  } = (event.arg ?? {}) as {
    readonly by?: string;
    readonly mentions?: readonly string[];
    readonly documentIdentifier?: string;
  };
  const { projectName, principal, permissions } = useSessionStore.getState();
  const me = principal?.username;
  if (me === undefined || by === me || !mentions.includes(me) || event.project !== projectName) return;
  const link =
    documentIdentifier !== undefined && can(permissions, 'seeDocuments')
      ? { link: addressPath('/document', { documentIdentifier }), linkmessage: i18next.t('shell:live.openDocument') }
      : {};
  notify({ type: 'info', message: i18next.t('shell:live.mentioned', { user: by ?? '' }), ...link });
}

function handle(event: LiveEvent, name: string): void {
  const argument = (event.arg ?? {}) as JobArgument;
  if (/job/i.test(name) && typeof argument.status === 'string') announceJob(argument);
  if (name === 'suggestions') announceSuggestions(event);
  if (name === 'comments') announceMention(event);
  if (name === 'project') announceSeveralCategories(event);
  handleProjectVisibility(event, name);
}

export function registerLiveNotifications(): () => void {
  return onLiveEvent(handle);
}
