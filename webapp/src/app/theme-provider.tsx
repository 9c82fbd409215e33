import { useLayoutEffect, useMemo, useSyncExternalStore, type ReactNode } from 'react';
import { usePrinting } from '@/ui/media-query';
import { useThemeStore } from '@/state/theme-store';
import { ModeContext, RolesContext } from '@/theme/mode';
import { computeColourRoles, cssVariables } from '@/theme/colour-roles';
import { FONT, MONO, type Mode } from '@/theme/tokens';

const DARK_QUERY = '(prefers-color-scheme: dark)';

function useSystemMode(): Mode {
  return useSyncExternalStore(
    (changed) => {
      const media = window.matchMedia(DARK_QUERY);
      media.addEventListener('change', changed);
      return () => media.removeEventListener('change', changed);
    },
    () => (window.matchMedia(DARK_QUERY).matches ? 'dark' : 'light'),
  );
}

/** Light or dark by the user's choice, else by the theme's flag, else by the system; colours by the theme. */
export function StudioTheme({ children }: { readonly children: ReactNode }) {
  const system = useSystemMode();
  const choice = useThemeStore((state) => state.mode);
  const config = useThemeStore((state) => state.config);
  const printing = usePrinting();
  const shown: Mode = choice === 'system' ? (config.darkFirst ? 'dark' : system) : choice;
  // Paper is white.
  const mode: Mode = printing ? 'light' : shown;
  const roles = useMemo(() => computeColourRoles(mode, config[mode]), [mode, config]);

  useLayoutEffect(() => {
    const root = document.documentElement;
    for (const [name, value] of Object.entries(cssVariables(roles))) root.style.setProperty(name, value);
    root.style.setProperty('--font', FONT);
    root.style.setProperty('--mono', MONO);
    root.style.colorScheme = mode;
    root.dataset['mode'] = mode;
  }, [roles, mode]);

  return (
    <ModeContext.Provider value={mode}>
      <RolesContext.Provider value={roles}>{children}</RolesContext.Provider>
    </ModeContext.Provider>
  );
}
