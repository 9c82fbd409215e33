import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { projectQuery, type Project } from '@/api/resources/projects';
import { ErrorState } from '@/blocks/error-state';
import { Badge } from '@/ui/badge';
import { Page, PageHead } from '@/ui/page';
import { Skeleton } from '@/ui/placeholder-states';
import { PageTabs } from '@/ui/tabs';
import { useProjectName, useProjectWritable } from '@/state/session-store';
import { AltTextsCard } from './alt-texts-card';
import { AnnotationSettingsCard } from './annotation-settings-card';
import { ContentSettingsCard } from './content-settings-card';
import { DefaultSearchCard } from './default-search-card';
import { DeleteProjectCard } from './delete-project-card';
import { FacetsCard } from './facets-card';
import { GeneralCard } from './general-card';
import { PlansTab } from './plans-tab';
import { SearchIndexCard } from './search-index-card';
import { SegmentationCard } from './segmentation-card';
import { SETTINGS_TABS, shownTab, useAllowedTabs, type SettingsTab } from './settings-tabs';
import { SharesCard } from './shares-card';
import { SharingCard } from './sharing-card';
import { SuggestersTab } from './suggesters-tab';
import { VectorsCard } from './vectors-card';
import styles from './settings.module.css';

interface TabProps {
  readonly info: Project;
  readonly writable: boolean;
}

/** S-041: the cards of a tab. Suggesters have a list of their own. */
const CARDS: Readonly<Record<Exclude<SettingsTab, 'suggesters'>, (props: TabProps) => ReactNode>> = {
  general: (props) => (
    <>
      <GeneralCard key={props.info.name} {...props} />
      <AnnotationSettingsCard {...props} />
    </>
  ),
  sharing: (props) => (
    <>
      <SharesCard {...props} />
      <SharingCard {...props} />
    </>
  ),
  documents: (props) => (
    <>
      <ContentSettingsCard {...props} />
      <SegmentationCard {...props} />
      {props.writable && <AltTextsCard info={props.info} />}
    </>
  ),
  search: (props) => (
    <>
      <VectorsCard project={props.info.name} writable={props.writable} />
      <DefaultSearchCard {...props} />
      <FacetsCard {...props} />
      {props.writable && <SearchIndexCard project={props.info.name} />}
    </>
  ),
  plans: (props) => <PlansTab project={props.info.name} />,
  danger: (props) => <DeleteProjectCard info={props.info} />,
};

/** Keeps what is typed in a tab while another one is shown. */
function PreservedTab({ shown, children }: { readonly shown: boolean; readonly children: ReactNode }) {
  const [visited, setVisited] = useState(shown);
  if (shown && !visited) setVisited(true);
  return visited ? (
    <div className={styles['cards']} hidden={!shown}>
      {children}
    </div>
  ) : null;
}

/** The tabs that are about the project as a whole; they need its settings. */
function ProjectTabs({ tab, project, writable }: { readonly tab: SettingsTab; readonly project: string; readonly writable: boolean }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(projectQuery(project));
  if (data === undefined && tab !== 'suggesters')
    return error === null ? (
      <Skeleton rows={4} rowHeight={54} />
    ) : (
      <ErrorState title={t('errors:error.getProjectConfig')} error={error} onRetry={() => void refetch()} />
    );
  return SETTINGS_TABS.filter((one) => one !== 'suggesters').map((one) => (
    <PreservedTab key={one} shown={one === tab}>
      {data !== undefined && CARDS[one]({ info: data, writable })}
    </PreservedTab>
  ));
}

/** */
export function SettingsScreen() {
  const { t } = useTranslation('settings');
  const navigate = useNavigate();
  const { selectedTab } = useParams();
  const project = useProjectName();
  const writable = useProjectWritable();
  const allowed = useAllowedTabs();
  const tab = shownTab(selectedTab, allowed);
  if (tab === undefined) return null;
  return (
    <Page screen="settings">
      <PageHead title={t('title')} aside={!writable && <Badge tone="info">{t('readOnly')}</Badge>} />
      <PageTabs
        label={t('title')}
        value={tab}
        items={allowed.map((value) => ({ value, label: t(`tab.${value}`) }))}
        onChange={(next) => void navigate(`/settings/${next}`)}
      >
        {tab === 'suggesters' && <SuggestersTab project={project} writable={writable} />}
        <ProjectTabs key={project} {...{ tab, project, writable }} />
      </PageTabs>
    </Page>
  );
}
