import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { deleteProject, projectKeys, type Project } from '@/api/resources/projects';
import { Button } from '@/ui/button';
import { DeleteDialog } from '@/ui/delete-dialog';
import { useFormat } from '@/ui/format';
import { useSessionStore } from '@/state/session-store';
import styles from './settings.module.css';

/** Deletes the project with all that it holds, after a strong confirmation. */
export function DeleteProjectCard({ info }: { readonly info: Project }) {
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
