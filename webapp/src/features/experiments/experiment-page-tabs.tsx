/** The tabs of the screen: models, and what is measured on saved questions, as far as the project has them. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { experimentsQuery } from '@/api/resources/experiments';
import { projectQuery } from '@/api/resources/projects';
import { qualityEstimateQuery, qualityExperimentsQuery } from '@/api/resources/ranking-experiments';
import { Badge } from '@/ui/badge';
import { useFormat } from '@/ui/format';
import { PageTabs } from '@/ui/tabs';
import { findsTopics, MODEL_TABS, QUALITY_TABS, QUESTIONS_NATURE, type ExperimentTab } from './experiment-kinds';
import { rankedModels } from './model-ranking';
import { RANKING_DEFAULTS } from './quality/quality-rules';
import styles from './experiments.module.css';

const silent = { meta: { silent: true } } as const;

/** Whether searches can be measured here: the project is made for questions, or has judged ones. */
function useMeasuresQuestions(project: string, nature: string | undefined, measured: number): boolean {
  const likely = nature === QUESTIONS_NATURE || measured > 0;
  const { data } = useQuery({
    ...qualityEstimateQuery(project, 'ranking', { ranking: RANKING_DEFAULTS }),
    enabled: !likely && nature !== undefined,
  });
  return likely || (data?.questions ?? 0) > 0;
}

function useShownTabs(project: string) {
  const { data: info } = useQuery({ ...projectQuery(project), ...silent });
  const { data: experiments = [] } = useQuery({ ...experimentsQuery(project), ...silent });
  const { data: measured = [] } = useQuery({ ...qualityExperimentsQuery(project), ...silent });
  const clusters = experiments.filter(findsTopics).length;
  const ofKind = (kind: string) => measured.filter((one) => one.kind === kind).length;
  const counts: Readonly<Record<ExperimentTab, number>> = {
    models: experiments.length - clusters,
    clusters,
    ranking: rankedModels(experiments).length,
    search: ofKind('ranking'),
    answers: ofKind('answers'),
  };
  const questions = useMeasuresQuestions(project, info?.nature, measured.length);
  const models = experiments.length > 0 ? MODEL_TABS : questions ? (['models'] as const) : [];
  const quality = questions ? QUALITY_TABS : [];
  const tabs: readonly ExperimentTab[] = info?.nature === QUESTIONS_NATURE ? [...quality, ...models] : [...models, ...quality];
  return { tabs, counts };
}

interface PageTabsProps {
  readonly project: string;
  readonly tab: ExperimentTab;
  readonly onTab: (tab: ExperimentTab) => void;
  readonly children: ReactNode;
}

/** Without any experiment there are no tabs, except in a project with questions. */
export function ExperimentPageTabs({ project, tab, onTab, children }: PageTabsProps) {
  const { t } = useTranslation('experiments');
  const format = useFormat();
  const { tabs, counts } = useShownTabs(project);
  if (!tabs.includes(tab)) return children;
  const items = tabs.map((value) => ({
    value,
    label: (
      <span className={styles['tab']}>
        {t(`tab.${value}`)} <Badge>{format.number(counts[value])}</Badge>
      </span>
    ),
  }));
  return (
    <PageTabs label={t('tabs')} value={tab} items={items} onChange={onTab}>
      {children}
    </PageTabs>
  );
}
