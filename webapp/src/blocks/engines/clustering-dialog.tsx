/** D-011: starts topic detection from any screen of the project. */
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { jobMessage } from '@/api/resources/jobs';
import { jobQuery } from '@/api/resources/document-imports';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { ProgressBar } from '@/ui/progress-bar';
import { notify } from '@/state/notifications-store';
import { useCan } from '@/state/session-store';
import { useClustering } from './use-clustering';

export interface ClusteringDialogProps {
  readonly project: string;
  readonly onClose: () => void;
}

function ClusteringProgress({ project, jobId }: { readonly project: string; readonly jobId: string }) {
  const { t } = useTranslation('clustering');
  const { data: job } = useQuery({ ...jobQuery(project, jobId), enabled: jobId !== '', meta: { silent: true } });
  const total = job?.totalStepCount ?? 0;
  if (total === 0) return null;
  return <ProgressBar share={(job?.currentStepCount ?? 0) / total} label={t('running')} text={job === undefined ? '' : jobMessage(job)} />;
}

export function ClusteringDialog({ project, onClose }: ClusteringDialogProps) {
  const { t } = useTranslation('clustering');
  const navigate = useNavigate();
  const seesExperiments = useCan('seeExperiments');
  const { first, engine, replaced, annotate, running, obstacle, launch, stop } = useClustering(project);
  const launched = (name: string) => {
    onClose();
    if (seesExperiments) void navigate(`/experiments?experiment=${encodeURIComponent(name)}`);
    else notify({ type: 'success', message: t('started') });
  };
  return (
    <Dialog
      open
      width="small"
      title={t('title')}
      locked={launch.isPending}
      onClose={onClose}
      onSubmit={() => launch.mutate(undefined, { onSuccess: launched })}
      actions={
        <>
          <Button onClick={onClose} disabled={launch.isPending}>
            {t('common:cancel')}
          </Button>
          {running && first !== undefined && (
            <Button busy={stop.isPending} onClick={() => stop.mutate(first.name)}>
              {t('stop')}
            </Button>
          )}
          <Button kind="solid" type="submit" busy={launch.isPending} disabled={obstacle !== null}>
            {t('find')}
          </Button>
        </>
      }
    >
      <div style={{ display: 'grid', gap: 12 }}>
        <p>{t('text')}</p>
        <p>{t(annotate ? 'proposes' : 'onlyReport')}</p>
        {first !== undefined && <p>{t('again', { label: first.label })}</p>}
        {first === undefined && replaced && engine?.form !== undefined && <p>{t('replaced', { engine: engine.form.title })}</p>}
        {obstacle !== null && <p role="alert">{t(`obstacle.${obstacle}`)}</p>}
        {running && <ClusteringProgress project={project} jobId={first?.jobId ?? ''} />}
      </div>
    </Dialog>
  );
}
