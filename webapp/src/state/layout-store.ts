import { create } from 'zustand';
import { readStored, writeStored } from './storage';

/** C-068: panels that are open by default. */
const DEFAULT_OPEN = ['inDataset', 'label', 'classificationLabel'];
const DEFAULT_OPEN_BY_SCREEN: Readonly<Record<string, readonly string[]>> = {
  explore: [...DEFAULT_OPEN, 'activity'],
  terms: [...DEFAULT_OPEN, 'lexicon'],
  suggestions: ['label', 'confidence', 'suggester'],
  home: ['nature', 'language', 'group', 'documents'],
};

export function defaultOpenPanels(screen: string): readonly string[] {
  return DEFAULT_OPEN_BY_SCREEN[screen] ?? DEFAULT_OPEN;
}

export type DrawerSide = 'filters' | 'labels';
export type RailChoice = 'auto' | 'expanded' | 'compact';

interface StoredLayout {
  readonly rail: RailChoice;
  /** `screen/side` -> open. */
  readonly drawers: Readonly<Record<string, boolean>>;
  /** screen -> names of open facet panels (W-014). */
  readonly panels: Readonly<Record<string, readonly string[]>>;
  /** Stored choices of screens (table or cards, ...). */
  readonly choices: Readonly<Record<string, string>>;
}

interface LayoutState extends StoredLayout {
  /** Choices that last until a reload. */
  readonly transient: Readonly<Record<string, string>>;
  setTransient(name: string, value: string): void;
  /** The screen a project was opened on: the navigation is open there (N-010), until the user folds it. */
  readonly landing: string | null;
  setLanding(path: string | null): void;
  setRail(rail: RailChoice): void;
  setDrawer(screen: string, side: DrawerSide, open: boolean): void;
  togglePanel(screen: string, panel: string): void;
  setChoice(name: string, value: string): void;
}

const EMPTY: StoredLayout = { rail: 'auto', drawers: {}, panels: {}, choices: {} };

export const useLayoutStore = create<LayoutState>((set, get) => {
  const keep = (change: Partial<StoredLayout>) => {
    set(change);
    const { rail, drawers, panels, choices } = get();
    writeStored('layout', { rail, drawers, panels, choices });
  };
  return {
    ...EMPTY,
    ...readStored<Partial<StoredLayout>>('layout'),
    landing: null,
    transient: {},
    setTransient: (name, value) => set({ transient: { ...get().transient, [name]: value } }),
    setLanding: (landing) => set({ landing }),
    setRail: (rail) => {
      set({ landing: null });
      keep({ rail });
    },
    setDrawer: (screen, side, open) => keep({ drawers: { ...get().drawers, [`${screen}/${side}`]: open } }),
    togglePanel: (screen, panel) => {
      const open = get().panels[screen] ?? defaultOpenPanels(screen);
      const next = open.includes(panel) ? open.filter((name) => name !== panel) : [...open, panel];
      keep({ panels: { ...get().panels, [screen]: next } });
    },
    setChoice: (name, value) => keep({ choices: { ...get().choices, [name]: value } }),
  };
});

export function useDrawer(screen: string, side: DrawerSide, initially: boolean): readonly [boolean, (open: boolean) => void] {
  const open = useLayoutStore((state) => state.drawers[`${screen}/${side}`] ?? initially);
  const setDrawer = useLayoutStore((state) => state.setDrawer);
  return [open, (next) => setDrawer(screen, side, next)];
}

export function useOpenPanels(screen: string): readonly string[] {
  return useLayoutStore((state) => state.panels[screen]) ?? defaultOpenPanels(screen);
}

export function useStoredChoice<T extends string = string>(name: string, initially: NoInfer<T>): readonly [T, (value: T) => void] {
  const value = useLayoutStore((state) => state.choices[name]) as T | undefined;
  const setChoice = useLayoutStore((state) => state.setChoice);
  return [value ?? initially, (next) => setChoice(name, next)];
}

/** Like `useStoredChoice`, but lost on reload. */
export function useTransientChoice<T extends string = string>(name: string, initially: NoInfer<T>): readonly [T, (value: T) => void] {
  const value = useLayoutStore((state) => state.transient[name]) as T | undefined;
  const setPassing = useLayoutStore((state) => state.setTransient);
  return [value ?? initially, (next) => setPassing(name, next)];
}
