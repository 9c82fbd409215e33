/** The documents of the project have no segments, as after an import of texts to classify: says why, and offers to make them. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { componentDefaultsQuery } from '@/api/resources/component-defaults';
import { isActive, jobKeys, jobMessage, projectJobsQuery, type Job } from '@/api/resources/jobs';
import { projectKeys, type Project } from '@/api/resources/projects';
import { recomputeSegments, type SegmenterChoice } from '@/api/resources/segmentation';
import { segmentKeys } from '@/api/resources/segments';
import { useCan, useProjectWritable, useSessionStore } from '@/state/session-store';
import { Button } from '@/ui/button';
import { EmptyState } from '@/ui/placeholder-states';
import { ProgressBar } from '@/ui/progress-bar';

/** The latest segmentation of the project; the results are fetched again when it ends. */
function useSegmentationJob(project: string): Job | undefined {
  const queryClient = useQueryClient();
  const { data: jobs = [] } = useQuery({ ...projectJobsQuery(project), meta: { silent: true } });
  const own = jobs.filter((job) => job.type === 'PROJECT_SEGMENTATION');
  const job = own.find(isActive) ?? [...own].sort((one, other) => other.createdAt - one.createdAt)[0];
  const running = job !== undefined && isActive(job);
  const wasRunning = useRef(false);
  useEffect(() => {
    if (wasRunning.current && !running) {
      void queryClient.invalidateQueries({ queryKey: segmentKeys.all });
      void queryClient.invalidateQueries({ queryKey: projectKeys.all });
    }
    wasRunning.current = running;
  }, [running, queryClient]);
  return job;
}

function useMayCut(project: Project): boolean {
  const username = useSessionStore((state) => state.principal?.username);
  const writable = useProjectWritable();
  const mayConfigure = useCan('changeProjectConfig');
  return writable && (mayConfigure || (username !== undefined && project.owner?.username === username));
}

/** How far the computation of the segments is, and why it failed. */
function SegmentationState({ job }: { readonly job: Job | undefined }): ReactNode {
  const { t } = useTranslation('explore');
  if (job === undefined) return null;
  return (
    <>
      {isActive(job) && (
        <ProgressBar
          label={t('noSegments.running')}
          share={job.totalStepCount === 0 ? 0 : job.currentStepCount / job.totalStepCount}
          text={t('noSegments.running')}
        />
      )}
      {job.status === 'FAILED' && <p role="alert">{t('noSegments.failed', { message: jobMessage(job) })}</p>}
    </>
  );
}

export function NoSegments({ project }: { readonly project: Project }): ReactNode {
  const { t } = useTranslation('explore');
  const queryClient = useQueryClient();
  const mayCut = useMayCut(project);
  const job = useSegmentationJob(project.name);
  const running = job !== undefined && isActive(job);
  const { data: defaults } = useQuery({ ...componentDefaultsQuery, meta: { silent: true } });
  const cut = useMutation({
    mutationFn: (segmenter: string) => {
      const choice: SegmenterChoice = { name: segmenter, parameters: {}, annotationsWhole: true };
      return recomputeSegments(project.name, choice);
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: jobKeys.all }),
    meta: { errorTitle: 'recomputeSegments' },
  });
  const owner = project.owner?.profilename ?? project.owner?.username;
  const whoCan = owner === undefined ? t('noSegments.whoCan') : t('noSegments.whoCanAsk', { owner });
  const offer = defaults !== undefined && mayCut && !running && (
    <>
      <Button kind="solid" busy={cut.isPending} onClick={() => cut.mutate(defaults.document_segmenter.name)}>
        {t('noSegments.documents')}
      </Button>
      <Button disabled={cut.isPending} onClick={() => cut.mutate(defaults.segmenter.name)}>
        {t('noSegments.sentences')}
      </Button>
    </>
  );
  return (
    <EmptyState
      title={t('noSegments.title')}
      actions={
        <>
          {offer}
          <Button kind="quiet" to="/documents">
            {t('empty.documents')}
          </Button>
        </>
      }
    >
      <p>{t(project.nature === 'classification' ? 'noSegments.classification' : 'noSegments.text')}</p>
      {!mayCut && <p>{whoCan}</p>}
      <SegmentationState job={job} />
    </EmptyState>
  );
}
