/** The present mode, for code that computes colours (label colours, charts). */
import { createContext, useContext, type CSSProperties } from 'react';
import { labelVariables } from './label-colours';
import { computeColourRoles, type ColourRoles } from './colour-roles';
import { DEFAULT_PRIMARY, DEFAULT_SECONDARY, type Mode } from './tokens';

export const ModeContext = createContext<Mode>('light');

export const RolesContext = createContext<ColourRoles | null>(null);

export function useMode(): Mode {
  return useContext(ModeContext);
}

/** Style object with the five `--label-*` properties of a stored label colour, in the present mode. */
export function useLabelStyle(stored: string | undefined): CSSProperties {
  return labelVariables(stored, useMode());
}

/** The computed colours, for canvas charts and the annotation surface; style sheets use the CSS variables. */
export function useColourRoles(): ColourRoles {
  const mode = useMode();
  return useContext(RolesContext) ?? computeColourRoles(mode, { primary: DEFAULT_PRIMARY, secondary: DEFAULT_SECONDARY });
}
