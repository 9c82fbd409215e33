/**
 * Colours of labels and of the surface. The theme computes them: label colours come from the context, roles from its CSS variables, never
 * from a literal here.
 */
import { createContext, use } from 'react';
import type { CSSProperties } from 'react';
import { proposeTag } from '@/text/short-name';

/** CSS colours of one label in the current mode. */
export interface LabelStyle {
  readonly bar: string;
  readonly fill: string;
  /** Fill in focus and hover. */
  readonly strong: string;
  /** Text of an outlined tag. */
  readonly ink: string;
  /** Text on the bar. */
  readonly onBar: string;
  /** Depth texture for the reinforced distinction setting. */
  readonly texture?: 'plain' | 'hatched' | 'dotted' | undefined;
}

/** Everything the surface needs to know about a label. */
export interface LabelAppearance {
  readonly name: string;
  /** Readable name. */
  readonly label: string;
  /** 2 to 4 characters. */
  readonly tag: string;
  readonly style: LabelStyle;
  /** One character, as typed. */
  readonly hotkey?: string | undefined;
}

/** Colour roles of the theme that are used in inline styles. */
export const ROLE = {
  surface: 'var(--surface)',
  sunken: 'var(--sunken)',
  line2: 'var(--line2)',
  text: 'var(--text)',
  text2: 'var(--text2)',
  text3: 'var(--text3)',
  primary: 'var(--primary)',
  ring: 'var(--ring)',
  error: 'var(--error-text)',
  errorSubtle: 'var(--error-subtle)',
  hit: 'var(--hit)',
  hitText: 'var(--hit-text)',
} as const;

export interface Appearance {
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

/** Appearance of a label that the project does not know (deleted meanwhile, another project): neutral, with its name. */
export function appearanceOf(appearance: Appearance, name: string): LabelAppearance {
  const known = appearance.labels.get(name);
  if (known !== undefined) return known;
  const style = { bar: ROLE.text3, fill: ROLE.sunken, strong: ROLE.line2, ink: ROLE.text, onBar: ROLE.surface };
  return { name, label: name, tag: proposeTag(name), style };
}

/** Defines the length unit of the surface: 1 px at a reading size of 15 px. */
export function surfaceVariables(appearance: Appearance, size = appearance.readingSize): CSSProperties {
  return { '--ann-u': `${String(size / 15)}px` } as CSSProperties;
}
