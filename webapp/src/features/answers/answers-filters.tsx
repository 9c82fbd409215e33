/** W-010, W-012: the segments that passages are searched in, by facets and filters. */
import { useQuery } from '@tanstack/react-query';
import { Filter } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Aggregation } from '@/api/resources/search';
import { segmentSearchOf, segmentSearchQuery, type SegmentSearch } from '@/api/resources/segments';
import { useProjectLabels } from '@/blocks/labelling/project-labels';
import { useFacetTexts } from '@/blocks/search/facet-texts';
import { FilterForm } from '@/blocks/search/filter-form';
import { SearchFacets, SearchFilterChips, type FacetsAndFilters } from '@/blocks/search/search-filters';
import type { AnswersAddress } from '@/state/answers-address';
import { SEARCH_DEFAULTS } from '@/state/search-address';
import { withFilter, type SearchFilter } from '@/state/search-filters';
import { useCan, useProjectName } from '@/state/session-store';
import { Button } from '@/ui/button';
import styles from './answers.module.css';

const NO_QUESTIONS: SearchFilter = { field: 'metadata.question', value: 'true', filterSelector: 'must_not', filterType: 'query' };

/** The search whose facets are shown: that of the question, or of all segments before one is asked. */
function segmentsSearchedIn({ query, searchType, selectedFacets, filters, excludeQuestions }: AnswersAddress): SegmentSearch {
  const all = excludeQuestions ? [...filters, NO_QUESTIONS] : filters;
  return segmentSearchOf({ ...SEARCH_DEFAULTS, query, searchType, selectedFacets, filters: all });
}

interface FiltersProps {
  readonly asked: AnswersAddress;
  /** Facets of the segments that were found; undefined before. */
  readonly aggregations: readonly Aggregation[] | undefined;
  readonly onChange: (part: Partial<FacetsAndFilters>) => void;
}

/** Facets of the answer, else of the segments it may stand on. */
function useAggregations({ asked, aggregations }: Omit<FiltersProps, 'onChange'>, shown = true): readonly Aggregation[] | undefined {
  const project = useProjectName();
  const search = { ...segmentsSearchedIn(asked), query: '', searchType: 'text' as const, size: 1 };
  const { data } = useQuery({ ...segmentSearchQuery(project, search), enabled: shown && asked.query === '' && project !== '' });
  return aggregations ?? data?.aggregations;
}

export function AnswersFilters({ onChange, ...props }: FiltersProps): ReactNode {
  const project = useProjectName();
  const texts = useFacetTexts(useProjectLabels());
  const aggregations = useAggregations(props);
  return (
    <SearchFacets
      screen="answers"
      target={{ searchIn: 'segments', search: segmentsSearchedIn(props.asked) }}
      selected={props.asked}
      {...{ project, aggregations, texts, onChange }}
    />
  );
}

/** The filters in use as chips, and the button that adds one. */
export function AnswersFilterChips({ onChange, ...props }: FiltersProps): ReactNode {
  const { t } = useTranslation('search');
  const texts = useFacetTexts(useProjectLabels());
  const maySearch = useCan('useSearch');
  const [open, setOpen] = useState(false);
  const aggregations = useAggregations(props, open);
  const id = useId();
  const metadata = (aggregations ?? []).map(({ name }) => name).filter((name) => name.startsWith('metadata.'));
  if (!maySearch) return null;
  const { asked } = props;
  return (
    <div className={styles['filters']}>
      <SearchFilterChips selected={asked} texts={texts} onChange={onChange}>
        <Button small kind="quiet" icon={Filter} aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
          {t('filter.title')}
        </Button>
      </SearchFilterChips>
      <div id={id} hidden={!open}>
        {open && <FilterForm metadata={metadata} onAdd={(filter) => onChange({ filters: withFilter(asked.filters, filter) })} />}
      </div>
    </div>
  );
}
