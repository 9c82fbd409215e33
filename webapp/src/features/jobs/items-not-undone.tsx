/** Items that an undo did not change, because somebody changed them since. */
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { jobItemsQuery } from '@/api/resources/bulk-actions';
import type { Job } from '@/api/resources/jobs';
import { translatedMessageOf } from '@/api/server-messages';
import { useFormat } from '@/ui/format';
import styles from './jobs.module.css';

export function ItemsNotUndone({ job }: { readonly job: Job }) {
  const { t } = useTranslation('jobs');
  const format = useFormat();
  const { data } = useQuery(jobItemsQuery(job.project, job.id));
  if (data === undefined) return null;
  const more = data.total - data.items.length;
  return (
    <div className={styles['kept']}>
      <strong>{t('kept')}</strong>
      <ul>
        {data.items.map((line) => (
          <li key={line.item}>
            <b>{line.documentIdentifier ?? line.item}</b> {translatedMessageOf(line, 'message')}
          </li>
        ))}
      </ul>
      {more > 0 && <p>{t('keptMore', { count: more, number: format.number(more) })}</p>}
    </div>
  );
}
