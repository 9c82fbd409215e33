import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { savedQuestionsQuery, type SavedQuestion } from '@/api/resources/questions';

export interface SavedQuestions {
  /** What is loaded; undefined until it is. */
  readonly questions: readonly SavedQuestion[] | undefined;
  /** All that match. */
  readonly total: number | undefined;
  readonly error: unknown;
  /** The questions are those of an earlier filter. */
  readonly stale: boolean;
  readonly loadMore: () => void;
  readonly retry: () => void;
}

/** The saved questions whose text contains `find`; a thousand are loaded in one call (C-023), more when they are scrolled to. */
export function useSavedQuestions(project: string, find: string): SavedQuestions {
  const { data, error, isPlaceholderData, hasNextPage, isFetching, fetchNextPage, refetch } = useInfiniteQuery(
    savedQuestionsQuery(project, find),
  );
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  return {
    questions: data?.pages.flatMap((page) => page.questions),
    total: data?.pages.at(-1)?.total,
    error,
    stale: isPlaceholderData,
    loadMore,
    retry: () => void refetch(),
  };
}
