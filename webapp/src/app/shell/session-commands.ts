/** Acts of the menus of the shell, so that the palette finds them too. */
import i18next from 'i18next';
import { changeLanguage, LOCALES } from '@/app/i18n';
import { signOut } from '@/app/session-lifecycle';
import { useImportStore } from '@/state/import-dialog-store';
import { allowed, projectWritable } from '@/state/permissions';
import { useSessionStore } from '@/state/session-store';
import { useThemeStore, type ModeChoice } from '@/state/theme-store';
import type { Command } from '@/ui/command-registry';
import { LANGUAGE_NAMES } from './language-menu';

const MODES: readonly ModeChoice[] = ['light', 'dark', 'system'];

const inProjectToWrite = (): boolean => {
  const { projectName, projectReadOnly, permissions } = useSessionStore.getState();
  return projectName !== null && (projectReadOnly === false || projectWritable(permissions, projectName));
};

/** Appearance, language, import and signing out. */
export function sessionCommands(go: (path: string) => void): Command[] {
  const { permissions } = useSessionStore.getState();
  const { mode, setMode } = useThemeStore.getState();
  const may = (rule: string) => allowed(permissions, rule);
  const act = (id: string, title: string, run: () => void, checked = false): Command => ({ id, section: 'studio', title, run, checked });
  const t = (key: string) => i18next.t(`shell:${key}`);
  const choice = (what: string, which: string) => i18next.t('keys:choice', { what, which });
  return [
    ...(may('importDocuments') && inProjectToWrite()
      ? [act('studio.import', t('project.import'), () => useImportStore.getState().setOpen(true))]
      : []),
    ...MODES.map((one) =>
      act(`studio.mode.${one}`, choice(t('account.appearance'), t(`account.mode.${one}`)), () => setMode(one), mode === one),
    ),
    ...(may('seeLanguageBtn')
      ? LOCALES.map((locale) =>
          act(
            `studio.language.${locale}`,
            choice(t('language'), LANGUAGE_NAMES[locale]),
            () => void changeLanguage(locale),
            i18next.language === locale,
          ),
        )
      : []),
    ...(may('seeLogout') ? [act('studio.signOut', t('account.signOut'), () => void signOut(go))] : []),
  ];
}
