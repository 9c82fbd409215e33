/** Two searches measured on the judged questions of a project. */
import { queryOptions } from '@tanstack/react-query';
import type { SearchAddress } from '@/state/search-address';
import { call, client } from '@/api/client';
import { searchToJson } from './saved-searches';

/** A figure of both searches: their means, the difference (second minus first) with its 95 % interval, and p of a paired test. */
export interface ComparedFigure {
  readonly name: string;
  readonly means: readonly [number, number];
  readonly difference: number;
  readonly ci: readonly [number, number];
  readonly p: number;
}

export interface ComparedQuestion {
  readonly identifier: string;
  readonly text: string;
  /** Values of the figures, of the first and the second search. */
  readonly figures: readonly [Readonly<Record<string, number>>, Readonly<Record<string, number>>];
  /** Of nDCG@10, second minus first. */
  readonly difference: number;
}

export interface SearchComparison {
  /** Number of judged questions. */
  readonly judged: number;
  readonly overall: readonly ComparedFigure[];
  /** Those with the greatest differences. */
  readonly perQuestion: readonly ComparedQuestion[];
  /** The job that measures, when there are many questions: its result has this form. */
  readonly jobId?: string;
}

export type ComparedSearches = readonly [SearchAddress, SearchAddress];

/** What measures a search: everything but the query, the order and the page. */
const measuredSearch = (state: SearchAddress) => ({
  ...searchToJson({ ...state, query: '', sort: '', size: 10 }),
  ...(state.searchType === 'text' ? {} : { vector: {} }),
});

/** Not measured again when judgements change: the user asks for it. */
export const searchComparisonQuery = (projectName: string, searches: ComparedSearches) => {
  const measured = searches.map(measuredSearch);
  return queryOptions({
    queryKey: ['search-comparison', projectName, measured] as const,
    queryFn: async ({ signal }) => {
      const params = { path: { projectName } };
      const answer = client.POST('/projects/{projectName}/ranking_experiments/_compare', {
        params,
        body: { searches: measured } as never,
        signal,
      });
      return (await call(answer)) as unknown as SearchComparison;
    },
    enabled: false,
    staleTime: Infinity,
    retry: false,
    meta: { silent: true },
  });
};
