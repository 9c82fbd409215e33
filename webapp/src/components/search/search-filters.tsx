import type { ReactNode } from 'react';
import type { Aggregation } from '@/api/resources/search';
import { FilterChip } from '@/components/chip';
import { FacetList, withFacet, type SelectedFacet } from '@/components/facet-list';
import { facetsOf, searchable, type FacetWords } from './facet-words';
import styles from './search.module.css';

interface SearchFacetsProps {
  readonly screen: string;
  readonly aggregations: readonly Aggregation[] | undefined;
  readonly selected: readonly SelectedFacet[];
  readonly words: FacetWords;
  readonly onChange: (selected: readonly SelectedFacet[]) => void;
}

/** Content of the filter drawer of a search screen. */
export function SearchFacets({ screen, aggregations, selected, words, onChange }: SearchFacetsProps): ReactNode {
  return (
    <FacetList
      screen={screen}
      facets={facetsOf(aggregations, selected, words)}
      selected={selected}
      onChange={(next) => onChange(searchable(next))}
    />
  );
}

interface SearchChipsProps {
  readonly selected: readonly SelectedFacet[];
  readonly words: FacetWords;
  readonly onChange: (selected: readonly SelectedFacet[]) => void;
  readonly children?: ReactNode;
}

/** One chip per chosen value; the operator toggles include and exclude (W-016). */
export function SearchChips({ selected, words, onChange, children }: SearchChipsProps): ReactNode {
  if (selected.length === 0 && (children === undefined || children === null || children === false)) return null;
  return (
    <div className={styles['chips']}>
      {children}
      {selected.map(({ facetName, facetValue, facetSelector }) => (
        <FilterChip
          key={`${facetName}:${facetValue}`}
          exclude={facetSelector === '-'}
          text={`${words.title(facetName)}: ${words.value(facetName, facetValue)}`}
          onToggle={() => onChange(withFacet(selected, facetName, facetValue, facetSelector === '-' ? '+' : '-'))}
          onRemove={() => onChange(withFacet(selected, facetName, facetValue, ''))}
        />
      ))}
    </div>
  );
}
