import { useMutation, useQuery } from '@tanstack/react-query';
import { LogOut, Mail, Monitor, Moon, Palette, Sun, User, Users } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { chooseTheme, themesQuery } from '@/api/resources/build-info-and-themes';
import { Menu, type MenuEntry } from '@/ui/menu';
import { initials } from '@/ui/format';
import { useNarrow } from '@/ui/media-query';
import { allowed } from '@/state/permissions';
import { useCan, useSessionStore } from '@/state/session-store';
import { themeConfigOf, useThemeStore, type ModeChoice } from '@/state/theme-store';
import { changeLanguage, LOCALES } from '@/app/i18n';
import { ROUTES } from '@/app/routes';
import { signOut } from '@/app/session-lifecycle';
import { LANGUAGE_NAMES } from './language-menu';
import styles from './shell.module.css';

const MODES: readonly (readonly [ModeChoice, typeof Sun])[] = [
  ['light', Sun],
  ['dark', Moon],
  ['system', Monitor],
];

/** W-005: an entry with a link also requires the permission of its route. */
const LINKS = [
  { key: 'users', rule: 'userAdministrator', route: 'admin', to: '/admin/users', icon: Users },
  { key: 'themes', rule: 'platformThemeAdmin', route: 'themes', to: '/themes', icon: Palette },
  { key: 'messages', rule: 'platformProjectAdmin', route: 'messages', to: '/messages', icon: Mail },
  { key: 'profile', rule: 'seeUserProfile', route: 'profile', to: '/profile', icon: User },
] as const;

function useThemeEntries(): MenuEntry[] {
  const { t } = useTranslation('shell');
  const { data = [] } = useQuery(themesQuery());
  const { config, setConfig } = useThemeStore();
  const choose = useMutation({ mutationFn: chooseTheme, meta: { errorTitle: 'themeFavorite' } });
  const themes = data as readonly { id: string; label?: string }[];
  if (themes.length < 2) return [];
  const entries: MenuEntry[] = themes.map((theme) => ({
    key: `theme-${theme.id}`,
    label: theme.label ?? theme.id,
    checked: theme.id === config.id,
    onSelect: () => {
      setConfig(themeConfigOf(theme));
      choose.mutate(theme.id);
    },
  }));
  return [{ kind: 'title', key: 'themes-title', label: t('account.theme') }, ...entries];
}

/** Narrow windows have no room for a menu of their own (W-002). */
function useLanguageEntries(): MenuEntry[] {
  const { t, i18n } = useTranslation('shell');
  const shown = [useNarrow(), useCan('seeLanguageBtn')].every(Boolean);
  if (!shown) return [];
  return [
    { kind: 'title', key: 'language', label: t('language') },
    ...LOCALES.map((locale): MenuEntry => ({
      key: locale,
      label: LANGUAGE_NAMES[locale],
      checked: i18n.language === locale,
      onSelect: () => void changeLanguage(locale),
    })),
  ];
}

export function AccountMenu() {
  const { t } = useTranslation('shell');
  const navigate = useNavigate();
  const { principal, permissions } = useSessionStore();
  const { mode, setMode } = useThemeStore();
  const themeEntries = useThemeEntries();
  const languageEntries = useLanguageEntries();
  if (principal === null || !allowed(permissions, 'seeAccountButton')) return null;
  const links: MenuEntry[] = LINKS.filter(({ rule, route }) => {
    const row = ROUTES.find((item) => item.id === route);
    return row !== undefined && allowed(permissions, rule) && (row.rule === undefined || allowed(permissions, row.rule));
  }).map(({ key, to, icon }) => ({ key, label: t(`account.${key}`), to, icon }));
  const entries: MenuEntry[] = [
    { kind: 'title', key: 'who', label: principal.profilename },
    ...links,
    { kind: 'title', key: 'mode', label: t('account.appearance') },
    ...MODES.map(([value, icon]): MenuEntry => ({
      key: value,
      label: t(`account.mode.${value}`),
      icon,
      checked: mode === value,
      onSelect: () => setMode(value),
    })),
    ...themeEntries,
    ...languageEntries,
  ];
  if (allowed(permissions, 'seeLogout')) {
    entries.push(
      { kind: 'divider', key: 'end' },
      { key: 'out', label: t('account.signOut'), icon: LogOut, onSelect: () => void signOut((path) => void navigate(path)) },
    );
  }
  return (
    <Menu
      label={t('account.label')}
      align="right"
      entries={entries}
      trigger={(props) => (
        <button
          type="button"
          className={styles['avatar']}
          aria-label={`${initials(principal.profilename)}, ${t('account.of', { name: principal.profilename })}`}
          {...props}
        >
          {initials(principal.profilename)}
        </button>
      )}
    />
  );
}
