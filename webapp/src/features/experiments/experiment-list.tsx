/** The list of experiments: its columns, and what stands where there is none or it could not be read. */
import { type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type Experiment } from '@/api/resources/experiments';
import { DataTable, TwoLineCell, type Column } from '@/ui/data-table';
import type { useEngineForms } from '@/blocks/engines/engine-dialog';
import { FavouriteStar } from '@/ui/favourite-star';
import { useFormat } from '@/ui/format';
import { When } from '@/ui/when';
import { LoadedList } from '@/blocks/loaded-list';
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
      header: t('common:table.favourite'),
      hideHeader: true,
      width: 44,
      leading: true,
      cell: (row) => (
        <FavouriteStar
          on={row.favorite === true}
          disabled={!writable}
          label={t('favourite', { label: row.label })}
          onToggle={() => actions.favourite(row)}
        />
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
      cell: (row) => (row.timestamp > 0 ? <When at={row.timestamp} /> : t('never')),
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
  return (
    <LoadedList
      query={query}
      errorTitle="getExperiments"
      rows={5}
      empty={{ title: t('empty.title'), text: t('empty.text'), actions: create }}
    >
      {(experiments) => (
        <DataTable
          label={t('title')}
          twoLines
          rows={[...experiments].sort((a, b) => Number(b.favorite === true) - Number(a.favorite === true) || b.timestamp - a.timestamp)}
          rowKey={(row) => row.name}
          columns={columns}
          onOpen={onOpen}
          {...(current !== undefined && { current: current.name })}
        />
      )}
    </LoadedList>
  );
}
