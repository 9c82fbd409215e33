import { useCan, useProjectWritable } from '@/state/session-store';

/** In display order. */
export const SETTINGS_TABS = ['general', 'sharing', 'documents', 'search', 'suggesters', 'plans', 'danger'] as const;
export type SettingsTab = (typeof SETTINGS_TABS)[number];

/** the tab of the address when it is allowed, else the first allowed one. Links to the former single tab show the first one too. */
export function shownTab(wanted: string | undefined, allowed: readonly SettingsTab[]): SettingsTab | undefined {
  return allowed.find((tab) => tab === wanted) ?? allowed[0];
}

/** The tabs that the user may see, in display order. */
export function useAllowedTabs(): readonly SettingsTab[] {
  const project = useCan('seeAdvancedSettings');
  const may: Readonly<Record<SettingsTab, boolean>> = {
    general: project,
    sharing: project,
    documents: project,
    search: project,
    suggesters: useCan('seeSuggestersSettings'),
    plans: useCan('seePlans') && project,
    danger: [useCan('deleteProject'), useProjectWritable(), project].every(Boolean),
  };
  return SETTINGS_TABS.filter((tab) => may[tab]);
}
