import { useMatches } from 'react-router';

/** Id of the route shown, from the route table. */
export function useRouteId(): string {
  const matches = useMatches();
  const handle = matches.at(-1)?.handle as { route?: string } | undefined;
  return handle?.route ?? '';
}
