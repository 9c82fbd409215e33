import { Download } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { BASE } from '@/api/client';
import { SAMPLES } from '@/api/resources/uploads';
import { Button } from '@/components/button';
import { FileDropZone } from '@/components/file-drop-zone';
import { Menu } from '@/components/menu';
import { notify } from '@/state/notifications-store';
import { FileTable } from './file-table';
import { ImportReport } from './import-report';
import { MAX_FILES } from './import-rules';
import { ImportSettings } from './import-settings';
import type { Import } from './use-import';
import styles from './import.module.css';

/** E-029: a sample is fetched first, so that a failure is said instead of opened. */
async function download(file: string, failed: string): Promise<void> {
  try {
    const response = await fetch(`${BASE}/samples/${file}`, { credentials: 'same-origin' });
    if (!response.ok) throw new Error(response.statusText);
    const link = document.createElement('a');
    link.href = URL.createObjectURL(await response.blob());
    link.download = file;
    link.click();
    URL.revokeObjectURL(link.href);
  } catch (error) {
    notify({ type: 'error', message: failed, cause: error instanceof Error ? error.message : String(error) });
  }
}

export function SamplesMenu() {
  const { t } = useTranslation(['import', 'errors']);
  return (
    <Menu
      label={t('samples')}
      entries={SAMPLES.map((file) => ({
        key: file,
        label: t(`sample.${file.replace('.json', '')}`),
        aside: <code>{file}</code>,
        onSelect: () => void download(file, t('errors:error.downloadResource')),
      }))}
      trigger={(props) => (
        <Button kind="quiet" icon={Download} {...props}>
          {t('samples')}
        </Button>
      )}
    />
  );
}

/** Drop zone, files, settings; once the job is started its report takes the place of the files. */
export function ImportBody({ state }: { readonly state: Import }) {
  const { t } = useTranslation('import');
  const { uploads, job, extensions, launch } = state;
  if (job !== null) return <ImportReport project={state.project} job={job} />;
  const locked = launch.isPending;
  return (
    <div className={styles['body']}>
      <FileDropZone
        extensions={extensions}
        disabled={locked}
        onFiles={state.add}
        onRefused={state.refuseTypes}
        hint={t('hint', { count: uploads.entries.length, max: MAX_FILES, types: extensions.join(', ') })}
      />
      {state.refused.length > 0 && (
        <ul className={styles['refused']} role="alert">
          {state.refused.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      {uploads.entries.length > 0 && <FileTable uploads={uploads} locked={locked} />}
      <ImportSettings
        nature={state.nature}
        options={state.options}
        onChange={state.setOptions}
        groups={state.groups}
        groupWanted={state.groupWanted}
        onGroupWanted={state.setGroupWanted}
        disabled={locked}
      />
    </div>
  );
}

/** The verb of the moment: import, stop, try again. */
export function ImportActions({
  state,
  onCancel,
  onClose,
}: {
  readonly state: Import;
  readonly onCancel: () => void;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation('import');
  const { job, running, launch, stop, obstacle } = state;
  const ready = state.uploads.entries.filter((entry) => entry.state === 'uploaded').length;
  if (job === null) {
    return (
      <>
        <Button onClick={onCancel} disabled={launch.isPending}>
          {t('common:cancel')}
        </Button>
        <Button
          kind="solid"
          busy={launch.isPending}
          disabled={obstacle !== null}
          onClick={() => launch.mutate()}
          title={obstacle === null ? '' : t(`obstacle.${obstacle}`)}
        >
          {ready === 0 ? t('import') : t('importFiles', { count: ready })}
        </Button>
      </>
    );
  }
  if (running) {
    return (
      <>
        <Button busy={stop.isPending} onClick={() => stop.mutate()}>
          {t('stop')}
        </Button>
        <Button kind="solid" onClick={onClose}>
          {t('background')}
        </Button>
      </>
    );
  }
  return (
    <>
      {job.status !== 'COMPLETED' && <Button onClick={state.again}>{t('again')}</Button>}
      <Button kind="solid" onClick={onClose}>
        {t('common:close')}
      </Button>
    </>
  );
}
