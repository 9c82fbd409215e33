import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { LabelPanel } from '@/blocks/labelling/label-panel';
import { useProjectLabels } from '@/blocks/labelling/project-labels';
import { useFormat } from '@/ui/format';
import { notify } from '@/state/notifications-store';
import type { ReviewState } from './use-review';

/** W-017 on the suggestions screen: how often each label is proposed; a click confirms the focused proposal with it. */
export function SuggestionLabelPanel({ review, writable }: { readonly review: ReviewState; readonly writable: boolean }): ReactNode {
  const { t } = useTranslation('suggestions');
  const format = useFormat();
  const { spanSets, categorySets } = useProjectLabels();
  const { proposal, page } = review;
  const buckets = page.data?.aggregations?.find(({ name }) => name === 'label')?.buckets;
  const pick = (label: string) => {
    if (!writable) return notify({ type: 'info', message: t('errors:readOnlyProject') });
    if (proposal === undefined) return notify({ type: 'info', message: t('labels.nothing') });
    const fitting = (proposal.kind === 'category' ? categorySets : spanSets).some((set) => set.labels.some(({ name }) => name === label));
    if (!fitting) return notify({ type: 'info', message: t(`labels.other_${proposal.kind}`) });
    return review.relabel(label);
  };
  return (
    <LabelPanel
      project={review.project}
      {...(writable && { note: t('labels.confirm') })}
      keys={false}
      current={proposal?.labelName}
      {...(buckets !== undefined && { counts: new Map(buckets.map(({ key, doc_count: count }) => [key, count])) })}
      countText={(count) => t('labels.proposed', { count, number: format.number(count) })}
      onPick={pick}
    />
  );
}
