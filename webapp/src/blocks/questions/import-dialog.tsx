import { Check, Download, X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { describeFailure } from '@/api/errors';
import { QUESTIONS_SAMPLE } from '@/api/resources/questions';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { FileDropZone } from '@/ui/file-drop-zone';
import { FormDialog } from '@/ui/form-dialog';
import { useFormat } from '@/ui/format';
import { IconButton } from '@/ui/icon-button';
import { Notice } from '@/ui/notice';
import { ProgressBar } from '@/ui/progress-bar';
import { saveFromLink } from '@/ui/save-file';
import { IMPORT_EXTENSIONS, MAX_IMPORT_FILES } from './import-rules';
import { useQuestionImport, type ImportEnd, type QuestionFile, type QuestionImport } from './use-question-import';
import styles from './questions.module.css';

function UploadState({ file: { file, state, share, error } }: { readonly file: QuestionFile }): ReactNode {
  const { t } = useTranslation('questions');
  if (state === 'uploading') return <ProgressBar label={t('import.uploading', { name: file.name })} share={share} width={70} />;
  return (
    <Badge tone={state === 'uploaded' ? 'success' : 'error'} icon={state === 'uploaded' ? Check : X}>
      {state === 'uploaded' ? t('import.uploaded') : describeFailure(error).message}
    </Badge>
  );
}

function Files({ given: { files, remove, importing } }: { readonly given: QuestionImport }): ReactNode {
  const { t } = useTranslation('questions');
  const format = useFormat();
  if (files.length === 0) return null;
  return (
    <ul className={styles['files']} aria-label={t('import.files')}>
      {files.map((one) => (
        <li key={`${one.file.name}/${String(one.file.size)}`}>
          <span title={one.file.name}>{one.file.name}</span>
          <small>{format.bytes(one.file.size)}</small>
          <UploadState file={one} />
          <IconButton
            small
            icon={X}
            label={t('import.remove', { name: one.file.name })}
            disabled={importing}
            onClick={() => remove(one.file)}
          />
        </li>
      ))}
    </ul>
  );
}

function Progress({ given: { importing, job } }: { readonly given: QuestionImport }): ReactNode {
  const { t } = useTranslation('questions');
  const format = useFormat();
  if (!importing) return null;
  const { currentStepCount: done = 0, totalStepCount: total = 0 } = job ?? {};
  return (
    <p role="status">
      {total > 0 ? (
        <ProgressBar
          label={t('import.importing')}
          share={done / total}
          text={t('import.steps', { done: format.number(done), total: format.number(total) })}
        />
      ) : (
        t('import.importing')
      )}
    </p>
  );
}

export interface ImportDialogProps extends ImportEnd {
  readonly project: string;
  /** Files chosen before: those of an import that failed. */
  readonly initial: readonly File[];
  readonly onClose: () => void;
}

/** D-017, T-011: sample, drop zone, the files with their uploads; closed by the caller when the import is over. */
export function QuestionImportDialog({ project, initial, onClose, ...end }: ImportDialogProps): ReactNode {
  const { t } = useTranslation('questions');
  const format = useFormat();
  const given = useQuestionImport(project, initial, end);
  const [refused, setRefused] = useState<readonly string[]>([]);
  const { over, add, mayStart, start, importing, files } = given;
  return (
    <FormDialog
      title={t('import.title')}
      submitLabel={t('import.verb', { count: files.length, number: format.number(files.length) })}
      busy={importing}
      disabled={!mayStart}
      onClose={onClose}
      onSubmit={start}
    >
      <div className={styles['import']}>
        <p>{t('import.text')}</p>
        <Button small icon={Download} onClick={() => saveFromLink(QUESTIONS_SAMPLE)}>
          {t('import.sample')}
        </Button>
        <FileDropZone
          extensions={IMPORT_EXTENSIONS}
          disabled={importing}
          hint={t('import.hint', { most: MAX_IMPORT_FILES })}
          onRefused={setRefused}
          onFiles={(chosen, bad) => {
            setRefused(bad);
            add(chosen);
          }}
        />
        {refused.length > 0 && <Notice tone="warning">{t('import.refused', { names: refused.join(', ') })}</Notice>}
        {over > 0 && <Notice tone="warning">{t('import.over', { count: over, most: MAX_IMPORT_FILES })}</Notice>}
        <Files given={given} />
        <Progress given={given} />
      </div>
    </FormDialog>
  );
}
