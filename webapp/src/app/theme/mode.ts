/** Which mode is shown now: for code that paints by data (label colours, charts). */
import { createContext, useContext, type CSSProperties } from 'react';
import { labelVariables } from './label-colours';
import type { Mode } from './tokens';

export const ModeContext = createContext<Mode>('light');

export function useMode(): Mode {
  return useContext(ModeContext);
}

/** Style object with the five `--label-*` properties of a stored label colour, in the mode shown. */
export function useLabelStyle(stored: string | undefined): CSSProperties {
  return labelVariables(stored, useMode());
}
