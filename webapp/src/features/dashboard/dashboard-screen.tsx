import { useTranslation } from 'react-i18next';
import { Navigate, useParams } from 'react-router';
import { OwnAnnotationsNote } from '@/blocks/labelling/own-annotations-note';
import { ProjectLabelsProvider, useProjectLabels } from '@/blocks/labelling/project-labels';
import { Badge } from '@/ui/badge';
import { Page, PageHead } from '@/ui/page';
import { PageTabs } from '@/ui/tabs';
import { allowed } from '@/state/permissions';
import { useProjectName, useProjectWritable, useSessionStore } from '@/state/session-store';
import { pathOfNamedTab, shownTab, TABS, useDashboardAddress, type DashboardTab } from './dashboard-address';
import { CorpusTab } from './corpus-tab';
import { DatasetTab } from './dataset-tab';
import { ModelTab } from './model-tab';
import { ProjectTab } from './project-tab';
import styles from './dashboard.module.css';

const CONTENT = { project: ProjectTab, corpus: CorpusTab, dataset: DatasetTab, model: ModelTab } as const;

function Dashboard() {
  const { t } = useTranslation('dashboard');
  const [state, change] = useDashboardAddress();
  const { project } = useProjectLabels();
  const name = useProjectName();
  const writable = useProjectWritable();
  const permissions = useSessionStore((session) => session.permissions);
  const may = (Object.keys(TABS) as DashboardTab[]).filter((tab) => allowed(permissions, TABS[tab]));
  const tab = shownTab(state.tab, may);
  if (tab === undefined) return null;
  const Content = CONTENT[tab];
  return (
    <Page screen="dashboard">
      <PageHead
        title={t('title')}
        aside={
          <>
            <small className={styles['project']}>{project?.label ?? name}</small>
            {!writable && <Badge tone="info">{t('readOnly')}</Badge>}
          </>
        }
      />
      <OwnAnnotationsNote project={project} />
      <PageTabs
        label={t('title')}
        value={tab}
        items={may.map((value) => ({ value, label: t(`tab.${value}`) }))}
        onChange={(next) => change({ tab: next }, { push: true })}
      >
        <Content project={name} state={state} change={change} writable={writable} />
      </PageTabs>
    </Page>
  );
}

/** statistics of the project, its corpus, its dataset and its models. */
export function DashboardScreen() {
  const project = useProjectName();
  const named = pathOfNamedTab(useParams()['searchParams']);
  if (named !== null) return <Navigate to={named} replace />;
  return (
    <ProjectLabelsProvider project={project}>
      <Dashboard />
    </ProjectLabelsProvider>
  );
}
