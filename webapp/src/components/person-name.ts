import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { peopleQuery } from '@/api/resources/archives';

/** What somebody is called, by username. Whom the reader may not know of keeps the username, and so do models. */
export function usePersonName(): (username: string) => string {
  const { data } = useQuery(peopleQuery());
  return useCallback((username) => data?.find((one) => one.username === username)?.profilename ?? username, [data]);
}
