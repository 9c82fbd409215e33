/** Computes all colour roles of a mode from a theme's two colours. */
import { blend, contrast, isHex, adjustToContrast, type Hex } from './colour';
import {
  DEFAULT_PRIMARY,
  DEFAULT_SECONDARY,
  INK_DARK,
  INK_LIGHT,
  NEUTRALS,
  SCRIM,
  SHADOW,
  STATUS,
  type Mode,
  type StatusColourName,
} from './tokens';

export interface ThemeColours {
  readonly primary: Hex;
  readonly secondary: Hex;
}

export type ColourRoleName =
  | keyof (typeof NEUTRALS)['light']
  | 'primary'
  | 'onPrimary'
  | 'primaryText'
  | 'primarySubtle'
  | 'primaryLine'
  | 'ring'
  | 'secondary'
  | 'onSecondary'
  | `${StatusColourName}`
  | `${StatusColourName}Text`
  | `${StatusColourName}Subtle`
  | `${StatusColourName}Line`
  | 'scrim'
  | 'shadowCurrent'
  | 'shadowFloating'
  | 'shadowDialog';

export type ColourRoles = Readonly<Record<ColourRoleName, string>>;

/** Black or white, whichever has the better contrast on `background`. */
export function readableInkOn(background: Hex): Hex {
  return contrast(INK_LIGHT, background) >= contrast(INK_DARK, background) ? INK_LIGHT : INK_DARK;
}

function primaryWithContrast(primary: Hex): { primary: Hex; onPrimary: Hex } {
  if (contrast(INK_LIGHT, primary) >= 4.5) return { primary, onPrimary: INK_LIGHT };
  if (contrast(INK_DARK, primary) >= 4.5) return { primary, onPrimary: INK_DARK };
  return { primary: adjustToContrast(primary, [INK_LIGHT], 4.5, -1), onPrimary: INK_LIGHT };
}

function statusRoles(mode: Mode): Partial<Record<ColourRoleName, string>> {
  const roles: Partial<Record<ColourRoleName, string>> = {};
  for (const status of ['success', 'warning', 'error', 'info'] as const) {
    const colours = STATUS[mode][status];
    roles[status] = colours.solid;
    roles[`${status}Text`] = colours.text;
    roles[`${status}Subtle`] = colours.subtle;
    roles[`${status}Line`] = colours.line;
  }
  return roles;
}

/**
 * All roles of one mode. Invalid colours fall back to the defaults (C-087). Guarantees: text on the solid button and links >= 4.5, `ring`
 * >= 3.2 on each neutral.
 */
export function computeColourRoles(mode: Mode, colours: ThemeColours): ColourRoles {
  const neutrals = NEUTRALS[mode];
  const given = isHex(colours.primary) ? colours.primary.toUpperCase() : DEFAULT_PRIMARY;
  const second = isHex(colours.secondary) ? colours.secondary.toUpperCase() : DEFAULT_SECONDARY;
  const away = mode === 'light' ? -1 : 1;
  const subtle = blend(given, neutrals.surface, mode === 'light' ? 0.1 : 0.2);
  const plain = [neutrals.surface, neutrals.canvas, neutrals.sunken, neutrals.hover];
  const secondary = mode === 'light' ? second : blend(second, neutrals.surface, 0.1);
  return {
    ...neutrals,
    ...(statusRoles(mode) as Record<StatusColourName, string>),
    ...primaryWithContrast(given),
    primaryText: adjustToContrast(given, [...plain, subtle], 4.5, away),
    primarySubtle: subtle,
    primaryLine: blend(given, neutrals.surface, mode === 'light' ? 0.35 : 0.45),
    ring: adjustToContrast(given, plain, 3.2, away),
    secondary,
    onSecondary: contrast(neutrals.text, secondary) >= 4.5 ? neutrals.text : readableInkOn(secondary),
    scrim: SCRIM[mode],
    shadowCurrent: SHADOW[mode].current,
    shadowFloating: SHADOW[mode].floating,
    shadowDialog: SHADOW[mode].dialog,
  } as ColourRoles;
}

const kebab = (name: string) => name.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase();

/** `primaryText` -> `--primary-text`: the names used in all style sheets. */
export function cssVariables(roles: ColourRoles): Record<string, string> {
  return Object.fromEntries(Object.entries(roles).map(([name, value]) => [`--${kebab(name)}`, value]));
}
