/** A ready project to try the product with: one click, then its progress, then its suggestions. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { hasEnded, jobQuery } from '@/api/resources/document-imports';
import { jobMessage, jobStatus, type Job } from '@/api/resources/jobs';
import { createSampleProject, projectKeys, type Project } from '@/api/resources/projects';
import { Button } from '@/ui/button';
import { EmptyState } from '@/ui/placeholder-states';
import { ProgressBar } from '@/ui/progress-bar';
import { openProjectPath } from './project-table';

export interface SampleProject {
  readonly start: () => void;
  /** The request is on its way. */
  readonly busy: boolean;
  /** The project exists and is being filled. */
  readonly started: boolean;
  readonly job: Job | undefined;
  /** Gives up watching; the project stays. */
  readonly leave: () => void;
}

/** Opens the suggestions of the project once it has its documents: that screen shows the training. */
export function useSampleProject(): SampleProject {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const create = useMutation({ mutationFn: createSampleProject, meta: { errorTitle: 'createProject' } });
  const project = create.data?.projectName ?? '';
  const { data: job } = useQuery({ ...jobQuery(project, create.data?.jobId ?? ''), meta: { silent: true } });
  const completed = hasEnded(job) && job?.status === 'COMPLETED';
  useEffect(() => {
    if (!completed) return;
    void queryClient.invalidateQueries({ queryKey: projectKeys.all });
    void navigate(`${openProjectPath({ name: project } as Project)}/suggestions`);
  }, [completed, project, queryClient, navigate]);
  return {
    start: () => create.mutate(),
    busy: create.isPending,
    started: create.data !== undefined,
    job,
    leave: () => {
      create.reset();
      void queryClient.invalidateQueries({ queryKey: projectKeys.all });
    },
  };
}

export function SampleProgress({ sample }: { readonly sample: SampleProject }) {
  const { t } = useTranslation('home');
  const { job } = sample;
  if (job !== undefined && hasEnded(job) && job.status !== 'COMPLETED')
    return (
      <EmptyState
        title={t('sample.failed')}
        actions={
          <>
            <Button kind="solid" busy={sample.busy} onClick={sample.start}>
              {t('sample.again')}
            </Button>
            <Button onClick={sample.leave}>{t('sample.back')}</Button>
          </>
        }
      >
        <p role="alert">{jobMessage(job)}</p>
      </EmptyState>
    );
  const total = job?.totalStepCount ?? 0;
  return (
    <EmptyState title={t('sample.title')}>
      <ProgressBar
        label={t('sample.title')}
        share={total === 0 ? 0 : (job?.currentStepCount ?? 0) / total}
        text={(job && jobStatus(job)) ?? t('sample.importing')}
      />
      <p>{t('sample.training')}</p>
    </EmptyState>
  );
}
