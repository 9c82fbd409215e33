import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { segmentSearchOf } from '@/api/resources/segments';
import type { FacetTexts } from '@/blocks/search/facet-texts';
import { SearchFacets } from '@/blocks/search/search-filters';
import type { Side } from '@/state/compare-address';
import { useProjectName } from '@/state/session-store';
import { SegmentedControl } from '@/ui/choice-inputs';
import styles from './compare.module.css';
import type { ComparedSearch } from './use-compared-search';

interface FiltersProps {
  readonly one: ComparedSearch;
  readonly two: ComparedSearch;
  readonly texts: FacetTexts;
}

/** The facets of one search at a time (W-010). */
export function CompareFilters({ one, two, texts }: FiltersProps): ReactNode {
  const { t } = useTranslation('compare');
  const project = useProjectName();
  const [side, setSide] = useState<Side>('explore1');
  const { state, change, page, ready } = side === 'explore1' ? one : two;
  return (
    <>
      <div className={styles['filters-of']}>
        <SegmentedControl<Side>
          label={t('filtersOf')}
          value={side}
          options={[one, two].map((search) => ({ value: search.side, label: t('side', { letter: search.letter }) }))}
          onChange={setSide}
        />
      </div>
      <SearchFacets
        key={side}
        screen="compare-search"
        aggregations={ready ? page?.aggregations : []}
        target={{ searchIn: 'segments', search: { ...segmentSearchOf(state), from: 0, sort: '' } }}
        selected={state}
        onChange={change}
        {...{ project, texts }}
      />
    </>
  );
}
