/** The beginning of a file of terms: its columns with what they are read for, its first rows, the terms they become. */
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { termPreviewQuery, type TermPreview as Preview } from '@/api/resources/lexicons';
import type { UploadedFile } from '@/api/upload';
import { ErrorState } from '@/blocks/error-state';
import { SelectInput } from '@/ui/choice-inputs';
import { Notice } from '@/ui/notice';
import { Skeleton } from '@/ui/placeholder-states';
import { fieldOfColumn, withSelectedColumns, withColumn, type ColumnField } from './import-rules';
import styles from './vocabularies.module.css';

const SHOWN_ROWS = 6;
const SHOWN_TERMS = 5;
const SHOWN_PROBLEMS = 5;

export interface TermPreviewProps {
  readonly project: string;
  readonly file: UploadedFile;
  readonly choice: Parameters<typeof termPreviewQuery>[2];
  readonly fields: readonly ColumnField[];
  readonly values: Readonly<Record<string, unknown>>;
  readonly onChange: (values: Readonly<Record<string, unknown>>) => void;
  readonly disabled: boolean;
}

function PreviewTable({
  preview,
  fields,
  values: given,
  onChange,
  disabled,
}: Omit<TermPreviewProps, 'project' | 'file' | 'choice'> & PartProps) {
  const { t } = useTranslation('vocabularies');
  const columns = preview.columns ?? [];
  const values = withSelectedColumns(fields, given, preview.mapping ?? {});
  const options = [{ value: '', label: t('import.unused') }, ...fields.map(({ name, title }) => ({ value: name, label: title }))];
  return (
    <div className={styles['preview']} role="region" aria-label={t('import.firstRows')} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                <span dir="auto">{column}</span>
                {fields.length > 0 && (
                  <SelectInput
                    hideLabel
                    label={t('import.columnIs', { column })}
                    value={fieldOfColumn(fields, values, column)}
                    options={options}
                    disabled={disabled}
                    onChange={(field) => onChange(withColumn(fields, values, column, field))}
                  />
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {(preview.rows ?? []).slice(0, SHOWN_ROWS).map((cells, row) => (
            <tr key={row}>
              {columns.map((column, at) => (
                <td key={column} dir="auto">
                  {cells[at] ?? ''}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface PartProps {
  readonly preview: Preview;
}

function PreviewTerms({ preview }: PartProps) {
  const { t } = useTranslation('vocabularies');
  const terms = (preview.terms ?? []).slice(0, SHOWN_TERMS);
  if (terms.length === 0) return <p>{t('import.noTerm')}</p>;
  return (
    <section>
      <h3>{t('import.becomes')}</h3>
      <ul className={styles['preview-terms']}>
        {terms.map(({ identifier, preferredForm, properties }) => {
          const further = Array.isArray(properties?.['altForms']) ? properties['altForms'].length : 0;
          return (
            <li key={identifier}>
              <strong dir="auto">{preferredForm ?? identifier}</strong> <code>{identifier}</code>{' '}
              {further > 0 && <span>{t('import.furtherForms', { count: further })}</span>}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function PreviewProblems({ preview }: PartProps) {
  const { t } = useTranslation('vocabularies');
  const problems = (preview.problems ?? []).slice(0, SHOWN_PROBLEMS);
  if (problems.length === 0) return null;
  return (
    <Notice tone="warning">
      <strong>{t('import.problems')}</strong>
      <ul>
        {problems.map(({ place = '', message, fix }, index) => (
          <li key={index}>{[place, message, fix ?? ''].filter((part) => part !== '').join('. ')}</li>
        ))}
      </ul>
    </Notice>
  );
}

export function TermPreview({ project, file, choice, ...mapping }: TermPreviewProps) {
  const { t } = useTranslation('vocabularies');
  const query = useQuery(termPreviewQuery(project, file, choice));
  if (query.error !== null)
    return <ErrorState title={t('errors:error.previewTerms')} error={query.error} onRetry={() => void query.refetch()} />;
  if (query.data === undefined) return choice.format === '' ? null : <Skeleton rows={4} rowHeight={32} />;
  const { columns } = query.data;
  return (
    <div className={styles['fields']} aria-busy={query.isFetching}>
      {(columns?.length ?? 0) > 0 && <PreviewTable preview={query.data} {...mapping} />}
      <PreviewTerms preview={query.data} />
      <PreviewProblems preview={query.data} />
    </div>
  );
}
