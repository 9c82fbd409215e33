import { useQuery } from '@tanstack/react-query';
import { namedLexiconsQuery } from '@/api/resources/lexicons';
import { useCan } from '@/state/session-store';

/** Whether annotations of the project can be linked to terms by hand: it has lexicons, and the user may search them. */
export function useLinkableTerms(project: string): boolean {
  const searches = useCan('useSearch');
  const { data = [] } = useQuery({ ...namedLexiconsQuery(project), enabled: searches && project !== '' });
  return searches && data.length > 0;
}
