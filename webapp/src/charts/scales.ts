/** Round steps from 0 to at least `top`: 4 to 6 lines. */

/** Round steps from 0 to at least `top`: 4 to 6 lines. */
export function axisTicks(top: number, wanted = 4): number[] {
  if (!(top > 0)) return [0];
  const rough = top / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power);
  return Array.from({ length: Math.ceil(top / step) + 1 }, (_tick, index) => index * step);
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Cumulative sum after each entry. */
export function cumulativeCounts(counts: readonly { readonly date: number; readonly count: number }[]): Point[] {
  let sum = 0;
  return counts.map(({ date, count }) => ({ x: date, y: (sum += count) }));
}

/** Indexes of ascending positions at least `gap` apart: the first, the last, and those that fit between. */
export function indexesWithGap(positions: readonly number[], gap: number): number[] {
  const last = positions.length - 1;
  const kept: number[] = [];
  positions.forEach((position, place) => {
    const before = kept.at(-1);
    const clear = before === undefined || position - (positions[before] ?? 0) >= gap;
    const fits = place === last || place === 0 || (positions[last] ?? 0) - position >= gap;
    if (clear && fits) kept.push(place);
  });
  return kept;
}
