import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { Badge } from '@/ui/badge';
import { Page, PageHead } from '@/ui/page';
import { PageTabs } from '@/ui/tabs';
import { useCan, useProjectName, useProjectWritable } from '@/state/session-store';
import { AdvancedTab } from './advanced-tab';
import { SuggestersTab } from './suggesters-tab';

export type SettingsTab = 'suggesters' | 'advanced';

/** the tab of the address when it is allowed, else the first allowed one. */
export function shownTab(wanted: string | undefined, allowed: readonly SettingsTab[]): SettingsTab | undefined {
  return allowed.find((tab) => tab === wanted) ?? allowed[0];
}

export function SettingsScreen() {
  const { t } = useTranslation('settings');
  const navigate = useNavigate();
  const { selectedTab } = useParams();
  const project = useProjectName();
  const writable = useProjectWritable();
  const suggesters = useCan('seeSuggestersSettings');
  const advanced = useCan('seeAdvancedSettings');
  const allowed: SettingsTab[] = [...(suggesters ? (['suggesters'] as const) : []), ...(advanced ? (['advanced'] as const) : [])];
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
        {tab === 'suggesters' ? (
          <SuggestersTab project={project} writable={writable} />
        ) : (
          <AdvancedTab project={project} writable={writable} />
        )}
      </PageTabs>
    </Page>
  );
}
