import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyFailure } from '@/api/errors';
import { waitForProjectImport } from '@/api/resources/archives-and-shares';
import { jobStatus, type Job } from '@/api/resources/jobs';
import { loadProject } from '@/api/resources/projects';
import { uploadFiles, type UploadedFile } from '@/api/upload';
import { TextInput } from '@/ui/field';
import { FileDropZone } from '@/ui/file-drop-zone';
import { useFormat } from '@/ui/format';
import { ProgressBar } from '@/ui/progress-bar';
import { FORM, GroupSelect, useProjectCreated, useUserGroups, type CreateProjectTabProps } from './project-form';
import { MAX_PROJECT_NAME, nameError, nameFromArchive } from './project-name';
import styles from './home.module.css';

interface Archive {
  readonly name: string;
  readonly size: number;
  readonly share: number;
  readonly uploaded: UploadedFile | null;
}

function ArchiveLine({ archive }: { readonly archive: Archive }) {
  const { t } = useTranslation('home');
  const format = useFormat();
  return (
    <div className={styles['archive']}>
      <span>{archive.name}</span>
      <small>{format.bytes(archive.size)}</small>
      {archive.uploaded === null ? (
        <ProgressBar label={t('uploading')} share={archive.share} text={t('uploading')} width={100} />
      ) : (
        <small>{t('uploaded')}</small>
      )}
    </div>
  );
}

/** T-009: the project can be opened once its import job has ended. */
function useImportArchive(
  label: string,
  group: string,
  onBusy: CreateProjectTabProps['onBusy'],
  onCreated: CreateProjectTabProps['onCreated'],
) {
  const done = useProjectCreated(onCreated);
  const [job, setJob] = useState<Job | null>(null);
  const load = useMutation({
    mutationFn: async (uploaded: UploadedFile) => {
      const { projectName, jobId } = await loadProject(uploaded, label.trim(), group === '' ? undefined : group);
      await waitForProjectImport(jobId, setJob);
      return projectName;
    },
    onMutate: () => onBusy(true),
    onSettled: () => {
      onBusy(false);
      setJob(null);
    },
    onSuccess: done,
    meta: { errorTitle: 'importProject' },
  });
  return { load, job };
}

/** C-046: exactly one `.spa`. */
export function ImportProjectTab({ onValid, onBusy, onCreated }: CreateProjectTabProps) {
  const { t } = useTranslation('home');
  const groups = useUserGroups();
  const [archive, setArchive] = useState<Archive | null>(null);
  const [refused, setRefused] = useState(false);
  const [label, setLabel] = useState('');
  const [group, setGroup] = useState('');
  const valid = (uploaded: UploadedFile | null, name: string, chosen: string) =>
    onValid(uploaded !== null && nameError(name) === null && (groups.length < 2 || chosen !== ''));
  const take = async (file: File) => {
    const proposed = nameFromArchive(file.name);
    setRefused(false);
    setLabel(proposed);
    onValid(false);
    setArchive({ name: file.name, size: file.size, share: 0, uploaded: null });
    try {
      const [uploaded] = await uploadFiles([file], { onProgress: (share) => setArchive((now) => now && { ...now, share }) });
      setArchive((now) => now && { ...now, share: 1, uploaded: uploaded ?? null });
      valid(uploaded ?? null, proposed, group);
    } catch (error) {
      setArchive(null);
      notifyFailure(error, 'upload');
    }
  };
  const { load, job } = useImportArchive(label, group, onBusy, onCreated);
  const wrong = archive === null ? null : nameError(label);
  return (
    <form
      id={FORM}
      noValidate
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault();
        if (archive?.uploaded) load.mutate(archive.uploaded);
      }}
    >
      <FileDropZone
        multiple={false}
        extensions={['spa']}
        hint={t('archiveHint')}
        onFiles={([file]) => file !== undefined && void take(file)}
        onRefused={() => setRefused(true)}
      />
      {refused && <p role="alert">{t('archiveRefused')}</p>}
      {job !== null && (
        <ProgressBar
          label={t('restoring')}
          share={job.currentStepCount / Math.max(1, job.totalStepCount)}
          text={jobStatus(job) ?? t('restoring')}
        />
      )}
      {archive !== null && <ArchiveLine archive={archive} />}
      <TextInput
        required
        label={t('field.label')}
        value={label}
        error={wrong === null ? undefined : t(`name.${wrong}`, { max: MAX_PROJECT_NAME })}
        onChange={(text) => {
          setLabel(text);
          valid(archive?.uploaded ?? null, text, group);
        }}
      />
      <GroupSelect
        value={group}
        tried={false}
        onChange={(chosen) => {
          setGroup(chosen);
          valid(archive?.uploaded ?? null, label, chosen);
        }}
      />
    </form>
  );
}
