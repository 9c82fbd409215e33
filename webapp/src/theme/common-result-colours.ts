/** C-037: the five colours of results that two searches have in common: green, lime, yellow, amber, orange. */
import { blend, type Hex } from './colour';
import { readableInkOn } from './colour-roles';
import { NEUTRALS, type Mode } from './tokens';

/** Lightened by three steps in the light mode, darkened by three in the dark one. */
export const COMMON_RESULT_COLOURS: Readonly<Record<Mode, readonly Hex[]>> = {
  light: ['#A5D6A7', '#E6EE9C', '#FFF59D', '#FFE082', '#FFCC80'],
  dark: ['#2E7D32', '#9E9D24', '#F9A825', '#FF8F00', '#EF6C00'],
};

/** Share of the colour in the background of a row, 0..1. */
const TINT = 0.34;

export interface CommonResultColours {
  /** Background of the chip with the number, and the line of the chart. */
  readonly solid: Hex;
  /** Text on `solid`. */
  readonly ink: Hex;
  /** Background of the row. */
  readonly tint: Hex;
}

/** Colours of the common result at `place`, from 0; undefined after the last colour. */
export function commonResultColours(mode: Mode, place: number): CommonResultColours | undefined {
  const solid = COMMON_RESULT_COLOURS[mode][place];
  if (solid === undefined) return undefined;
  return { solid, ink: readableInkOn(solid), tint: blend(solid, NEUTRALS[mode].surface, TINT) };
}
