import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { suggestersQuery } from '@/api/resources/suggesters';
import { useProjectLabels } from '@/blocks/labelling/project-labels';
import { FacetList, type Facet } from '@/ui/facet-list';
import { useFormat } from '@/ui/format';
import { When } from '@/ui/when';
import { useReviewSession } from './review-session-store';
import type { ReviewState } from './use-review';
import styles from './suggestions.module.css';

/** Name of a confidence band: `0.7` is `.70 to .79`. */
function useConfidenceBandName() {
  const { t } = useTranslation('suggestions');
  const format = useFormat();
  return (band: string) => {
    const low = Number(band);
    return low >= 0.9
      ? t('band.top', { low: format.score(low) })
      : t('band.range', { low: format.score(low), high: format.score(low + 0.09) });
  };
}

function SessionCounts({ project }: { readonly project: string }) {
  const { t } = useTranslation('suggestions');
  const format = useFormat();
  const sitting = useReviewSession(project);
  return (
    <section className={styles['sitting']} aria-label={t('sitting')}>
      <h3>{t('sitting')}</h3>
      <small>{sitting.since > 0 && <When at={sitting.since} />}</small>
      <dl>
        {(['accepted', 'rejected', 'skipped'] as const).map((verdict) => (
          <div key={verdict} data-verdict={verdict}>
            <dt>{t(`verdict.${verdict}`)}</dt>
            <dd>{format.number(sitting[verdict])}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Facets counted by the server: label, confidence, suggester. */
export function SuggestionsFilters({ review }: { readonly review: ReviewState }) {
  const { t } = useTranslation('suggestions');
  const { nameOf, colourOf } = useProjectLabels();
  const bandName = useConfidenceBandName();
  const { data: suggesters = [] } = useQuery({ ...suggestersQuery(review.project), meta: { silent: true } });
  const names: Readonly<Record<string, (value: string) => string>> = {
    label: nameOf,
    suggester: (value) => suggesters.find((item) => item.name === value)?.label ?? value,
    confidence: bandName,
  };
  const aggregations = review.page.data?.aggregations ?? [];
  const facets = ['label', 'confidence', 'suggester'].flatMap((name): Facet[] => {
    const found = aggregations.find((item) => item.name === name);
    if (found === undefined) return [];
    const buckets = name === 'confidence' ? [...found.buckets].sort((a, b) => Number(b.key) - Number(a.key)) : found.buckets;
    const values = buckets.map(({ key, doc_count: count }) => {
      const colour = name === 'label' ? colourOf(key) : undefined;
      return { value: key, label: names[name]?.(key) ?? key, count, ...(colour !== undefined && { colour }) };
    });
    return [{ name, label: t(`facet.${name}`), values }];
  });
  return (
    <div className={styles['filters']}>
      <FacetList
        screen="suggestions"
        facets={facets}
        selected={review.address.selectedFacets}
        onChange={(selectedFacets) => review.changeAddress({ selectedFacets, index: 0, sugId: '' })}
      />
      <SessionCounts project={review.project} />
    </div>
  );
}
