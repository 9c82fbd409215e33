/** The fixed tokens of the visual design: neutrals, statuses, type, sizes. Colours that depend on a theme are in colour-roles.ts. */
import { rgbaText, type Hex } from './colour';

export type Mode = 'light' | 'dark';

export interface Neutrals {
  readonly canvas: Hex;
  readonly surface: Hex;
  readonly raised: Hex;
  readonly sunken: Hex;
  readonly hover: Hex;
  readonly line: Hex;
  readonly line2: Hex;
  readonly control: Hex;
  readonly text: Hex;
  readonly text2: Hex;
  readonly text3: Hex;
  readonly hit: Hex;
  readonly hitText: Hex;
}

export const NEUTRALS: Readonly<Record<Mode, Neutrals>> = {
  light: {
    canvas: '#F5F6F8',
    surface: '#FFFFFF',
    raised: '#FFFFFF',
    sunken: '#EDEFF3',
    hover: '#EFF1F5',
    line: '#E2E5EA',
    line2: '#CCD1D9',
    control: '#858D9A',
    text: '#1A1F27',
    text2: '#4C5563',
    text3: '#5F6977',
    hit: '#FFE27A',
    hitText: '#1A1F27',
  },
  dark: {
    canvas: '#0E1116',
    surface: '#151920',
    raised: '#1D222B',
    sunken: '#0A0C10',
    hover: '#1F252E',
    line: '#252B35',
    line2: '#363E4A',
    control: '#697382',
    text: '#E5E8ED',
    text2: '#A8B0BC',
    text3: '#8D96A4',
    hit: '#6B5200',
    hitText: '#FFF3CC',
  },
};

export type StatusColourName = 'success' | 'warning' | 'error' | 'info';

export interface StatusColours {
  readonly text: Hex;
  readonly subtle: Hex;
  readonly line: Hex;
  readonly solid: Hex;
}

export const STATUS: Readonly<Record<Mode, Readonly<Record<StatusColourName, StatusColours>>>> = {
  light: {
    success: { text: '#157D43', subtle: '#E9F3ED', line: '#B2D5C0', solid: '#23864B' },
    warning: { text: '#9E5C00', subtle: '#F8F0E6', line: '#E5CBA6', solid: '#AB660C' },
    error: { text: '#C7362E', subtle: '#FAEBEA', line: '#EDBAB7', solid: '#CB3A31' },
    info: { text: '#287498', subtle: '#EAF2F5', line: '#B6D0DD', solid: '#2F7A9E' },
  },
  dark: {
    success: { text: '#46A366', subtle: '#182F29', line: '#1B4A33', solid: '#23864B' },
    warning: { text: '#CD812B', subtle: '#35291A', line: '#5D3D12', solid: '#AB660C' },
    error: { text: '#F46154', subtle: '#392023', line: '#672828', solid: '#CB3A31' },
    info: { text: '#519ABF', subtle: '#1A2C39', line: '#214559', solid: '#2F7A9E' },
  },
};

/** C-087: defaults for missing theme values. */
export const DEFAULT_PRIMARY: Hex = '#1976D2';
export const DEFAULT_SECONDARY: Hex = '#EEEEEE';
export const INK_DARK: Hex = '#14181F';
export const INK_LIGHT: Hex = '#FFFFFF';

export const SCRIM: Readonly<Record<Mode, string>> = { light: rgbaText('#141A24', 0.42), dark: rgbaText('#000000', 0.6) };

export const SHADOW: Readonly<Record<Mode, { current: string; floating: string; dialog: string }>> = {
  light: {
    current: `0 6px 20px ${rgbaText('#141A24', 0.06)}`,
    floating: `0 8px 28px ${rgbaText('#141A24', 0.2)}`,
    dialog: `0 18px 50px ${rgbaText('#141A24', 0.28)}`,
  },
  dark: {
    current: `0 6px 20px ${rgbaText('#000000', 0.3)}`,
    floating: `0 8px 28px ${rgbaText('#000000', 0.6)}`,
    dialog: `0 18px 50px ${rgbaText('#000000', 0.6)}`,
  },
};

export const FONT =
  '"Inter Variable", Inter, "Segoe UI Variable Text", "Segoe UI", system-ui, -apple-system, Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif';
export const MONO = 'ui-monospace, "Cascadia Code", "SF Mono", Menlo, "JetBrains Mono", "DejaVu Sans Mono", monospace';

export const SIZE = {
  control: 32,
  controlSmall: 28,
  row: 38,
  rowTwoLines: 54,
  header: 34,
  railItem: 32,
  appBar: 48,
  toolbar: 44,
  footer: 26,
  /** C-011 */
  rail: 278,
  railCompact: 114,
  /** C-012 */
  filterDrawer: 278,
  filterDrawerTabs: 358,
  /** C-013 */
  labelDrawer: 400,
  labelStrip: 44,
  /** C-004 */
  search: 470,
} as const;

/** C-037: the five colours of common results, green to orange; lighten-3 in light, darken-3 in dark. */
export const COMMON_RESULT_COLOURS: Readonly<Record<Mode, readonly Hex[]>> = {
  light: ['#A5D6A7', '#E6EE9C', '#FFF59D', '#FFE082', '#FFCC80'],
  dark: ['#2E7D32', '#9E9D24', '#F9A825', '#FF8F00', '#EF6C00'],
};
