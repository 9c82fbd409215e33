import { useMemo } from 'react';
import type { SegmentHit } from '@/api/resources/segments';
import { fuseResults, overlapAt, TooFewResultSetsError, type FusedResult } from './common-results';
import type { ComparedSearch } from './use-compared-search';

export interface CommonPlace {
  /** From 1, the best first. */
  readonly place: number;
  /** The rank in the first and the second search. */
  readonly ranks: FusedResult['ranks'];
}

export interface Comparison {
  /** Results of both searches, the best first. */
  readonly common: readonly FusedResult[];
  /** The list below the searches: the common results, or those of either search. */
  readonly listed: readonly FusedResult[];
  /** How many of the first ten both have. */
  readonly overlap: number;
  readonly places: ReadonlyMap<string, CommonPlace>;
  readonly hits: ReadonlyMap<string, SegmentHit>;
}

function compare(found: readonly (readonly SegmentHit[] | undefined)[], all: boolean): Comparison | undefined {
  const lists = found.filter((hits) => hits !== undefined);
  const sets = lists.map((hits) => hits.map(({ _id }) => _id));
  try {
    const common = fuseResults(sets);
    return {
      common,
      listed: all ? fuseResults(sets, false) : common,
      overlap: overlapAt(sets),
      places: new Map(common.map(({ id, ranks }, index) => [id, { place: index + 1, ranks }])),
      hits: new Map(lists.flat().map((hit) => [hit._id, hit])),
    };
  } catch (error) {
    if (error instanceof TooFewResultSetsError) return undefined;
    throw error;
  }
}

/** What the first results of two searches have in common; undefined with fewer than two result sets (V-035). */
export function useComparison(one: ComparedSearch, two: ComparedSearch, all: boolean): Comparison | undefined {
  return useMemo(() => compare([one.first, two.first], all), [one.first, two.first, all]);
}
