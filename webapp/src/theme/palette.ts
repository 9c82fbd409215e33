/** C-031: the 38 stored label colours, in the order they are proposed. */
import type { Hex } from './colour';

export const LABEL_PALETTE: readonly Hex[] = [
  '#017D7E',
  '#A25703',
  '#7A54BA',
  '#0DA39B',
  '#BF8610',
  '#313E8C',
  '#7C2700',
  '#957EE5',
  '#9E4594',
  '#D76695',
  '#3868C6',
  '#005729',
  '#6F730B',
  '#4F93EC',
  '#DF6864',
  '#73235B',
  '#B13D66',
  '#3F4F00',
  '#C06EC3',
  '#61A13D',
  '#06815D',
  '#7E1E35',
  '#8A6709',
  '#5B2F7C',
  '#64707F',
  '#045445',
  '#D8732B',
  '#564600',
  '#0D9DCC',
  '#075259',
  '#0A76A4',
  '#B64032',
  '#9C9408',
  '#653D03',
  '#054B78',
  '#06A66B',
  '#2A8223',
  '#574C45',
];

/** The first of the palette colours with the fewest uses. */
export function leastUsedColour(used: readonly string[]): Hex {
  const counts = new Map<string, number>();
  for (const colour of used) counts.set(colour.toUpperCase(), (counts.get(colour.toUpperCase()) ?? 0) + 1);
  return LABEL_PALETTE.reduce((best, colour) => ((counts.get(colour) ?? 0) < (counts.get(best) ?? 0) ? colour : best));
}
