/** The lists of experiments: their columns, and what stands where there is none or they could not be read. */
import { type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type Experiment } from '@/api/resources/experiments';
import { DataTable, TwoLineCell, type Column } from '@/ui/data-table';
import type { useEngineForms } from '@/blocks/engines/use-engine-forms';
import { FavouriteStar } from '@/ui/favourite-star';
import { useFormat } from '@/ui/format';
import { EmptyState } from '@/ui/placeholder-states';
import { When } from '@/ui/when';
import { LoadedList } from '@/blocks/loaded-list';
import { findsTopics, testedF1 } from './experiment-kinds';
import { useStableOrder, type ExperimentComparison } from './experiment-order';
import { Sparkline } from './report-parts';
import { ExperimentDelta, trainingDistinctness, trainingF1 } from './score-delta';
import { ExperimentStateBadge } from './experiment-state-badge';
import { type ExperimentActions } from './use-experiments';
import styles from './experiments.module.css';

type Titles = ReturnType<typeof useEngineForms>;

/** Favourite star, name with engine, state. */
function useFirstColumns(titles: Titles, actions: ExperimentActions, writable: boolean): Column<Experiment>[] {
  const { t } = useTranslation('experiments');
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
      sortable: true,
      cell: (row) => <TwoLineCell first={row.label} second={titles.get(row.engine)?.title ?? row.engine} />,
    },
    { key: 'state', header: t('column.state'), width: 190, cell: (row) => <ExperimentStateBadge experiment={row} /> },
  ];
}

function useTrainedColumn(): Column<Experiment> {
  const { t } = useTranslation('experiments');
  return {
    key: 'trained',
    header: t('column.trained'),
    sortable: true,
    cell: (row) => (row.timestamp > 0 ? <When at={row.timestamp} /> : t('never')),
    priority: 1,
  };
}

/** Figures of the last training compared to the one before. */
export function useModelColumns(titles: Titles, actions: ExperimentActions, writable: boolean): Column<Experiment>[] {
  const { t } = useTranslation('experiments');
  const format = useFormat();
  const first = useFirstColumns(titles, actions, writable);
  const trained = useTrainedColumn();
  return [
    ...first,
    { key: 'last', header: t('column.last'), cell: (row) => <Sparkline history={row.history ?? []} />, priority: 2 },
    {
      key: 'f1',
      header: t('metric.f1'),
      align: 'right',
      sortable: true,
      cell: (row) => {
        const f1 = testedF1(row);
        return f1 === undefined ? (
          '–'
        ) : (
          <span className={styles['f1']}>
            <strong>{format.score(f1)}</strong> <ExperimentDelta experiment={row} read={trainingF1} />
          </span>
        );
      },
    },
    { key: 'models', header: t('column.models'), align: 'right', cell: (row) => format.number(row.models), priority: 1 },
    trained,
  ];
}

/** Of runs that found topics. */
export function useClusterColumns(titles: Titles, actions: ExperimentActions, writable: boolean): Column<Experiment>[] {
  const { t } = useTranslation(['experiments', 'clustering']);
  const format = useFormat();
  const first = useFirstColumns(titles, actions, writable);
  const trained = useTrainedColumn();
  return [
    ...first,
    {
      key: 'topics',
      header: t('clustering:report.topics'),
      align: 'right',
      cell: ({ report }) => (report?.topics === undefined ? '–' : format.number(report.topics.length)),
    },
    {
      key: 'texts',
      header: t('clustering:report.size'),
      align: 'right',
      priority: 2,
      cell: ({ report }) => (report?.pieces === undefined ? '–' : format.number(report.pieces)),
    },
    {
      key: 'distinctness',
      header: t('clustering:report.distinctness'),
      align: 'right',
      cell: (row) =>
        row.report?.distinctness === undefined ? (
          '–'
        ) : (
          <span className={styles['f1']} title={t('clustering:report.distinctnessHelp')}>
            <strong>{format.score(row.report.distinctness)}</strong> <ExperimentDelta experiment={row} read={trainingDistinctness} />
          </span>
        ),
    },
    trained,
  ];
}

/** How the user may sort; not trained ones are the least. */
export function compareBy(key: string): ExperimentComparison {
  if (key === 'f1') return (a, b) => (testedF1(a) ?? -1) - (testedF1(b) ?? -1);
  if (key === 'trained') return (a, b) => a.timestamp - b.timestamp;
  return (a, b) => a.label.localeCompare(b.label);
}

interface ListProps {
  readonly query: { readonly data: Experiment[] | undefined; readonly error: unknown; readonly refetch: () => unknown };
  /** The one that finds topics, or the others. */
  readonly topics: boolean;
  readonly columns: Column<Experiment>[];
  readonly current: Experiment | undefined;
  readonly create: ReactNode;
  readonly onOpen: (experiment: Experiment) => void;
}

/** Rows keep their places while a training runs and ends. */
export function ExperimentList({ query, topics, columns, current, create, onOpen }: ListProps) {
  const { t } = useTranslation('experiments');
  const shown = (query.data ?? []).filter((row) => findsTopics(row) === topics);
  const { rows, sort, onSort } = useStableOrder(shown, compareBy);
  return (
    <LoadedList
      query={query}
      errorTitle="getExperiments"
      rows={5}
      empty={{ title: t('empty.title'), text: t('empty.text'), actions: create }}
    >
      {() =>
        rows.length === 0 ? (
          <EmptyState title={t(topics ? 'empty.clusters' : 'empty.models')} actions={!topics && create}>
            {t(topics ? 'empty.clustersText' : 'empty.modelsText')}
          </EmptyState>
        ) : (
          <div className={styles['list']}>
            <DataTable
              label={t(topics ? 'tab.clusters' : 'title')}
              twoLines
              rows={rows}
              rowKey={(row) => row.name}
              columns={columns}
              onOpen={onOpen}
              onSort={onSort}
              {...(sort !== undefined && { sort })}
              {...(current !== undefined && { current: current.name })}
            />
          </div>
        )
      }
    </LoadedList>
  );
}
