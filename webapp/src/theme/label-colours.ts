/** Computes the displayed colours of a label from its stored colour, in either mode, for palette and other colours alike. */
import { blend, contrast, hexFromOklch, isHex, oklchOf, adjustToContrast, type Hex } from './colour';
import { readableInkOn } from './colour-roles';
import { INK_DARK, INK_LIGHT, NEUTRALS, type Mode } from './tokens';

export interface LabelColours {
  /** Bar below a span and background of a solid tag. */
  readonly bar: Hex;
  /** Text on `bar`. */
  readonly onBar: Hex;
  /** Background of the letters. */
  readonly fill: Hex;
  /** Background when focused or hovered. */
  readonly strong: Hex;
  /** Text in the label's colour on `fill`: outlined tags, names. */
  readonly ink: Hex;
}

const FALLBACK: Hex = '#64707F';
const cache = new Map<string, LabelColours>();

/** Cached, as a document requests the same few colours thousands of times. */
export function labelColours(stored: string | undefined, mode: Mode): LabelColours {
  const colour = stored !== undefined && isHex(stored) ? stored.toUpperCase() : FALLBACK;
  const key = `${mode}${colour}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const made = mode === 'light' ? lightModeColours(colour) : darkModeColours(colour);
  cache.set(key, made);
  return made;
}

/** Very light or very saturated colours are mixed with a smaller share, so that the contrast of the document's text stays at 5.6. */
function strongFill(bar: Hex, mode: Mode, share: number): Hex {
  const { surface, text } = NEUTRALS[mode];
  for (let part = share; part > 0; part -= 0.02) {
    const fill = blend(bar, surface, part);
    if (contrast(text, fill) >= 5.6) return fill;
  }
  return surface;
}

function lightModeColours(colour: Hex): LabelColours {
  const { surface } = NEUTRALS.light;
  let bar = adjustToContrast(colour, [surface], 3.1, -1);
  if (contrast(readableInkOn(bar), bar) < 4.5) bar = adjustToContrast(bar, [INK_LIGHT], 4.5, -1);
  const fill = blend(bar, surface, 0.16);
  return { bar, onBar: readableInkOn(bar), fill, strong: strongFill(bar, 'light', 0.32), ink: adjustToContrast(bar, [fill], 4.5, -1) };
}

function darkModeColours(colour: Hex): LabelColours {
  const { surface } = NEUTRALS.dark;
  const { l, c, h } = oklchOf(colour);
  let bar = hexFromOklch({ l: 0.37 + 0.62 * l, c: c * 0.85, h });
  if (contrast(bar, surface) < 3.1) bar = adjustToContrast(bar, [surface], 3.1, 1);
  if (contrast(readableInkOn(bar), bar) < 4.5) bar = adjustToContrast(bar, [INK_DARK], 4.5, 1);
  const fill = blend(bar, surface, 0.22);
  return { bar, onBar: readableInkOn(bar), fill, strong: strongFill(bar, 'dark', 0.4), ink: adjustToContrast(bar, [fill], 4.5, 1) };
}

/** Custom properties for one element: `--label-bar`, `--label-on-bar`, `--label-fill`, `--label-strong`, `--label-ink`. */
export function labelVariables(stored: string | undefined, mode: Mode): Record<string, string> {
  const { bar, onBar, fill, strong, ink } = labelColours(stored, mode);
  return { '--label-bar': bar, '--label-on-bar': onBar, '--label-fill': fill, '--label-strong': strong, '--label-ink': ink };
}
