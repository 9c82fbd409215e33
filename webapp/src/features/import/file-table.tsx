import { Braces, FileArchive, FileText, RotateCw, X, type LucideIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { describeFailure } from '@/api/errors';
import { FileTooLargeError } from '@/api/upload';
import { Badge } from '@/components/badge';
import { useFormat } from '@/components/format';
import { IconButton } from '@/components/icon-button';
import { ProgressBar } from '@/components/progress-bar';
import { Check } from 'lucide-react';
import type { Entry } from './import-rules';
import type { Uploads } from './use-uploads';
import styles from './import.module.css';

const ICONS: Readonly<Record<string, LucideIcon>> = { json: Braces, jsonl: Braces, zip: FileArchive };

function State({ entry }: { readonly entry: Entry }) {
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

/** The chosen files: size, progress, what went wrong, cancel or try again. */
export function FileTable({ uploads, locked }: { readonly uploads: Uploads; readonly locked: boolean }) {
  const { t } = useTranslation('import');
  const format = useFormat();
  const why = (error: unknown) => (error instanceof FileTooLargeError ? t('upload.tooLarge') : describeFailure(error).message);
  return (
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
                    {entry.file.name}
                    {entry.state === 'failed' && <small role="alert">{t('upload.why', { cause: why(entry.error) })}</small>}
                  </span>
                </span>
              </td>
              <td>{format.bytes(entry.file.size)}</td>
              <td>
                <State entry={entry} />
              </td>
              <td>
                {entry.state === 'failed' && (
                  <IconButton
                    small
                    icon={RotateCw}
                    label={t('upload.retry', { name: entry.file.name })}
                    onClick={() => uploads.retry(entry.key)}
                    disabled={locked}
                  />
                )}
                <IconButton
                  small
                  icon={X}
                  label={t(entry.state === 'uploading' ? 'upload.cancel' : 'upload.remove', { name: entry.file.name })}
                  onClick={() => uploads.remove(entry.key)}
                  disabled={locked}
                />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
