/** The list of experiments: columns, empty state and error state. */
import { Star } from 'lucide-react';
import { type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type Experiment } from '@/api/resources/experiments';
import { DataTable, TwoLineCell, type Column } from '@/ui/data-table';
import type { useEngineForms } from '@/blocks/engines/engine-dialog';
import { useFormat } from '@/ui/format';
import { IconButton } from '@/ui/icon-button';
import { EmptyState, Skeleton } from '@/ui/placeholder-states';
import { ErrorState } from '@/blocks/error-state';
import { changeSinceLastTraining, ScoreDelta, trainingF1, Sparkline } from './report-parts';
import { ExperimentStateBadge } from './experiment-state-badge';
import { reportedTopics } from './topics-report';
import { type ExperimentActions } from './use-experiments';
import styles from './experiments.module.css';

/** Favourite star, name, and figures of the last training compared to the previous one. */
export function useExperimentColumns(
  titles: ReturnType<typeof useEngineForms>,
  actions: ExperimentActions,
  writable: boolean,
): Column<Experiment>[] {
  const { t } = useTranslation('experiments');
  const format = useFormat();
  return [
    {
      key: 'favourite',
      header: '',
      width: 44,
      cell: (row) => (
        <span onClick={(event) => event.stopPropagation()} className={styles['star']} data-on={row.favorite || undefined}>
          <IconButton
            small
            icon={Star}
            disabled={!writable}
            aria-pressed={row.favorite === true}
            label={t('favourite', { label: row.label })}
            onClick={() => actions.favourite(row)}
          />
        </span>
      ),
    },
    {
      key: 'name',
      header: t('column.experiment'),
      cell: (row) => <TwoLineCell first={row.label} second={titles.get(row.engine)?.title ?? row.engine} />,
    },
    { key: 'state', header: t('column.state'), cell: (row) => <ExperimentStateBadge experiment={row} /> },
    {
      key: 'last',
      header: t('column.last'),
      cell: (row) => reportedTopics(row) === undefined && <Sparkline history={row.history ?? []} />,
      priority: 2,
    },
    {
      key: 'f1',
      header: t('metric.f1'),
      align: 'right',
      cell: (row) =>
        row.models === 0 || row.report === undefined || reportedTopics(row) !== undefined ? (
          '–'
        ) : (
          <span className={styles['f1']}>
            <strong>{format.score(row.report.microAvg?.f1 ?? (row.quality ?? 0) / 100)}</strong>{' '}
            <ScoreDelta value={changeSinceLastTraining(row.history ?? [], trainingF1)} />
          </span>
        ),
    },
    { key: 'models', header: t('column.models'), align: 'right', cell: (row) => format.number(row.models), priority: 2 },
    {
      key: 'trained',
      header: t('column.trained'),
      cell: (row) => (row.timestamp > 0 ? format.when(row.timestamp) : t('never')),
      priority: 1,
    },
  ];
}

interface ListProps {
  readonly query: { readonly data: Experiment[] | undefined; readonly error: unknown; readonly refetch: () => unknown };
  readonly columns: Column<Experiment>[];
  readonly current: Experiment | undefined;
  readonly create: ReactNode;
  readonly onOpen: (experiment: Experiment) => void;
}

/** Favourites first, then by date of the last training. */
export function ExperimentList({ query, columns, current, create, onOpen }: ListProps) {
  const { t } = useTranslation('experiments');
  const { data, error, refetch } = query;
  if (error !== null && data === undefined)
    return <ErrorState title={t('errors:error.getExperiments')} error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton rows={5} rowHeight={54} />;
  if (data.length === 0)
    return (
      <EmptyState title={t('empty.title')} actions={create}>
        {t('empty.text')}
      </EmptyState>
    );
  return (
    <DataTable
      label={t('title')}
      twoLines
      rows={[...data].sort((a, b) => Number(b.favorite === true) - Number(a.favorite === true) || b.timestamp - a.timestamp)}
      rowKey={(row) => row.name}
      columns={columns}
      onOpen={onOpen}
      {...(current !== undefined && { current: current.name })}
    />
  );
}
