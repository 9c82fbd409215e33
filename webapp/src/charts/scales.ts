/** Where things stand on an axis. */

/** Round steps from 0 to at least `top`: 4 to 6 lines. */
export function ticks(top: number, wanted = 4): number[] {
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

/** Sum so far, after each entry. */
export function cumulated(counts: readonly { readonly date: number; readonly count: number }[]): Point[] {
  let sum = 0;
  return counts.map(({ date, count }) => ({ x: date, y: (sum += count) }));
}

/** At most `wanted` of the values, evenly spread, the first and the last among them. */
export function spreadOut<T>(values: readonly T[], wanted: number): T[] {
  if (values.length <= wanted) return [...values];
  return Array.from({ length: wanted }, (_value, index) => values[Math.round((index * (values.length - 1)) / (wanted - 1))] as T);
}
