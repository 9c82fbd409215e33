import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { resegmentationPreviewQuery, recomputeSegments, type SegmenterChoice } from '@/api/resources/segmentation';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { useFormat } from '@/ui/format';
import { Skeleton } from '@/ui/placeholder-states';
import { ErrorState } from '@/blocks/error-state';
import { SegmentationOutcome } from './segmentation-outcome';
import styles from './settings.module.css';

interface RecomputeDialogProps {
  readonly project: string;
  /** The saved settings of the project. */
  readonly choice: SegmenterChoice;
  readonly onClose: () => void;
  readonly onStarted: () => void;
}

/** Shows the effects of a new segmentation before it starts. */
export function RecomputeSegmentsDialog({ project, choice, onClose, onStarted }: RecomputeDialogProps) {
  const { t } = useTranslation('settings');
  const format = useFormat();
  const preview = useQuery(resegmentationPreviewQuery(project, choice));
  const run = useMutation({
    mutationFn: () => recomputeSegments(project),
    onSuccess: () => {
      onStarted();
      onClose();
    },
    meta: { errorTitle: 'recomputeSegments' },
  });
  const { data } = preview;
  return (
    <Dialog
      open
      title={t('segmentation.askTitle')}
      locked={run.isPending}
      onClose={onClose}
      actions={
        <>
          <Button disabled={run.isPending} onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button kind="solid" busy={run.isPending} onClick={() => run.mutate()}>
            {t('segmentation.recompute')}
          </Button>
        </>
      }
    >
      <div className={styles['outcome']}>
        <p>{t('segmentation.askText')}</p>
        {preview.error !== null && (
          <ErrorState title={t('segmentation.notTried')} error={preview.error} onRetry={() => void preview.refetch()} />
        )}
        {preview.isFetching && data === undefined && <Skeleton rows={3} rowHeight={20} />}
        {data !== undefined && (
          <>
            <p>
              {t('segmentation.total', {
                count: data.total.documents,
                number: format.number(data.total.documents),
                segments: format.number(data.total.segments),
              })}
            </p>
            <SegmentationOutcome counts={data.sample} words="tried" />
            {data.examples.length > 0 && data.sample.changed > 0 && (
              <>
                <p>{t('segmentation.examples')}</p>
                <ol>
                  {data.examples.map((text, index) => (
                    <li key={`${String(index)}-${text}`} dir="auto">
                      {text}
                    </li>
                  ))}
                </ol>
              </>
            )}
          </>
        )}
      </div>
    </Dialog>
  );
}
