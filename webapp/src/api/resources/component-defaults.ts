/** Components that the server proposes where nobody chose one; the studio itself names none. */
import { queryOptions } from '@tanstack/react-query';
import { call, client, type Schemas } from '@/api/client';

export type ComponentDefaults = Schemas['ComponentDefaults'];

/** The same for all projects and people, for as long as the server runs. */
export const componentDefaultsQuery = queryOptions({
  queryKey: ['component-defaults'] as const,
  queryFn: () => call(client.GET('/component-defaults')),
  staleTime: Infinity,
  meta: { errorTitle: 'getEngines' },
});
