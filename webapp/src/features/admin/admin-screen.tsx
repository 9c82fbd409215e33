import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { Page, PageHead } from '@/ui/page';
import { PageTabs } from '@/ui/tabs';
import { useCan } from '@/state/session-store';
import { ForeignModelsTab } from './foreign-models-tab';
import { GroupsTab } from './groups-tab';
import { RolesTab } from './roles-tab';
import { UsersTab } from './users-tab';

const TABS = ['groups', 'users', 'roles', 'models'] as const;
type Tab = (typeof TABS)[number];

const SHOWN = { groups: GroupsTab, users: UsersTab, roles: RolesTab, models: ForeignModelsTab } as const;

const tabFromAddress = (wanted: string | undefined, offered: readonly Tab[]): Tab => offered.find((tab) => tab === wanted) ?? 'users';

/** groups, users and roles within the administrator's permissions; foreign models for platform administrators. */
export function AdminScreen() {
  const { t } = useTranslation('admin');
  const navigate = useNavigate();
  const platform = useCan('platformUserAdministrator');
  const offered = platform ? TABS : TABS.filter((one) => one !== 'models');
  const tab = tabFromAddress(useParams()['selectedTab'], offered);
  const Shown = SHOWN[tab];
  return (
    <Page screen="admin">
      <PageHead title={t('title')} />
      <PageTabs
        label={t('title')}
        value={tab}
        items={offered.map((value) => ({ value, label: t(`tab.${value}`) }))}
        onChange={(next) => void navigate(`/admin/${next}`)}
      >
        <Shown />
      </PageTabs>
    </Page>
  );
}
