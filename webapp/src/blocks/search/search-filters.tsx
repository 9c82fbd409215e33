import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { facetValuesQuery, type FacetedSearch } from '@/api/resources/facets';
import type { Aggregation } from '@/api/resources/search';
import { FilterChip } from '@/ui/chip';
import { FacetList, type FacetValue } from '@/ui/facet-list';
import { withFacet, type SelectedFacet } from '@/state/facet-selection';
import { describeFilter, rangeOf, invertFilter, withFilter, withoutFilter, type SearchFilter } from '@/state/search-filters';
import { DATE_FACETS, facetsFromAggregations, facetValuesFromBuckets, type FacetTexts } from './facet-texts';
import { useProjectName } from '@/state/session-store';
import { FilterForm } from './filter-form';
import { RangeFilter } from './range-filter';
import { shownTermValues, useTextsWithTerms } from './term-texts';
import styles from './search.module.css';

const METADATA = 'metadata.';

/** The part of a search that the drawer changes. */
export interface FacetsAndFilters {
  readonly selectedFacets: readonly SelectedFacet[];
  readonly filters: readonly SearchFilter[];
}

/** Number of chosen facet values and filters. */
export const countFacetsAndFilters = ({ selectedFacets, filters }: FacetsAndFilters) => selectedFacets.length + filters.length;
export const NO_FACETS_OR_FILTERS: FacetsAndFilters = { selectedFacets: [], filters: [] };

interface SearchFacetsProps {
  readonly screen: string;
  readonly project: string;
  /** The search of these facets, needed to look up long facets and ranges. */
  readonly target: FacetedSearch;
  readonly aggregations: readonly Aggregation[] | undefined;
  readonly selected: FacetsAndFilters;
  readonly texts: FacetTexts;
  readonly onChange: (part: Partial<FacetsAndFilters>) => void;
}

interface FoundProps extends Pick<SearchFacetsProps, 'project' | 'target' | 'texts'> {
  readonly facet: string;
  readonly text: string;
  readonly list: (values: readonly FacetValue[] | undefined) => ReactNode;
}

function FoundFacetValues({ project, target, texts, facet, text, list }: FoundProps): ReactNode {
  const { data } = useQuery(facetValuesQuery(project, target, facet, text));
  const named = useTextsWithTerms(project, texts, shownTermValues([], data && [{ name: facet, buckets: data }]));
  return list(data === undefined ? undefined : facetValuesFromBuckets(facet, data, named));
}

/** Content of the filter drawer of a search screen (W-010): the filter form, then the facets. */
export function SearchFacets({ screen, project, target, aggregations, selected, onChange, ...props }: SearchFacetsProps): ReactNode {
  const { selectedFacets, filters } = selected;
  const texts = useTextsWithTerms(project, props.texts, shownTermValues(selectedFacets, aggregations));
  const ranged = new Set((aggregations ?? []).filter(({ valueKind }) => valueKind !== undefined).map(({ name }) => name));
  const metadata = (aggregations ?? []).map(({ name }) => name).filter((name) => name.startsWith(METADATA));
  return (
    <>
      <FilterForm metadata={metadata} onAdd={(filter) => onChange({ filters: withFilter(filters, filter) })} />
      <FacetList
        screen={screen}
        facets={facetsFromAggregations(aggregations, selectedFacets, texts)}
        selected={selectedFacets}
        onChange={(next) => onChange({ selectedFacets: next })}
        renderFound={({ name }, text, list) => <FoundFacetValues key={name} facet={name} {...{ project, target, texts, text, list }} />}
        renderMore={({ name, label }) =>
          (ranged.has(name) || DATE_FACETS.has(name)) && (
            <RangeFilter field={name} name={label} {...{ project, target, filters }} onChange={(next) => onChange({ filters: next })} />
          )
        }
      />
    </>
  );
}

/** Describes the field, the operator and the value of a filter. */
export function useFilterText(texts: FacetTexts): (filter: SearchFilter) => string {
  const { t, i18n } = useTranslation('search');
  return (filter) => {
    const { field } = filter;
    const name = i18n.exists(`search:filter.fields.${field}`) ? t(`filter.fields.${field}`) : texts.title(field);
    const range = rangeOf(filter);
    if (range !== undefined) {
      const { low, high } = range;
      if (low === '') return `${name} ≤ ${high}`;
      return high === '' ? `${name} ≥ ${low}` : `${name}: ${low} – ${high}`;
    }
    const { operator, text } = describeFilter(filter);
    return operator === 'exactly' ? `${name} = ${text}` : `${name}: ${text}`;
  };
}

interface SearchChipsProps {
  readonly selected: FacetsAndFilters;
  readonly texts: FacetTexts;
  readonly onChange: (part: Partial<FacetsAndFilters>) => void;
  readonly children?: ReactNode;
}

/** One chip per chosen value or filter; the operator toggles include and exclude (W-016). */
export function SearchFilterChips({ selected, onChange, children, ...props }: SearchChipsProps): ReactNode {
  const { selectedFacets, filters } = selected;
  const texts = useTextsWithTerms(useProjectName(), props.texts, shownTermValues(selectedFacets));
  const textOf = useFilterText(texts);
  if (countFacetsAndFilters(selected) === 0 && (children === undefined || children === null || children === false)) return null;
  const select = (name: string, value: string, selector: '' | '+' | '-') =>
    onChange({ selectedFacets: withFacet(selectedFacets, name, value, selector) });
  return (
    <div className={styles['chips']}>
      {children}
      {filters.map((filter) => (
        <FilterChip
          key={`${filter.field}:${filter.filterType}:${filter.value}`}
          exclude={filter.filterSelector === 'must_not'}
          text={textOf(filter)}
          onToggle={() => onChange({ filters: invertFilter(filters, filter) })}
          onRemove={() => onChange({ filters: withoutFilter(filters, filter) })}
        />
      ))}
      {selectedFacets.map(({ facetName, facetValue, facetSelector }) => (
        <FilterChip
          key={`${facetName}:${facetValue}`}
          exclude={facetSelector === '-'}
          text={`${texts.title(facetName)}: ${texts.value(facetName, facetValue)}`}
          onToggle={() => select(facetName, facetValue, facetSelector === '-' ? '+' : '-')}
          onRemove={() => select(facetName, facetValue, '')}
        />
      ))}
    </div>
  );
}
