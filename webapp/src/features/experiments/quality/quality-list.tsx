/** The experiments of a kind: state, the best configuration and its figure. */
import { type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { QualityExperiment, QualityKind } from '@/api/resources/ranking-experiments';
import { LoadedList } from '@/blocks/loaded-list';
import { DataTable, TwoLineCell, type Column } from '@/ui/data-table';
import { FavouriteStar } from '@/ui/favourite-star';
import { useFormat } from '@/ui/format';
import { When } from '@/ui/when';
import { useConfigurationName } from './quality-names';
import { configurationOf, MAIN_FIGURE } from './quality-rules';
import { QualityStateBadge } from './quality-state-badge';
import { type QualityActions } from './use-quality-experiments';
import styles from '@/features/experiments/experiments.module.css';

interface ListProps {
  readonly project: string;
  readonly kind: QualityKind;
  readonly query: { readonly data: QualityExperiment[] | undefined; readonly error: unknown; readonly refetch: () => unknown };
  readonly actions: QualityActions;
  readonly writable: boolean;
  readonly current: QualityExperiment | undefined;
  readonly create: ReactNode;
  readonly onOpen: (experiment: QualityExperiment) => void;
}

function useQualityColumns({ project, kind, actions, writable }: ListProps): Column<QualityExperiment>[] {
  const { t } = useTranslation(['quality', 'experiments']);
  const format = useFormat();
  const nameOf = useConfigurationName(project);
  const figure = MAIN_FIGURE[kind];
  return [
    {
      key: 'favourite',
      header: t('common:table.favourite'),
      hideHeader: true,
      width: 44,
      leading: true,
      cell: (row) => (
        <FavouriteStar
          on={row.favorite}
          disabled={!writable}
          label={t('experiments:favourite', { label: row.label })}
          onToggle={() => actions.favourite(row)}
        />
      ),
    },
    {
      key: 'name',
      header: t('experiments:column.experiment'),
      cell: (row) => {
        const best = configurationOf(row.report, row.report?.best ?? '');
        return (
          <TwoLineCell
            first={row.label}
            second={best === undefined ? '' : t('bestIs', { name: nameOf(best, row.report?.configurations) })}
          />
        );
      },
    },
    { key: 'state', header: t('experiments:column.state'), width: 190, cell: (row) => <QualityStateBadge experiment={row} /> },
    {
      key: 'figure',
      header: t('list.best', { figure: t(`figure.${figure}`) }),
      align: 'right',
      cell: (row) => {
        const value = configurationOf(row.report, row.report?.best ?? '')?.[figure];
        return typeof value === 'number' ? <strong>{format.score(value)}</strong> : '–';
      },
    },
    {
      key: 'configurations',
      header: t('list.configurations'),
      align: 'right',
      priority: 2,
      cell: ({ report }) => (report == null ? '–' : format.number(report.configurations.length)),
    },
    {
      key: 'measured',
      header: t('list.measured'),
      priority: 1,
      cell: (row) => (row.timestamp > 0 ? <When at={row.timestamp} /> : t('experiments:never')),
    },
  ];
}

/** The newest first. */
export function QualityList(props: ListProps) {
  const { t } = useTranslation('quality');
  const { kind, query, current, create, onOpen } = props;
  const columns = useQualityColumns(props);
  return (
    <LoadedList
      query={query}
      errorTitle="getExperiments"
      rows={5}
      empty={{ title: t(`empty.${kind}`), text: t(`empty.${kind}Text`), actions: create }}
    >
      {(rows) => (
        <div className={styles['list']}>
          <DataTable
            label={t(`tab.${kind}`)}
            twoLines
            rows={[...rows].reverse()}
            rowKey={(row) => row.name}
            columns={columns}
            onOpen={onOpen}
            {...(current !== undefined && { current: current.name })}
          />
        </div>
      )}
    </LoadedList>
  );
}
