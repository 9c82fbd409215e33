import { useTranslation } from 'react-i18next';
import type { ResegmentationResult } from '@/api/resources/segmentation';
import { useFormat } from '@/ui/format';
import { nonzeroDetachedCounts } from './segmentation-job';

/** Describes the effects of a segmentation, past or planned. */
export function SegmentationOutcome({ counts, words }: { readonly counts: ResegmentationResult; readonly words: 'done' | 'tried' }) {
  const { t } = useTranslation('settings');
  const format = useFormat();
  const apart = nonzeroDetachedCounts(counts);
  return (
    <>
      <p>
        {t(`segmentation.${words}`, {
          count: counts.documents,
          number: format.number(counts.documents),
          changed: format.number(counts.changed),
          before: format.number(counts.segmentsBefore),
          after: format.number(counts.segmentsAfter),
        })}
      </p>
      {counts.refused > 0 && <p>{t('segmentation.refused', { count: counts.refused, number: format.number(counts.refused) })}</p>}
      {apart.length > 0 && (
        <>
          <p>{t(`segmentation.apart.${words}`)}</p>
          <ul>
            {apart.map(({ kind, count }) => (
              <li key={kind}>{t(`segmentation.kind.${kind}`, { count, number: format.number(count) })}</li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
