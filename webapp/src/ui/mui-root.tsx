import { ThemeProvider, type Theme } from '@mui/material/styles';
import type { ReactNode } from 'react';
import type { ColourRoles } from '@/theme/colour-roles';
import { useColourRoles, useMode } from '@/theme/mode';
import { muiTheme } from '@/theme/mui-theme';
import type { Mode } from '@/theme/tokens';

const themes = new WeakMap<ColourRoles, Map<Mode, Theme>>();

/** Making one takes milliseconds: one for all components of a mode. */
function themeOf(mode: Mode, roles: ColourRoles): Theme {
  const known = themes.get(roles) ?? new Map<Mode, Theme>();
  themes.set(roles, known);
  const theme = known.get(mode) ?? muiTheme(mode, roles);
  known.set(mode, theme);
  return theme;
}

/**
 * Around each component of `ui/` and `forms/` that is drawn by MUI. Pages that show none of them, such as sign-in, load nothing of it
 * (decision 0123).
 */
export function MuiRoot({ children }: { readonly children: ReactNode }) {
  return <ThemeProvider theme={themeOf(useMode(), useColourRoles())}>{children}</ThemeProvider>;
}
