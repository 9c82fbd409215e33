import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { checkDownload, datasetAddress, exportAddress } from '@/api/resources/archives-and-shares';
import { Button } from '@/ui/button';
import { CheckRow } from '@/ui/choice-inputs';
import { Dialog } from '@/ui/dialog';
import { saveFromLink } from '@/ui/save-file';
import styles from './projects.module.css';

export interface ExportProjectDialogProps {
  readonly project: string;
  readonly label: string;
  readonly nature: string | undefined;
  readonly mayDataset: boolean;
  readonly onClose: () => void;
}

/** D-020: exports the archive, with or without models, or the dataset. For question answering, neither models nor a dataset. */
export function ExportProjectDialog({ project, label, nature, mayDataset, onClose }: ExportProjectDialogProps) {
  const { t } = useTranslation('project');
  const [models, setModels] = useState(true);
  const trains = nature !== 'question_answering';
  const onSuccess = (_nothing: unknown, address: string) => {
    saveFromLink(address);
    onClose();
  };
  const dataset = useMutation({ mutationFn: checkDownload, onSuccess, meta: { errorTitle: 'downloadProject' } });
  const archive = useMutation({
    mutationFn: checkDownload,
    onSuccess,
    // E-051: the dialog stays open, the error is only logged.
    onError: (error) => console.warn('The project could not be exported', error),
    meta: { silent: true },
  });
  const busy = dataset.isPending || archive.isPending;
  return (
    <Dialog
      open
      width="small"
      title={t('export.title', { label })}
      onClose={onClose}
      secondary={
        trains &&
        mayDataset && (
          <Button kind="quiet" busy={dataset.isPending} disabled={busy} onClick={() => dataset.mutate(datasetAddress(project))}>
            {t('export.dataset')}
          </Button>
        )
      }
      actions={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button
            kind="solid"
            busy={archive.isPending}
            disabled={busy}
            onClick={() => archive.mutate(exportAddress(project, trains && models))}
          >
            {t('export.do')}
          </Button>
        </>
      }
    >
      <div className={styles['stack']}>
        <p>{t('export.text', { file: `${project}.spa` })}</p>
        {trains && <CheckRow label={t('export.models')} help={t('export.modelsHelp')} checked={models} onChange={setModels} />}
      </div>
    </Dialog>
  );
}
