/** W-011: the left drawer of the screens for questions, with the tabs filters and questions. */
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useProjectLabels } from '@/blocks/labelling/project-labels';
import { useLayoutStore } from '@/state/layout-store';
import { useProjectName } from '@/state/session-store';
import { Badge } from '@/ui/badge';
import { useFormat } from '@/ui/format';
import type { PageProps } from '@/ui/page';
import { TabPanel, Tabs } from '@/ui/tabs';
import styles from './questions.module.css';
import { QuestionsPanel, type QuestionsPanelProps } from './questions-panel';
import { useSavedQuestions } from './use-saved-questions';

type Tab = 'filters' | 'questions';

interface DrawerProps extends QuestionsPanelProps {
  /** As that of `Page`. */
  readonly screen: string;
  /** The tab with the filters. */
  readonly filters: ReactNode;
  readonly activeFilters: number;
}

/** Whether the project has saved questions: its nature is question answering. */
export const useHasQuestions = (): boolean => useProjectLabels().project?.nature === 'question_answering';

const isTab = (text: string | null): text is Tab => text === 'filters' || text === 'questions';

/** The tab that the address names (`?tab=questions`), which opens the drawer, or that the user chose since. */
function useTabOfAddress(screen: string): readonly [Tab | undefined, (tab: Tab) => void] {
  const [params] = useSearchParams();
  const named = params.get('tab');
  const [chosen, setChosen] = useState(isTab(named) ? named : undefined);
  const setDrawer = useLayoutStore((state) => state.setDrawer);
  useEffect(() => {
    if (isTab(named)) setDrawer(screen, 'filters', true);
  }, [named, screen, setDrawer]);
  return [chosen, setChosen];
}

/** Without saved questions first the filters, with some the questions, until the address or the user chooses a tab. */
export function useQuestionsDrawer({ screen, filters, activeFilters, ...panel }: DrawerProps): Partial<PageProps> {
  const { t } = useTranslation(['questions', 'common']);
  const format = useFormat();
  const hasQuestions = useHasQuestions();
  const project = useProjectName();
  const { total } = useSavedQuestions(hasQuestions ? project : '', '');
  const [chosen, setChosen] = useTabOfAddress(screen);
  if (!hasQuestions) return { filters, activeFilters };
  const tab = chosen ?? ((total ?? 0) > 0 ? 'questions' : 'filters');
  return {
    activeFilters,
    filtersTitle: t('drawer.title'),
    filtersWide: true,
    filtersTabs: (
      <Tabs<Tab>
        label={t('drawer.title')}
        value={tab}
        onChange={setChosen}
        items={[
          {
            value: 'filters',
            label: (
              <span className={styles['tab']}>
                {t('common:filters.title')} {activeFilters > 0 && <Badge>{format.number(activeFilters)}</Badge>}
              </span>
            ),
          },
          {
            value: 'questions',
            label: (
              <span className={styles['tab']}>
                {t('drawer.questions')} {(total ?? 0) > 0 && <Badge>{format.number(total ?? 0)}</Badge>}
              </span>
            ),
          },
        ]}
      />
    ),
    filters: (
      <div className={styles['fill']}>
        <TabPanel value={tab}>{tab === 'questions' ? <QuestionsPanel {...panel} /> : filters}</TabPanel>
      </div>
    ),
  };
}
