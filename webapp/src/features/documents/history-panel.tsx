import { useInfiniteQuery } from '@tanstack/react-query';
import { Crosshair, RotateCcw } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useHistoryEntryTexts } from '@/blocks/labelling/history-entry-text';
import type { UndoRedo } from '@/labelling-sync/use-undo-redo';
import { historyQuery, type HistoryEntry } from '@/api/resources/history';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { SelectInput } from '@/ui/choice-inputs';
import { Disclosure } from '@/ui/disclosure';
import { useFormat } from '@/ui/format';
import { IconButton } from '@/ui/icon-button';
import { usePersonName } from '@/blocks/projects/person-name';
import { Skeleton } from '@/ui/placeholder-states';
import { ErrorState } from '@/blocks/error-state';
import styles from './history.module.css';

/** Groups consecutive entries of the same operation. */
export function groupByOperation(entries: readonly HistoryEntry[]): readonly (readonly [HistoryEntry, ...HistoryEntry[]])[] {
  const acts: [HistoryEntry, ...HistoryEntry[]][] = [];
  for (const entry of entries) {
    const last = acts.at(-1);
    if (last?.[0].act === entry.act) last.push(entry);
    else acts.push([entry]);
  }
  return acts;
}

interface RowProps {
  readonly entry: HistoryEntry;
  readonly onRestore: ((entry: HistoryEntry) => void) | undefined;
  readonly onShow: ((id: string) => void) | undefined;
}

function HistoryChange({ entry, onRestore, onShow }: RowProps): ReactNode {
  const { t } = useTranslation('history');
  const { title, changes } = useHistoryEntryTexts();
  const words = title(entry);
  return (
    <div className={styles['change']} data-gone={entry.takenBack === true || undefined}>
      <div className={styles['what']}>
        <span dir="auto">{words}</span>
        {changes(entry).map((line) => (
          <small key={line} dir="auto">
            {line}
          </small>
        ))}
      </div>
      {onShow !== undefined && (
        <IconButton small label={t('show', { what: words })} icon={Crosshair} onClick={() => onShow(entry.entityIdentifier)} />
      )}
      {onRestore !== undefined && entry.restorable === true && (
        <IconButton small label={t('restore', { what: words })} icon={RotateCcw} onClick={() => onRestore(entry)} />
      )}
    </div>
  );
}

interface HistoryOperationProps {
  readonly entries: readonly [HistoryEntry, ...HistoryEntry[]];
  readonly undoRedo: UndoRedo;
  readonly writable: boolean;
  readonly isThere: (id: string) => boolean;
  readonly onShow: (id: string) => void;
}

function HistoryOperation({ entries, undoRedo, writable, isThere, onShow }: HistoryOperationProps): ReactNode {
  const { t } = useTranslation('history');
  const format = useFormat();
  const personName = usePersonName();
  const [first] = entries;
  const rowOf = (entry: HistoryEntry) => (
    <HistoryChange
      key={entry.identifier}
      entry={entry}
      onRestore={writable ? (one) => undoRedo.restore(one, false) : undefined}
      onShow={isThere(entry.entityIdentifier) ? onShow : undefined}
    />
  );
  return (
    <li className={styles['act']}>
      <p className={styles['who']}>
        <b title={first.by}>{personName(first.by, first)}</b>
        <time dateTime={first.date} title={format.dateTime(first.date)}>
          {format.when(first.date)}
        </time>
        {first.kind !== undefined && <Badge tone="neutral">{t(`kind.${first.kind}`)}</Badge>}
        {first.takenBack === true && <Badge tone="neutral">{t('takenBack')}</Badge>}
      </p>
      {first.jobId !== undefined && <p className={styles['job']}>{first.jobDescription ?? t('job')}</p>}
      {entries.length === 1 ? (
        rowOf(first)
      ) : (
        <Disclosure summary={t('changes', { count: entries.length, number: format.number(entries.length) })}>
          {writable && first.restorable === true && (
            <Button small kind="quiet" icon={RotateCcw} onClick={() => undoRedo.restore(first, true)}>
              {t('restoreAll')}
            </Button>
          )}
          {entries.map(rowOf)}
        </Disclosure>
      )}
    </li>
  );
}

interface HistoryPanelProps {
  readonly project: string;
  readonly document: string;
  readonly undoRedo: UndoRedo;
  readonly writable: boolean;
  /** Whether a span is in the text now. */
  readonly isThere: (id: string) => boolean;
  readonly onShow: (id: string) => void;
}

/** The changes of the document with author and time, newest first; each can be undone. */
export function HistoryPanel({ project, document, undoRedo, writable, isThere, onShow }: HistoryPanelProps): ReactNode {
  const { t } = useTranslation('history');
  const [by, setBy] = useState('');
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery(historyQuery(project, document, by));
  const personName = usePersonName();
  const people = data?.pages[0]?.people ?? [];
  const acts = groupByOperation(data?.pages.flatMap(({ entries }) => entries) ?? []);
  const options = [
    { value: '', label: t('everybody') },
    ...people.map(({ createdBy }) => ({ value: createdBy, label: personName(createdBy) })),
  ];
  return (
    <section className={styles['panel']} aria-label={t('title')}>
      {(people.length > 1 || by !== '') && <SelectInput label={t('person')} value={by} options={options} onChange={setBy} />}
      {error !== null && <ErrorState title={t('notRead')} error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton rows={5} waitingFor={t('waiting')} />}
      {data !== undefined && acts.length === 0 && <p className={styles['none']}>{t('none')}</p>}
      <ol className={styles['acts']}>
        {acts.map((entries) => (
          <HistoryOperation key={entries[0].identifier} {...{ entries, undoRedo, writable, isThere, onShow }} />
        ))}
      </ol>
      {hasNextPage && (
        <Button small disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </section>
  );
}
