/** Content of the palette and the help sheet: read once, when they open, while the previous element still has the focus. */
import { create } from 'zustand';
import { currentCommands, type Command } from './command-registry';

export interface PaletteChoices {
  /** Accessible name and placeholder. */
  readonly title: string;
  readonly commands: readonly Command[];
  /** Also what the studio holds: projects, documents, labels, people. */
  readonly everything?: boolean;
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

/** Opens the palette with all commands of the screen (string: its title), or with the given choices, such as labels. */
export function openPalette(choices: PaletteChoices | string): void {
  const palette = typeof choices === 'string' ? { title: choices, commands: currentCommands(), everything: true } : choices;
  usePaletteStore.setState({ palette, help: null });
}

export function openKeyboardHelp(): void {
  usePaletteStore.setState({ palette: null, help: currentCommands() });
}
