/** How often the corpus has the term, with a link to its segments. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { searchSegments, segmentKeys, segmentSearchOf } from '@/api/resources/segments';
import type { SelectedFacet } from '@/state/facet-selection';
import { addressPath, SEARCH_DEFAULTS } from '@/state/search-address';
import { useCan } from '@/state/session-store';
import { TERM_FACET, termFacetValue, type TermReference } from '@/state/term-facet';
import { useFormat } from '@/ui/format';
import styles from './terms.module.css';

const selectedTerm = (term: TermReference): readonly SelectedFacet[] => [
  { facetName: TERM_FACET, facetValue: termFacetValue(term), facetSelector: '+' },
];

/** Number of segments with an annotation that is linked to the term. */
const occurrenceCountQuery = (project: string, term: TermReference) =>
  queryOptions({
    queryKey: [...segmentKeys.all, project, 'term', termFacetValue(term)] as const,
    queryFn: async ({ signal }) => {
      const search = segmentSearchOf({ ...SEARCH_DEFAULTS, size: 1, selectedFacets: selectedTerm(term) });
      const { total } = await searchSegments(project, search, signal, { facets: false, highlight: false, returnHits: false });
      return total.value;
    },
    meta: { silent: true },
  });

interface TermOccurrencesProps {
  readonly project: string;
  readonly term: TermReference;
  readonly name: string;
}

export function TermOccurrences({ project, term, name }: TermOccurrencesProps): ReactNode {
  const { t } = useTranslation('terms');
  const format = useFormat();
  const searches = useCan('useSearch');
  const explores = useCan('seeExplore');
  const filters = useCan(`readFacet:${TERM_FACET}`);
  const shown = searches && filters;
  const { data: count } = useQuery({ ...occurrenceCountQuery(project, term), enabled: shown });
  if (!shown || count === undefined) return null;
  const text = t('occurrences', { count, number: format.number(count) });
  return (
    <p className={styles['occurrences']}>
      {count > 0 && explores ? (
        <Link to={addressPath('/explore', { selectedFacets: selectedTerm(term) })} aria-label={t('showOccurrences', { text, name })}>
          {text}
        </Link>
      ) : (
        text
      )}
    </p>
  );
}
