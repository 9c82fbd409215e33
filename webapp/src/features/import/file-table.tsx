import { Braces, Check, FileArchive, FileText, Pause, Play, RotateCw, X, type LucideIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { describeFailure } from '@/api/errors';
import { FileTooLargeError } from '@/api/upload';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { useFormat } from '@/ui/format';
import { IconButton } from '@/ui/icon-button';
import { ProgressBar } from '@/ui/progress-bar';
import { displayedFileName, type UploadEntry } from './import-rules';
import type { Uploads } from './use-uploads';
import styles from './import.module.css';

const ICONS: Readonly<Record<string, LucideIcon>> = { json: Braces, jsonl: Braces, zip: FileArchive };

function UploadStateBadge({ entry }: { readonly entry: UploadEntry }) {
  const { t } = useTranslation('import');
  if (entry.state === 'uploaded')
    return (
      <Badge tone="success" icon={Check}>
        {t('upload.uploaded')}
      </Badge>
    );
  if (entry.state === 'failed')
    return (
      <Badge tone="error" icon={X}>
        {t('upload.failed')}
      </Badge>
    );
  if (entry.state === 'paused')
    return (
      <Badge tone="warning" icon={Pause}>
        {t('upload.paused', { share: Math.round(entry.share * 100) })}
      </Badge>
    );
  if (entry.state === 'waiting') return <Badge>{t('upload.waiting')}</Badge>;
  return (
    <ProgressBar
      label={t('upload.of', { name: entry.file.name })}
      share={entry.share}
      text={`${String(Math.round(entry.share * 100))}\u202F%`}
      width={70}
    />
  );
}

/** Progress of all files, with buttons to pause and resume them. */
function UploadsBar({ uploads, locked }: { readonly uploads: Uploads; readonly locked: boolean }) {
  const { t } = useTranslation('import');
  const count = (...states: readonly UploadEntry['state'][]) => uploads.entries.filter(({ state }) => states.includes(state)).length;
  const moving = count('waiting', 'uploading');
  const stopped = count('paused', 'failed');
  return (
    <div className={styles['files-bar']}>
      <span role="status">{t('upload.ready', { done: count('uploaded'), count: uploads.entries.length })}</span>
      <span>
        {moving > 0 && (
          <Button small kind="quiet" icon={Pause} disabled={locked} onClick={uploads.pauseAll}>
            {t('upload.pauseAll')}
          </Button>
        )}
        {stopped > 0 && (
          <Button small kind="quiet" icon={Play} disabled={locked} onClick={uploads.resumeAll}>
            {t('upload.resumeAll')}
          </Button>
        )}
      </span>
    </div>
  );
}

/** Buttons to pause, resume, retry, cancel or remove a file. */
function UploadActions({ entry, uploads, locked }: { readonly entry: UploadEntry; readonly uploads: Uploads; readonly locked: boolean }) {
  const { t } = useTranslation('import');
  const name = displayedFileName(entry.file);
  const moving = entry.state === 'uploading' || entry.state === 'waiting';
  return (
    <>
      {moving && (
        <IconButton small icon={Pause} label={t('upload.pause', { name })} onClick={() => uploads.pause(entry.key)} disabled={locked} />
      )}
      {entry.state === 'paused' && (
        <IconButton small icon={Play} label={t('upload.resume', { name })} onClick={() => uploads.retry(entry.key)} disabled={locked} />
      )}
      {entry.state === 'failed' && (
        <IconButton small icon={RotateCw} label={t('upload.retry', { name })} onClick={() => uploads.retry(entry.key)} disabled={locked} />
      )}
      <IconButton
        small
        icon={X}
        label={t(entry.state === 'uploading' ? 'upload.cancel' : 'upload.remove', { name })}
        onClick={() => uploads.remove(entry.key)}
        disabled={locked}
      />
    </>
  );
}

/** The chosen files: size, progress, error, buttons. */
export function FileTable({ uploads, locked }: { readonly uploads: Uploads; readonly locked: boolean }) {
  const { t } = useTranslation('import');
  const format = useFormat();
  const why = (error: unknown) => (error instanceof FileTooLargeError ? t('upload.tooLarge') : describeFailure(error).message);
  return (
    <div>
      <UploadsBar uploads={uploads} locked={locked} />
      <table className={styles['files']} aria-label={t('files')}>
        <thead>
          <tr>
            <th scope="col">{t('column.file')}</th>
            <th scope="col">{t('column.size')}</th>
            <th scope="col">{t('column.upload')}</th>
            <th scope="col">
              <span className="visually-hidden">{t('column.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {uploads.entries.map((entry) => {
            const Icon = ICONS[entry.file.name.split('.').at(-1)?.toLowerCase() ?? ''] ?? FileText;
            return (
              <tr key={entry.key}>
                <td>
                  <span className={styles['file']}>
                    <Icon size={16} aria-hidden />
                    <span>
                      {displayedFileName(entry.file)}
                      {entry.state === 'failed' && <small role="alert">{t('upload.why', { cause: why(entry.error) })}</small>}
                    </span>
                  </span>
                </td>
                <td>{format.bytes(entry.file.size)}</td>
                <td>
                  <UploadStateBadge entry={entry} />
                </td>
                <td>
                  <UploadActions entry={entry} uploads={uploads} locked={locked} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
