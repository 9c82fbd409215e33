/** S-032: results that several searches have in common, by reciprocal rank fusion. Ranks start at 1. */

/** C-036 */
export const RANK_CONSTANT = 60;

/** V-035: there is nothing to fuse. */
export class TooFewResultSetsError extends Error {
  override readonly name = 'TooFewResultSetsError';
}

export interface FusedResult {
  readonly id: string;
  /** Average of its ranks in the lists that have it. */
  readonly score: number;
  /** Sum of 1 / (constant + rank): the order of the results. */
  readonly fused: number;
  /** Its rank in each list; undefined where a list does not have it. */
  readonly ranks: readonly (number | undefined)[];
}

interface FusionOptions {
  /** Only results that all lists have. */
  readonly onlyCommon?: boolean;
  readonly constant?: number;
}

/** Rank of each id; of one that is listed twice, the first. */
export function ranksOf(ids: readonly string[]): ReadonlyMap<string, number> {
  const ranks = new Map<string, number>();
  ids.forEach((id, index) => {
    if (!ranks.has(id)) ranks.set(id, index + 1);
  });
  return ranks;
}

const byFusion = (a: FusedResult, b: FusedResult): number =>
  b.fused - a.fused || a.score - b.score || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/**
 * The results of at least two lists of ids, best first.
 *
 * Throws a `TooFewResultSetsError` for fewer lists (V-035).
 */
export function fuseRankings(
  lists: readonly (readonly string[])[],
  { onlyCommon = true, constant = RANK_CONSTANT }: FusionOptions = {},
): readonly FusedResult[] {
  if (lists.length < 2) throw new TooFewResultSetsError('At least two search results are expected');
  const ranked = lists.map(ranksOf);
  const ids = new Set(ranked.flatMap((ranks) => [...ranks.keys()]));
  return [...ids]
    .map((id): FusedResult => {
      const ranks = ranked.map((list) => list.get(id));
      const found = ranks.filter((rank) => rank !== undefined);
      const score = found.reduce((sum, rank) => sum + rank, 0) / found.length;
      return { id, ranks, score, fused: found.reduce((sum, rank) => sum + 1 / (constant + rank), 0) };
    })
    .filter(({ ranks }) => !onlyCommon || ranks.every((rank) => rank !== undefined))
    .sort(byFusion);
}

/** Number of ids that both lists have among their first `depth`. */
export function overlapAt(one: readonly string[], other: readonly string[], depth: number): number {
  const first = new Set(one.slice(0, depth));
  return new Set(other.slice(0, depth).filter((id) => first.has(id))).size;
}

/** Number of each common result, from 1, in the order of the fusion. */
export function commonNumbers(results: readonly FusedResult[]): ReadonlyMap<string, number> {
  const common = results.filter(({ ranks }) => ranks.every((rank) => rank !== undefined));
  return new Map(common.map(({ id }, index) => [id, index + 1]));
}
