/** S-032: what two searches have in common, by reciprocal rank fusion. Ranks count from 1. */
import { readableInkOn } from '@/theme/colour-roles';
import { COMMON_RESULT_COLOURS, type Mode } from '@/theme/tokens';

/** The constant of reciprocal rank fusion (S-032). */
const RRF_CONSTANT = 60;
/** How many results of each search are compared. */
export const COMPARED = 100;
/** Depth of the overlap in the summary. */
export const OVERLAP_DEPTH = 10;

export interface FusedResult {
  readonly id: string;
  /** The rank in each result set; undefined where the result is missing. */
  readonly ranks: readonly (number | undefined)[];
  /** Average of the ranks. */
  readonly score: number;
}

/** V-035: there is nothing to compare. */
export class TooFewResultSetsError extends Error {
  constructor() {
    super('At least two search results are expected');
  }
}

const known = (ranks: FusedResult['ranks']): number[] => ranks.filter((rank) => rank !== undefined);
const fusionOf = (ranks: FusedResult['ranks']) => known(ranks).reduce((sum, rank) => sum + 1 / (RRF_CONSTANT + rank), 0);
const average = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Fuses ranked result sets, the best first; equal ones by their average rank, then in the order of the first set.
 * @param sets identifiers of each result set in the order of their rank.
 * @param onlyCommon only results that all sets have.
 * @throws TooFewResultSetsError with fewer than two sets.
 */
export function fuseResults(sets: readonly (readonly string[])[], onlyCommon = true): FusedResult[] {
  if (sets.length < 2) throw new TooFewResultSetsError();
  const places = sets.map((ids) => new Map(ids.map((id, index) => [id, index + 1])));
  return [...new Set(sets.flat())]
    .map((id) => ({ id, ranks: places.map((place) => place.get(id)) }))
    .filter(({ ranks }) => !onlyCommon || known(ranks).length === sets.length)
    .map(({ id, ranks }) => ({ id, ranks, score: average(known(ranks)) }))
    .sort((a, b) => fusionOf(b.ranks) - fusionOf(a.ranks) || a.score - b.score);
}

/** How many of the first `depth` results all sets have. */
export function overlapAt(sets: readonly (readonly string[])[], depth = OVERLAP_DEPTH): number {
  return fuseResults(sets.map((ids) => ids.slice(0, depth))).length;
}

export interface CommonColour {
  readonly background: string;
  /** Of text on the background. */
  readonly ink: string;
}

/** C-037: the colour of the common result at a place, from 1; undefined after the fifth. */
export function commonColour(place: number, mode: Mode): CommonColour | undefined {
  const background = COMMON_RESULT_COLOURS[mode][place - 1];
  return background === undefined ? undefined : { background, ink: readableInkOn(background) };
}
