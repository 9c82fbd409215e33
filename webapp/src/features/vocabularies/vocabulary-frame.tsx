/** What the tabs of the vocabularies have in common: title, tabs, drawers. */
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { Page, PageHead, type PageProps } from '@/ui/page';
import { PageTabs } from '@/ui/tabs';

export const TABS = ['lexicons', 'annotators', 'terms', 'settings'] as const;
export type VocabularyTab = (typeof TABS)[number];

/** The tab that an address names; the first one for an unknown name. */
export const tabOf = (named: string | undefined): VocabularyTab => TABS.find((tab) => tab === named) ?? 'lexicons';

interface VocabularyFrameProps {
  readonly tab: VocabularyTab;
  readonly actions?: ReactNode;
  /** Drawers of the tab. */
  readonly page?: Omit<PageProps, 'screen' | 'children'>;
  readonly children: ReactNode;
}

export function VocabularyFrame({ tab, actions, page, children }: VocabularyFrameProps) {
  const { t } = useTranslation('vocabularies');
  const navigate = useNavigate();
  return (
    <Page screen={tab === 'terms' ? 'terms' : 'gazetteers'} {...page}>
      <PageHead title={t('title')} actions={actions} />
      <PageTabs
        label={t('tabs')}
        value={tab}
        items={TABS.map((value) => ({ value, label: t(`tab.${value}`) }))}
        onChange={(next) => void navigate(`/gazetteers/${next}`)}
      >
        {children}
      </PageTabs>
    </Page>
  );
}
