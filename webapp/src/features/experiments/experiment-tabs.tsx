/** Models, clusters and their ranking. */
import { type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type Experiment } from '@/api/resources/experiments';
import type { useEngineForms } from '@/blocks/engines/use-engine-forms';
import { Badge } from '@/ui/badge';
import { useFormat } from '@/ui/format';
import { PageTabs } from '@/ui/tabs';
import { findsTopics, TABS, type ExperimentTab } from './experiment-kinds';
import { ExperimentList, useClusterColumns, useModelColumns } from './experiment-list';
import { ModelRanking, rankedModels } from './model-ranking';
import { SplitBanner } from './split-banner';
import { type ExperimentActions } from './use-experiments';
import styles from './experiments.module.css';

export interface ExperimentTabsProps {
  readonly project: string;
  readonly query: { readonly data: Experiment[] | undefined; readonly error: unknown; readonly refetch: () => unknown };
  readonly titles: ReturnType<typeof useEngineForms>;
  readonly actions: ExperimentActions;
  readonly writable: boolean;
  readonly tab: ExperimentTab;
  readonly current: Experiment | undefined;
  readonly create: ReactNode;
  readonly onTab: (tab: ExperimentTab) => void;
  readonly onSplit: () => void;
  readonly onOpen: (experiment: Experiment) => void;
}

function countsOf(experiments: readonly Experiment[]): Readonly<Record<ExperimentTab, number>> {
  const clusters = experiments.filter(findsTopics).length;
  return { models: experiments.length - clusters, clusters, ranking: rankedModels(experiments).length };
}

export function ExperimentTabs(props: ExperimentTabsProps) {
  const { t } = useTranslation('experiments');
  const format = useFormat();
  const { project, query, titles, actions, writable, tab, current, create, onTab, onSplit, onOpen } = props;
  const columns = { models: useModelColumns(titles, actions, writable), clusters: useClusterColumns(titles, actions, writable) };
  const experiments = query.data ?? [];
  const list = (topics: boolean) => (
    <ExperimentList
      key={String(topics)}
      {...{ query, topics, current, create, onOpen }}
      columns={columns[topics ? 'clusters' : 'models']}
    />
  );
  if (experiments.length === 0) return list(false);
  const counts = countsOf(experiments);
  const items = TABS.map((value) => ({
    value,
    label: (
      <span className={styles['tab']}>
        {t(`tab.${value}`)} <Badge>{format.number(counts[value])}</Badge>
      </span>
    ),
  }));
  return (
    <PageTabs label={t('tabs')} value={tab} items={items} onChange={onTab}>
      {tab === 'models' && <SplitBanner project={project} writable={writable} onSplit={onSplit} />}
      {tab === 'ranking' ? (
        <ModelRanking {...{ project, writable, experiments, titles, current, onSplit, onOpen }} />
      ) : (
        list(tab === 'clusters')
      )}
    </PageTabs>
  );
}
