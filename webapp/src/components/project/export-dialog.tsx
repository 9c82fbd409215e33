import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { datasetAddress, exportAddress } from '@/api/resources/archives';
import { Button } from '@/components/button';
import { CheckRow } from '@/components/choices';
import { Dialog } from '@/components/dialog';
import { saveLink } from '@/components/save-file';

export interface ExportDialogProps {
  readonly project: string;
  readonly label: string;
  readonly nature: string | undefined;
  readonly mayDataset: boolean;
  readonly onClose: () => void;
}

/** D-020: the archive, with or without models; the dataset. Neither models nor a dataset for question answering. */
export function ExportProjectDialog({ project, label, nature, mayDataset, onClose }: ExportDialogProps) {
  const { t } = useTranslation('project');
  const [models, setModels] = useState(true);
  const trains = nature !== 'question_answering';
  const save = (address: string) => {
    saveLink(address);
    onClose();
  };
  return (
    <Dialog
      open
      width="small"
      title={t('export.title', { label })}
      onClose={onClose}
      secondary={
        trains &&
        mayDataset && (
          <Button kind="quiet" onClick={() => save(datasetAddress(project))}>
            {t('export.dataset')}
          </Button>
        )
      }
      actions={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button kind="solid" onClick={() => save(exportAddress(project, trains && models))}>
            {t('export.do')}
          </Button>
        </>
      }
    >
      <p>{t('export.text', { file: `${project}.spa` })}</p>
      {trains && <CheckRow label={t('export.models')} help={t('export.modelsHelp')} checked={models} onChange={setModels} />}
    </Dialog>
  );
}
