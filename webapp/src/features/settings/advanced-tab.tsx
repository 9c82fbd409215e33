import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { call, client } from '@/api/client';
import { isActive, jobKeys, projectJobsQuery } from '@/api/resources/jobs';
import { deleteProject, projectKeys, projectQuery, type Project } from '@/api/resources/projects';
import { Button } from '@/ui/button';
import { DeleteDialog } from '@/ui/delete-dialog';
import { useFormat } from '@/ui/format';
import { ErrorState } from '@/blocks/error-state';
import { useCan, useSessionStore } from '@/state/session-store';
import { SegmentationCard } from './segmentation-card';
import { AltTextsCard } from './alt-texts-card';
import { ContentSettingsCard } from './content-settings-card';
import { FacetsCard } from './facets-card';
import { GeneralCard } from './general-card';
import { SharingCard } from './sharing-card';
import styles from './settings.module.css';
import { VectorsCard } from './vectors-card';

const reindex = (projectName: string) => call(client.POST('/projects/{projectName}/_reindex', { params: { path: { projectName } } }));

function SearchIndexCard({ project }: { readonly project: string }) {
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

function DeleteProjectCard({ info }: { readonly info: Project }) {
  const { t } = useTranslation('settings');
  const format = useFormat();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const openProject = useSessionStore((state) => state.openProject);
  const [asked, setAsked] = useState(false);
  const remove = useMutation({
    mutationFn: () => deleteProject(info.name),
    onSuccess: async () => {
      openProject(null);
      await navigate('/home');
      await queryClient.invalidateQueries({ queryKey: projectKeys.all });
    },
    meta: { errorTitle: 'deleteProject' },
  });
  const documents = info.documents ?? 0;
  return (
    <section className={styles['card']}>
      <h2>{t('deletion')}</h2>
      <p>{t('deletionText')}</p>
      <div>
        <Button kind="danger-text" icon={Trash2} onClick={() => setAsked(true)}>
          {t('deleteProject')}
        </Button>
      </div>
      <DeleteDialog
        open={asked}
        title={t('deleteProjectTitle', { label: info.label })}
        keepLabel={t('keepProject')}
        deleteLabel={t('deleteProject')}
        onClose={() => setAsked(false)}
        onDelete={() => remove.mutateAsync()}
        {...(documents > 0 && { strong: t('deleteStrong') })}
      >
        {t('deleteProjectText', { count: documents, number: format.number(documents) })}
      </DeleteDialog>
    </section>
  );
}

/** S-041: all settings of a project, one card per topic. */
export function AdvancedTab({ project, writable }: { readonly project: string; readonly writable: boolean }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(projectQuery(project));
  const mayDelete = useCan('deleteProject');
  if (data === undefined)
    return error === null ? null : <ErrorState title={t('errors:error.getProjectConfig')} error={error} onRetry={() => void refetch()} />;
  return (
    <div className={styles['advanced']}>
      <div className={styles['cards']}>
        <GeneralCard key={data.name} info={data} writable={writable} />
        <SharingCard info={data} writable={writable} />
        <ContentSettingsCard info={data} writable={writable} />
      </div>
      <div className={styles['cards']}>
        <FacetsCard info={data} writable={writable} />
        <SegmentationCard info={data} writable={writable} />
        <VectorsCard project={project} writable={writable} />
        {writable && <SearchIndexCard project={project} />}
        {writable && <AltTextsCard info={data} />}
        {writable && mayDelete && <DeleteProjectCard info={data} />}
      </div>
    </div>
  );
}
