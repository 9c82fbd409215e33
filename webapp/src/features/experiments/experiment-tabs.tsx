/** Models, clusters and the ranking of models. */
import { type ReactNode } from 'react';
import { type Experiment } from '@/api/resources/experiments';
import type { useEngineForms } from '@/blocks/engines/use-engine-forms';
import type { ExperimentTab, ModelTab } from './experiment-kinds';
import { ExperimentPageTabs } from './experiment-page-tabs';
import { ExperimentList, useClusterColumns, useModelColumns } from './experiment-list';
import { ModelRanking } from './model-ranking';
import { SplitBanner } from './split-banner';
import { type ExperimentActions } from './use-experiments';

export interface ExperimentTabsProps {
  readonly project: string;
  readonly query: { readonly data: Experiment[] | undefined; readonly error: unknown; readonly refetch: () => unknown };
  readonly titles: ReturnType<typeof useEngineForms>;
  readonly actions: ExperimentActions;
  readonly writable: boolean;
  readonly tab: ModelTab;
  readonly current: Experiment | undefined;
  readonly create: ReactNode;
  readonly onTab: (tab: ExperimentTab) => void;
  readonly onSplit: () => void;
  readonly onOpen: (experiment: Experiment) => void;
}

export function ExperimentTabs(props: ExperimentTabsProps) {
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
  return (
    <ExperimentPageTabs {...{ project, tab, onTab }}>
      {experiments.length > 0 && tab === 'models' && <SplitBanner project={project} writable={writable} onSplit={onSplit} />}
      {experiments.length > 0 && tab === 'ranking' ? (
        <ModelRanking {...{ project, writable, experiments, titles, current, onSplit, onOpen }} />
      ) : (
        list(experiments.length > 0 && tab === 'clusters')
      )}
    </ExperimentPageTabs>
  );
}
