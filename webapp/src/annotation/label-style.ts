/** Colours of labels and of the surface. The theme computes them; they come in by props or context, never from a literal here. */
import { createContext, use } from 'react';
import type { CSSProperties } from 'react';

/** CSS colours of one label in the current mode. */
export interface LabelStyle {
  readonly bar: string;
  readonly fill: string;
  /** The fill of focus and hover. */
  readonly strong: string;
  /** Text of an outlined tag. */
  readonly ink: string;
  /** Text on the bar. */
  readonly tagText: string;
  /** Depth texture for the reinforced distinction setting. */
  readonly texture?: 'plain' | 'hatched' | 'dotted' | undefined;
}

/** Everything the surface has to know of a label. */
export interface LabelAppearance {
  readonly name: string;
  /** Readable name. */
  readonly label: string;
  /** 2 to 4 signs. */
  readonly tag: string;
  readonly style: LabelStyle;
  /** One sign, as typed. */
  readonly hotkey?: string | undefined;
}

/** Colour roles of visual.md section 2 that the surface needs. */
export interface SurfaceTokens {
  readonly surface: string;
  readonly raised: string;
  readonly sunken: string;
  readonly hover: string;
  readonly line: string;
  readonly line2: string;
  readonly control: string;
  readonly text: string;
  readonly text2: string;
  readonly text3: string;
  readonly primary: string;
  readonly onPrimary: string;
  readonly primaryText: string;
  readonly primarySubtle: string;
  readonly primaryLine: string;
  readonly ring: string;
  readonly error: string;
  readonly hitBackground: string;
  readonly hitText: string;
  /** Shadow of floating things. */
  readonly shadow: string;
}

export interface Appearance {
  readonly tokens: SurfaceTokens;
  readonly labels: ReadonlyMap<string, LabelAppearance>;
  /** Reading size in px, 13 to 19. */
  readonly readingSize: number;
  readonly tags: 'always' | 'hover' | 'never';
  /** User setting: textures by depth and thicker bars. */
  readonly reinforced: boolean;
}

export const AppearanceContext = createContext<Appearance | null>(null);

export function useAppearance(): Appearance {
  const appearance = use(AppearanceContext);
  if (appearance === null) throw new Error('Annotation components need an <AppearanceContext> above them.');
  return appearance;
}

/** A label that the project does not know (deleted meanwhile, another project): drawn neutral, named by its name. */
export function appearanceOf(appearance: Appearance, name: string): LabelAppearance {
  const known = appearance.labels.get(name);
  if (known !== undefined) return known;
  const { text3, sunken, line2, text, surface } = appearance.tokens;
  return { name, label: name, tag: name.slice(0, 4).toUpperCase(), style: { bar: text3, fill: sunken, strong: line2, ink: text, tagText: surface } };
}

/** CSS custom properties for a root element: `--ann-text`, `--ann-hit-background`, and the unit all lengths of the surface are counted in. */
export function surfaceVariables(appearance: Appearance): CSSProperties {
  const variables: Record<string, string> = {
    '--ann-u': `${String(appearance.readingSize / 15)}px`,
    '--ann-bar': appearance.reinforced ? '4' : '3',
  };
  for (const [name, colour] of Object.entries(appearance.tokens)) {
    variables[`--ann-${name.replace(/[A-Z]/gu, (capital) => `-${capital.toLowerCase()}`)}`] = String(colour);
  }
  return variables as CSSProperties;
}
