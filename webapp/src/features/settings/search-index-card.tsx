import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { call, client } from '@/api/client';
import { isActive, jobKeys, projectJobsQuery } from '@/api/resources/jobs';
import { Button } from '@/ui/button';
import styles from './settings.module.css';

const reindex = (projectName: string) => call(client.POST('/projects/{projectName}/_reindex', { params: { path: { projectName } } }));

/** Builds the search index of the project again. */
export function SearchIndexCard({ project }: { readonly project: string }) {
  const { t } = useTranslation('settings');
  const queryClient = useQueryClient();
  const { data: jobs = [] } = useQuery({ ...projectJobsQuery(project), meta: { silent: true } });
  const running = jobs.some((job) => job.type === 'PROJECT_INDEXING' && isActive(job));
  const run = useMutation({
    mutationFn: () => reindex(project),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: jobKeys.all }),
    meta: { errorTitle: 'reindexProject' },
  });
  return (
    <section className={styles['card']}>
      <h2>{t('index')}</h2>
      <p>{t('indexText')}</p>
      <div>
        <Button icon={RefreshCw} busy={run.isPending || running} onClick={() => run.mutate()}>
          {t(running ? 'indexing' : 'reindex')}
        </Button>
      </div>
    </section>
  );
}
