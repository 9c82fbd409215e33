import { create } from 'zustand';

interface ImportState {
  readonly open: boolean;
  setOpen(open: boolean): void;
}

/** D-004: any screen may open the import dialog (`useImportStore.getState().setOpen(true)`); the shell shows it. */
export const useImportStore = create<ImportState>((set) => ({ open: false, setOpen: (open) => set({ open }) }));
