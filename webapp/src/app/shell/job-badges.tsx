import { useTranslation } from 'react-i18next';
import { Badge } from '@/ui/badge';
import { useJobCounts } from './job-counts';

/** Active jobs, and failures that nobody has seen. */
export function JobBadges() {
  const { t } = useTranslation('shell');
  const { active, failed } = useJobCounts();
  return (
    <>
      {active > 0 && failed === 0 && <Badge tone="primary">{active}</Badge>}
      {failed > 0 && (
        <Badge tone="error">
          <span className="visually-hidden">{t('rail.failedJobs')}</span>
          {active > 0 ? `${active} / ${failed}` : failed}
        </Badge>
      )}
    </>
  );
}
