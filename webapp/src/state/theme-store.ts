import { create } from 'zustand';
import { DEFAULT_PRIMARY, DEFAULT_SECONDARY, type Mode } from '@/theme/tokens';
import type { ThemeColours } from '@/theme/colour-roles';
import { isHex } from '@/theme/colour';
import { readStored, writeStored } from './storage';

type Localized = Partial<Record<'en' | 'fr', string>>;

/** The parts of a theme that the web app uses, independent of its serialised form. */
export interface ThemeConfig {
  readonly id: string | null;
  /** The theme requests dark mode whatever the system setting. */
  readonly darkFirst: boolean;
  readonly light: ThemeColours;
  readonly dark: ThemeColours;
  readonly signinTitle: Localized;
  readonly signinSubtitle: Localized;
  /** Text in the top bar of the sign-in page instead of the product's name. */
  readonly signinBarText: string | null;
  readonly signinBar: BarColours | null;
  readonly signinFooter: BarColours | null;
  readonly barImage: string | null;
  readonly bgImage: string | null;
  readonly bgVideo: string | null;
}

/** A bar with its own colours; `ink` null: black or white by contrast. */
export interface BarColours {
  readonly colour: string;
  readonly ink: string | null;
}

export type ModeChoice = Mode | 'system';

export const DEFAULT_THEME: ThemeConfig = {
  id: null,
  darkFirst: false,
  light: { primary: DEFAULT_PRIMARY, secondary: DEFAULT_SECONDARY },
  dark: { primary: DEFAULT_PRIMARY, secondary: DEFAULT_SECONDARY },
  signinTitle: {},
  signinSubtitle: {},
  signinBarText: null,
  signinBar: null,
  signinFooter: null,
  barImage: null,
  bgImage: null,
  bgVideo: null,
};

interface ThemeState {
  readonly mode: ModeChoice;
  readonly config: ThemeConfig;
  setMode(mode: ModeChoice): void;
  setConfig(config: ThemeConfig): void;
}

interface Stored {
  readonly mode?: ModeChoice;
  readonly config?: Partial<ThemeConfig>;
}

const stored = readStored<Stored>('theme');

/** Light or dark mode, and the last theme configuration (C-093: stored, so that the next start does not flash). */
export const useThemeStore = create<ThemeState>((set, get) => ({
  mode: stored?.mode ?? 'system',
  config: { ...DEFAULT_THEME, ...stored?.config },
  setMode: (mode) => {
    set({ mode });
    writeStored('theme', { mode, config: get().config });
  },
  setConfig: (config) => {
    set({ config });
    writeStored('theme', { mode: get().mode, config });
  },
}));

type Loose = Record<string, unknown>;
const childValue = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Loose)[key] : undefined;
const valueAtPath = (value: unknown, ...path: string[]): unknown => path.reduce<unknown>(childValue, value);
const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

function coloursAt(config: unknown, mode: Mode): ThemeColours {
  return {
    primary: textOrNull(valueAtPath(config, 'vuetify', 'themes', mode, 'primary')) ?? DEFAULT_PRIMARY,
    secondary: textOrNull(valueAtPath(config, 'vuetify', 'themes', mode, 'secondary')) ?? DEFAULT_SECONDARY,
  };
}

/** Null for colours that cannot be parsed. */
function parseBarColours(given: unknown, colourKey: string): BarColours | null {
  const colour = textOrNull(childValue(given, colourKey));
  const ink = textOrNull(childValue(given, 'textColor'));
  return colour !== null && isHex(colour) ? { colour, ink: ink !== null && isHex(ink) ? ink : null } : null;
}

/** Parses the serialised form of a theme (`{id, config: {vuetify, app}}`); anything missing takes the default (C-087). */
export function themeConfigOf(theme: unknown): ThemeConfig {
  const config = childValue(theme, 'config');
  const card = valueAtPath(config, 'app', 'signin', 'cardForm');
  return {
    id: textOrNull(childValue(theme, 'id')),
    darkFirst: valueAtPath(config, 'vuetify', 'dark') === true,
    light: coloursAt(config, 'light'),
    dark: coloursAt(config, 'dark'),
    signinTitle: (childValue(card, 'mainTitle') as Localized | undefined) ?? {},
    signinSubtitle: (childValue(card, 'subtitle') as Localized | undefined) ?? {},
    signinBarText: textOrNull(valueAtPath(config, 'app', 'signin', 'appBar', 'text')),
    signinBar: parseBarColours(valueAtPath(config, 'app', 'signin', 'appBar'), 'barColor'),
    signinFooter: parseBarColours(valueAtPath(config, 'app', 'signin', 'footer'), 'footerColor'),
    barImage: textOrNull(valueAtPath(config, 'app', 'media', 'appBarImage')),
    bgImage: textOrNull(valueAtPath(config, 'app', 'media', 'bgImage')),
    bgVideo: textOrNull(valueAtPath(config, 'app', 'media', 'bgVideo')),
  };
}
