import { CircleQuestionMark, Command, Keyboard } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useQuery } from '@tanstack/react-query';
import { buildInfoQuery } from '@/api/resources/build-info-and-themes';
import { IconButton } from '@/ui/icon-button';
import { KeyCaps } from '@/ui/key-caps';
import { Menu } from '@/ui/menu';
import { openKeyboardHelp, openPalette } from '@/ui/palette-store';
import { useCan, useSessionStore } from '@/state/session-store';

/** W-006: hidden without `seeHelp` and on an air-gapped platform. */
export function HelpMenu() {
  const { t } = useTranslation(['shell', 'keys']);
  const { data: build } = useQuery(buildInfoQuery());
  const visible = useCan('seeHelp');
  const airGapped = useSessionStore((state) => state.config.airGapped === true);
  if (!visible || airGapped) return null;
  return (
    <Menu
      label={t('help.label')}
      align="right"
      entries={[
        { key: 'keys', label: t('help.shortcuts'), icon: Keyboard, onSelect: openKeyboardHelp, aside: '?' },
        {
          key: 'palette',
          label: t('keys:palette.title'),
          icon: Command,
          onSelect: () => openPalette(t('keys:palette.title')),
          aside: <KeyCaps keys="Mod+K" />,
        },
        { kind: 'divider', key: 'line' },
        { key: 'build', label: t('footer.build', { build: build?.buildId ?? build?.version ?? '' }), disabled: true },
      ]}
      trigger={(props) => <IconButton label={t('help.label')} icon={CircleQuestionMark} {...props} />}
    />
  );
}
