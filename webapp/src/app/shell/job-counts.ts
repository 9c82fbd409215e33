import { useQuery } from '@tanstack/react-query';
import { isActive, projectJobsQuery, type Job } from '@/api/resources/jobs';
import { useLayoutStore } from '@/state/layout-store';
import { useCan, useProjectName } from '@/state/session-store';

/** T-025: jobs that failed after the list was last opened. */
export function unseenFailures(jobs: readonly Job[], lastSeen: number): number {
  return jobs.filter((job) => job.status === 'FAILED' && (job.completedAt ?? 0) > lastSeen).length;
}

export function useJobCounts(): { active: number; failed: number; running: Job | undefined } {
  const project = useProjectName();
  const visible = useCan('seeProjectJobs');
  const seen = Number(useLayoutStore((state) => state.choices[`jobs.seen.${project}`]) ?? 0);
  const { data = [] } = useQuery({ ...projectJobsQuery(project), enabled: visible && project !== '', meta: { silent: true } });
  const active = data.filter(isActive);
  return { active: active.length, failed: unseenFailures(data, seen), running: active[0] };
}
