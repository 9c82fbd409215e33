import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { Page, PageHead } from '@/components/page';
import { TabPanel, Tabs } from '@/components/tabs';
import styles from './admin.module.css';
import { GroupsTab } from './groups-tab';
import { RolesTab } from './roles-tab';
import { UsersTab } from './users-tab';

const TABS = ['groups', 'users', 'roles'] as const;
type Tab = (typeof TABS)[number];

const SHOWN = { groups: GroupsTab, users: UsersTab, roles: RolesTab } as const;

const tabOf = (wanted: string | undefined): Tab => TABS.find((tab) => tab === wanted) ?? 'users';

/** groups, users and roles of the platform, as far as the administrator's rights reach. */
export function AdminScreen() {
  const { t } = useTranslation('admin');
  const navigate = useNavigate();
  const tab = tabOf(useParams()['selectedTab']);
  const Shown = SHOWN[tab];
  return (
    <Page screen="admin">
      <PageHead title={t('title')} />
      <div className={styles['tabs']}>
        <Tabs
          label={t('title')}
          value={tab}
          items={TABS.map((value) => ({ value, label: t(`tab.${value}`) }))}
          onChange={(next) => void navigate(`/admin/${next}`)}
        />
      </div>
      <TabPanel value={tab}>
        <Shown />
      </TabPanel>
    </Page>
  );
}
