/** Readable names of terms that are known by their facet value. */
import { useQuery } from '@tanstack/react-query';
import { termsByReferenceQuery } from '@/api/resources/terms';
import { useCan } from '@/state/session-store';
import { parseTermFacetValue, termFacetValue } from '@/state/term-facet';

/** The name of each value; until it is known, and for terms outside the lexicons, the identifier. */
export function useTermNames(project: string, values: readonly string[]): (value: string) => string {
  const searches = useCan('useSearch');
  const references = values.map(parseTermFacetValue).filter(({ lexicon }) => lexicon !== '');
  const query = termsByReferenceQuery(project, references);
  const { data = [] } = useQuery({ ...query, enabled: searches && project !== '' && references.length > 0 });
  const names = new Map(data.map((term) => [termFacetValue(term), term.preferredForm ?? '']));
  return (value) => names.get(value) || parseTermFacetValue(value).identifier;
}
