import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { documentKeys } from '@/api/resources/documents';
import { projectJobsQuery, jobUpdatesDocuments } from '@/api/resources/jobs';
import { segmentKeys } from '@/api/resources/segments';
import { Badge } from '@/ui/badge';
import { useCan } from '@/state/session-store';

/**
 * C-084: shown while a job changes the documents, as the displayed results may be outdated; they are fetched again when the job has ended.
 */
export function UpdatingBadge({ project }: { readonly project: string }): ReactNode {
  const { t } = useTranslation('search');
  const queryClient = useQueryClient();
  const visible = useCan('seeProjectJobs');
  const { data = [] } = useQuery({ ...projectJobsQuery(project), enabled: visible && project !== '', meta: { silent: true } });
  const updating = data.some(jobUpdatesDocuments);
  const before = useRef(false);
  useEffect(() => {
    if (before.current && !updating)
      for (const queryKey of [documentKeys.all, segmentKeys.all]) void queryClient.invalidateQueries({ queryKey });
    before.current = updating;
  }, [queryClient, updating]);
  return updating ? <Badge tone="primary">{t('updating')}</Badge> : null;
}
