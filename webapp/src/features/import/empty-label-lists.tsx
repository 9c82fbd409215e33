import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Job } from '@/api/resources/jobs';
import { dryRunResultOf, type ImportOptions } from '@/api/resources/document-imports';
import { Notice } from '@/ui/notice';
import { fileHasEmptyLabelLists, fileKey, type UploadEntry } from './import-rules';
import styles from './import.module.css';

export interface EmptyLabelLists {
  /** Whether to ask for their meaning. */
  readonly asks: boolean;
  /** Number of documents, after a dry run. */
  readonly count: number | undefined;
}

/** Whether one of the added files, or the dry run, has documents with empty lists of labels. */
export function useEmptyLabelLists(
  entries: readonly UploadEntry[],
  nature: string | undefined,
  options: ImportOptions,
  checked: Job | null,
): EmptyLabelLists {
  const found = useFilesHaveEmptyLabelLists(entries, nature);
  const counted = checked === null ? 0 : (dryRunResultOf(checked)?.emptyLists ?? 0);
  const some = found || counted > 0 || options.emptyReviewed;
  return { asks: some && !options.ignoreLabelling, count: counted > 0 ? counted : undefined };
}

function useFilesHaveEmptyLabelLists(entries: readonly UploadEntry[], nature: string | undefined): boolean {
  const files = entries.map(({ file }) => file);
  const { data = false } = useQuery({
    queryKey: ['empty-lists', nature, ...files.map(fileKey)],
    queryFn: async () => {
      for (const file of files) if (await fileHasEmptyLabelLists(file, nature)) return true;
      return false;
    },
    enabled: files.length > 0,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    meta: { silent: true },
  });
  return data;
}

export interface EmptyLabelListsQuestionProps {
  readonly nature: string | undefined;
  /** Number of documents, after a dry run. */
  readonly count?: number | undefined;
  readonly reviewed: boolean;
  readonly onChange: (reviewed: boolean) => void;
  readonly disabled: boolean;
}

/** Asks for the meaning of an empty list of labels: the document was not annotated yet, or it was and has no labels. */
export function EmptyLabelListsQuestion({ nature, count, reviewed, onChange, disabled }: EmptyLabelListsQuestionProps) {
  const { t } = useTranslation('import');
  const name = useId();
  const kind = nature === 'classification' ? 'categories' : 'annotations';
  const answer = (value: boolean) => (
    <label className={styles['answer']}>
      <input type="radio" name={name} checked={reviewed === value} disabled={disabled} onChange={() => onChange(value)} />
      <span>
        {t(`empty.${kind}.${value ? 'read' : 'unread'}`)}
        <small>{t(`empty.${value ? 'readHelp' : 'unreadHelp'}`)}</small>
      </span>
    </label>
  );
  return (
    <Notice tone="info">
      <fieldset className={styles['question']}>
        <legend>{count === undefined ? t(`empty.${kind}.some`) : t(`empty.${kind}.counted`, { count })}</legend>
        {answer(false)}
        {answer(true)}
      </fieldset>
    </Notice>
  );
}
