/** What the palette and the help sheet show: taken once, when they open, while the thing that had the focus still has it. */
import { create } from 'zustand';
import { currentCommands, type Command } from './command-registry';

export interface PaletteChoices {
  /** Accessible name and placeholder. */
  readonly title: string;
  readonly commands: readonly Command[];
}

interface PaletteState {
  readonly palette: PaletteChoices | null;
  readonly help: readonly Command[] | null;
  close(): void;
}

export const usePaletteStore = create<PaletteState>((set) => ({
  palette: null,
  help: null,
  close: () => set({ palette: null, help: null }),
}));

/** All acts of the screen, or the choices given: labels, say. */
export function openPalette(choices: PaletteChoices | string): void {
  const palette = typeof choices === 'string' ? { title: choices, commands: currentCommands() } : choices;
  usePaletteStore.setState({ palette, help: null });
}

export function openKeyboardHelp(): void {
  usePaletteStore.setState({ palette: null, help: currentCommands() });
}
