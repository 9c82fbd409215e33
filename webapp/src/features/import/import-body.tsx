import { Download, Workflow } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { BASE } from '@/api/client';
import { SAMPLES } from '@/api/resources/document-imports';
import { Button } from '@/ui/button';
import { FileDropZone } from '@/ui/file-drop-zone';
import { JobReport } from '@/blocks/jobs/job-report';
import { Menu } from '@/ui/menu';
import { Notice } from '@/ui/notice';
import { notify } from '@/state/notifications-store';
import { DocumentAccessNotice } from './document-access-notice';
import { EmptyLabelListsQuestion } from './empty-label-lists';
import { FileTable } from './file-table';
import { ImportHelp, ImportHelpButton } from './import-help';
import { MAX_FILES, displayedFileName } from './import-rules';
import { ImportSettings } from './import-settings';
import { MetadataSplitQuestion } from './metadata-split';
import type { ImportState } from './use-import';
import styles from './import.module.css';

/** E-029: a sample is fetched first, so that an error is reported instead of opened. */
async function downloadSample(file: string, failed: string): Promise<void> {
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
        onSelect: () => void downloadSample(file, t('errors:error.downloadResource')),
      }))}
      trigger={(props) => (
        <Button kind="quiet" icon={Download} {...props}>
          {t('samples')}
        </Button>
      )}
    />
  );
}

/** D-004: sample files and help. */
export function ImportTools({ state }: { readonly state: ImportState }) {
  return (
    <span className={styles['tools']}>
      <ImportHelpButton open={state.help} onToggle={state.toggleHelp} />
      <SamplesMenu />
    </span>
  );
}

/** Drop zone, files, settings; once a dry run or the import has started, its report replaces the files. */
export function ImportBody({ state, onFollow }: { readonly state: ImportState; readonly onFollow?: () => void }) {
  const { t } = useTranslation('import');
  const { uploads, job, extensions, launch, check } = state;
  const locked = launch.isPending || check.isPending;
  const types = extensions.length === 0 ? t('anyType') : extensions.join(', ');
  const question = state.empty.asks && (
    <EmptyLabelListsQuestion
      nature={state.nature}
      count={state.empty.count}
      reviewed={state.options.emptyReviewed}
      onChange={state.answerEmpty}
      disabled={locked}
    />
  );
  if (job !== null)
    return (
      <div className={styles['body']}>
        {state.isCheck && !state.running && question}
        <JobReport
          key={job.id}
          project={state.project}
          job={job}
          check={state.isCheck}
          // Following a link from a dry run would lose the files.
          linked={!state.isCheck}
          {...(onFollow !== undefined && { onFollow })}
        />
      </div>
    );
  return (
    <div className={styles['body']}>
      {state.help && <ImportHelp types={types} />}
      <DocumentAccessNotice />
      <FileDropZone
        folders
        extensions={extensions}
        disabled={locked}
        onFiles={state.add}
        onRefused={state.refuseTypes}
        hint={t('hint', { count: uploads.entries.length, max: MAX_FILES, types })}
      />
      {state.refused.length > 0 && (
        <div className={styles['refused']} role="alert">
          <ul>
            {state.refused.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </div>
      )}
      {uploads.entries.length > 0 && <FileTable uploads={uploads} locked={locked} />}
      {question}
      {state.plan !== undefined && (
        <Notice tone="info" icon={Workflow}>
          {t('plan.reads', { label: state.plan.label })}
        </Notice>
      )}
      <MetadataSplitQuestion
        entries={uploads.entries}
        checked={state.options.metadataSplit}
        disabled={locked}
        onChange={(metadataSplit) => state.setOptions({ ...state.options, metadataSplit })}
      />
      <ImportSettings
        nature={state.nature}
        options={state.options}
        onChange={state.setOptions}
        groups={state.groups}
        groupWanted={state.groupWanted}
        onGroupWanted={state.setGroupWanted}
        disabled={locked}
        project={state.project}
        fileNames={uploads.entries.map(({ file }) => displayedFileName(file))}
        errors={state.fieldErrors}
      />
    </div>
  );
}

interface ActionsProps {
  readonly state: ImportState;
  readonly onCancel: () => void;
  readonly onClose: () => void;
}

function ImportButton({ state }: { readonly state: ImportState }) {
  const { t } = useTranslation('import');
  const ready = state.uploads.entries.filter((entry) => entry.state === 'uploaded').length;
  return (
    <Button
      kind="solid"
      busy={state.launch.isPending}
      disabled={state.obstacle !== null}
      onClick={() => state.launch.mutate()}
      title={state.obstacle === null ? '' : t(`obstacle.${state.obstacle}`)}
    >
      {ready === 0 ? t('import') : t('importFiles', { count: ready })}
    </Button>
  );
}

/** The button for the present state: check, import, stop, retry. */
export function ImportActions({ state, onCancel, onClose }: ActionsProps) {
  const { t } = useTranslation('import');
  const { job, running, launch, check, stop, obstacle, isCheck } = state;
  if (job === null)
    return (
      <>
        <Button onClick={onCancel} disabled={launch.isPending}>
          {t('common:cancel')}
        </Button>
        <Button busy={check.isPending} disabled={obstacle !== null} onClick={() => check.mutate()} title={t('check.help')}>
          {t('check.button')}
        </Button>
        <ImportButton state={state} />
      </>
    );
  if (running)
    return (
      <>
        <Button busy={stop.isPending} onClick={() => stop.mutate()}>
          {t(isCheck ? 'check.stop' : 'stop')}
        </Button>
        {!isCheck && (
          <Button kind="solid" onClick={onClose}>
            {t('background')}
          </Button>
        )}
      </>
    );
  if (isCheck)
    return (
      <>
        <Button onClick={state.again} disabled={launch.isPending}>
          {t('again')}
        </Button>
        <ImportButton state={state} />
      </>
    );
  return (
    <>
      {job.status !== 'COMPLETED' && <Button onClick={state.again}>{t('again')}</Button>}
      <Button kind="solid" onClick={onClose}>
        {t('common:close')}
      </Button>
    </>
  );
}
