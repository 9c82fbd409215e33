import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { LabelPanel } from '@/blocks/labelling/label-panel';
import { useProjectLabels } from '@/blocks/labelling/project-labels';
import type { Aggregation } from '@/api/resources/search';
import { withFacet } from '@/state/facet-selection';
import { useFormat } from '@/ui/format';
import type { ChangeAddress, SearchAddress } from '@/state/search-address';

const SPAN_FACET = 'label';
const CATEGORY_FACET = 'classificationLabel';

/** Number of found documents by label. `whole`: the list of labels is complete, so a missing label means zero. */
export function labelCountsFromAggregations(aggregations: readonly Aggregation[] = []): {
  readonly counts: ReadonlyMap<string, number>;
  readonly whole: boolean;
} {
  const buckets = aggregations.filter(({ name }) => name === SPAN_FACET || name === CATEGORY_FACET).flatMap((facet) => facet.buckets);
  const isRest = (key: string) => key.startsWith('sum_other_doc_count_');
  return {
    counts: new Map(buckets.filter(({ key }) => !isRest(key)).map(({ key, doc_count: count }) => [key, count])),
    whole: !buckets.some(({ key, doc_count: count }) => isRest(key) && count > 0),
  };
}

interface LabelCountsProps {
  readonly project: string;
  readonly state: SearchAddress;
  readonly change: ChangeAddress;
  readonly aggregations: readonly Aggregation[] | undefined;
}

/** W-017 on the document list: labels with the number of found documents; a click filters by the label. */
export function LabelCountsPanel({ project, state, change, aggregations }: LabelCountsProps): ReactNode {
  const { t } = useTranslation('documents');
  const format = useFormat();
  const { categorySets } = useProjectLabels();
  const { selectedFacets } = state;
  const { counts, whole } = labelCountsFromAggregations(aggregations);
  const categories = new Set(categorySets.flatMap((set) => set.labels.map(({ name }) => name)));
  const isSelected = (label: string) =>
    selectedFacets.some(({ facetName, facetValue, facetSelector }) => {
      return [SPAN_FACET, CATEGORY_FACET].includes(facetName) && facetValue === label && facetSelector !== '-';
    });
  const pick = (label: string) =>
    change({
      selectedFacets: withFacet(selectedFacets, categories.has(label) ? CATEGORY_FACET : SPAN_FACET, label, isSelected(label) ? '' : '+'),
    });
  return (
    <LabelPanel
      project={project}
      note={t('labelsNarrow')}
      keys={false}
      chosen={new Set(selectedFacets.map(({ facetValue }) => facetValue).filter(isSelected))}
      {...(aggregations !== undefined && { counts, partlyCounted: !whole })}
      countText={(count) => t('total', { count, number: format.number(count) })}
      onPick={pick}
    />
  );
}
