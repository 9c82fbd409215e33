import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { altTextsQuery, deleteAltTexts } from '@/api/resources/archives-and-shares';
import type { Project } from '@/api/resources/projects';
import { Button } from '@/ui/button';
import { CheckRow } from '@/ui/choice-inputs';
import { DeleteDialog } from '@/ui/delete-dialog';
import { useFormat } from '@/ui/format';
import { notify } from '@/state/notifications-store';
import { useCan } from '@/state/session-store';
import styles from './settings.module.css';

/** D-014, V-025: alternative texts by name; deletion requires a selection and a confirmation. Not for question answering. */
export function AltTextsCard({ info }: { readonly info: Project }) {
  const { t } = useTranslation('project');
  const format = useFormat();
  const queryClient = useQueryClient();
  const may = useCan('deleteDocuments') && info.nature !== 'question_answering';
  const { data: texts = [] } = useQuery({ ...altTextsQuery(info.name), enabled: may });
  const [selected, setSelected] = useState<readonly string[]>([]);
  const [asked, setAsked] = useState(false);
  const remove = useMutation({
    mutationFn: () => deleteAltTexts(info.name, selected),
    onSuccess: async ({ removed }) => {
      setSelected([]);
      notify({ type: 'success', message: t('settings.altTextsDeleted', { count: removed, number: format.number(removed) }) });
      await queryClient.invalidateQueries({ queryKey: ['documents'] });
    },
    meta: { errorTitle: 'altTexts' },
  });
  if (!may || texts.length === 0) return null;
  const count = texts.filter((text) => selected.includes(text.name)).reduce((sum, text) => sum + text.count, 0);
  return (
    <section className={styles['card']}>
      <h2>{t('settings.altTexts')}</h2>
      {texts.map((text) => (
        <CheckRow
          key={text.name}
          label={text.name}
          help={t('settings.altTextsCount', { count: text.count, number: format.number(text.count) })}
          checked={selected.includes(text.name)}
          onChange={(next) => setSelected(next ? [...selected, text.name] : selected.filter((one) => one !== text.name))}
        />
      ))}
      <div>
        <Button kind="danger-text" icon={Trash2} disabled={selected.length === 0} onClick={() => setAsked(true)}>
          {t('settings.altTextsDelete')}
        </Button>
      </div>
      <DeleteDialog
        open={asked}
        title={t('settings.altTextsTitle')}
        keepLabel={t('settings.altTextsKeep')}
        deleteLabel={t('settings.altTextsDelete')}
        strong={t('settings.altTextsStrong')}
        onClose={() => setAsked(false)}
        onDelete={() => remove.mutateAsync()}
      >
        {t('settings.altTextsWhat', { count, number: format.number(count), names: selected.join(', ') })}
      </DeleteDialog>
    </section>
  );
}
