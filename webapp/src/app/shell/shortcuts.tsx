import i18next from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { lazyPart } from '@/ui/lazy-part';
import { useCommands, useCommandKeys, type Command } from '@/ui/command-registry';
import { openKeyboardHelp, openPalette, usePaletteStore } from '@/ui/palette-store';
import { allowed } from '@/state/permissions';
import { useSearchStore } from '@/state/search-store';
import { useSessionStore } from '@/state/session-store';
import { ROUTES } from '@/app/routes';
import { firstListItem } from './first-list-item';
import { sessionCommands } from './session-commands';
import type { RouteRow } from '@/app/route-types';

const StudioPalette = lazyPart(async () => (await import('./studio-palette')).StudioPalette);
const KeyboardHelp = lazyPart(async () => (await import('@/ui/keyboard-help')).KeyboardHelp);

/** The letter after `G`. */
const GO: Readonly<Record<string, string>> = {
  home: 'H',
  documents: 'D',
  explore: 'E',
  labels: 'L',
  suggestions: 'S',
  experiments: 'X',
  plans: 'P',
  test: 'T',
  dashboard: 'B',
  jobs: 'J',
};

function isReachable(row: RouteRow): boolean {
  const { permissions, projectName } = useSessionStore.getState();
  if (row.anonymous === true || (row.needsProject === true && projectName === null)) return false;
  return row.rule === undefined || allowed(permissions, row.rule);
}

/** Routes without a project have their own page; titles are in the shell catalogue. */
function navigationCommands(go: (path: string) => void): Command[] {
  return ROUTES.filter((row) => isReachable(row) && i18next.exists(`shell:title.${row.id}`)).map((row) => ({
    id: `go.${row.id}`,
    section: 'go',
    title: i18next.t('keys:go', { place: i18next.t(`shell:title.${row.id}`) }),
    ...(GO[row.id] !== undefined && { keys: [`G ${GO[row.id] ?? ''}`] }),
    run: () => go(row.to ?? row.path),
  }));
}

function studioCommands(): Command[] {
  const listed = firstListItem();
  const searches = useSearchStore.getState().slot !== null;
  return [
    {
      id: 'studio.palette',
      section: 'studio',
      title: i18next.t('keys:palette.title'),
      keys: ['Mod+K'],
      everywhere: true,
      run: () => openPalette(i18next.t('keys:palette.title')),
    },
    { id: 'studio.help', section: 'studio', title: i18next.t('keys:help.title'), keys: ['?'], run: openKeyboardHelp },
    {
      id: 'studio.search',
      section: 'studio',
      title: i18next.t('keys:search'),
      keys: ['/'],
      disabled: !searches,
      run: () => document.getElementById('studio-search')?.focus(),
    },
    ...(listed === null
      ? []
      : [{ id: 'studio.list', section: 'screen' as const, title: i18next.t('keys:list'), keys: ['T'], run: () => listed.focus() }]),
    { id: 'studio.close', section: 'studio', title: i18next.t('keys:close'), keys: ['Escape'] },
  ];
}

/** Keys of the whole web app, the palette and the help sheet. */
export function ShortcutsProvider({ children }: { readonly children: ReactNode }) {
  useTranslation('keys');
  const navigate = useNavigate();
  const finds = usePaletteStore((state) => state.palette !== null);
  const helps = usePaletteStore((state) => state.help !== null);
  const close = usePaletteStore((state) => state.close);
  useCommands(() => {
    const go = (path: string) => void navigate(path);
    return [...navigationCommands(go), ...studioCommands(), ...sessionCommands(go)];
  });
  useCommandKeys();
  return (
    <>
      {children}
      {finds && <StudioPalette onClose={close} />}
      {helps && <KeyboardHelp onClose={close} />}
    </>
  );
}
