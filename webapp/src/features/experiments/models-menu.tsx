/** S-044: exports and imports trained models, and deletes all of them. */
import { useMutation } from '@tanstack/react-query';
import { Download, Package, Star, Trash2, Upload } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Experiment } from '@/api/resources/experiments';
import { deleteModels, exportModels, loadModels, type ModelsChoice, type ModelsSummary } from '@/api/resources/models';
import { uploadFiles } from '@/api/upload';
import { Button } from '@/ui/button';
import { DeleteDialog } from '@/ui/delete-dialog';
import { Menu, type MenuEntry } from '@/ui/menu';
import { saveBlob } from '@/ui/save-file';
import { notify } from '@/state/notifications-store';
import { useCan } from '@/state/session-store';
import { useRefreshExperiments } from './use-experiments';

/** E-037: a separate notification for each kind of result. */
function useNotifyLoadedModels() {
  const { t } = useTranslation('experiments');
  return ({ configs = [], ignored = [] }: ModelsSummary) => {
    if (ignored.length > 0)
      notify({
        type: 'warning',
        message: t('models.ignored', { count: ignored.length }),
        cause: t('models.why', { names: ignored.join(', ') }),
      });
    if (configs.length === 0) notify({ type: 'warning', message: t('models.none') });
    else notify({ type: 'success', message: t('models.imported', { count: configs.length }) });
  };
}

function useModelArchiveMutations(project: string) {
  const refresh = useRefreshExperiments();
  const tell = useNotifyLoadedModels();
  const out = useMutation({
    mutationFn: async (choice: ModelsChoice) => saveBlob(`${project}.zip`, await exportModels(project, choice)),
    meta: { errorTitle: 'downloadModels' },
  });
  const into = useMutation({
    mutationFn: async (files: readonly File[]) => loadModels(project, await uploadFiles(files)),
    onSuccess: tell,
    onSettled: refresh,
    meta: { errorTitle: 'loadModels' },
  });
  const forget = useMutation({ mutationFn: () => deleteModels(project), onSettled: refresh, meta: { errorTitle: 'deleteModels' } });
  return { out, into, forget };
}

export interface ModelsMenuProps {
  readonly project: string;
  readonly experiments: readonly Experiment[];
  /** The open experiment. */
  readonly current: Experiment | undefined;
  readonly writable: boolean;
}

export function ModelsMenu({ project, experiments, current, writable }: ModelsMenuProps) {
  const { t } = useTranslation('experiments');
  const mayExport = useCan('exportModels');
  const mayImport = useCan('importModels') && writable;
  const { out, into, forget } = useModelArchiveMutations(project);
  const [asked, setAsked] = useState(false);
  const [chooser, setChooser] = useState<HTMLInputElement | null>(null);
  const trained = experiments.filter(({ models }) => models > 0);
  const entries: MenuEntry[] = [];
  if (mayExport && trained.length > 0) {
    if (current !== undefined && current.models > 0)
      entries.push({
        key: 'one',
        label: t('models.exportOne', { label: current.label }),
        icon: Download,
        onSelect: () => out.mutate({ experiments: [current.name] }),
      });
    if (trained.some(({ favorite }) => favorite === true))
      entries.push({ key: 'favourites', label: t('models.exportFavourites'), icon: Star, onSelect: () => out.mutate({ favorite: true }) });
    entries.push({ key: 'all', label: t('models.exportAll'), icon: Download, onSelect: () => out.mutate('all') });
  }
  if (mayImport) entries.push({ key: 'import', label: t('models.import'), icon: Upload, onSelect: () => chooser?.click() });
  if (mayImport && trained.length > 0)
    entries.push(
      { kind: 'divider', key: 'line' },
      { key: 'delete', label: t('models.delete'), icon: Trash2, danger: true, onSelect: () => setAsked(true) },
    );
  if (entries.length === 0) return null;
  return (
    <>
      <Menu
        label={t('models.title')}
        align="right"
        entries={entries}
        trigger={(props) => (
          <Button icon={Package} busy={out.isPending || into.isPending} {...props}>
            {t('models.title')}
          </Button>
        )}
      />
      <input
        ref={setChooser}
        type="file"
        accept=".zip"
        multiple
        hidden
        aria-label={t('models.import')}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          target.value = ''; // so that the same file can be chosen again
          if (files.length > 0) into.mutate(files);
        }}
      />
      <DeleteDialog
        open={asked}
        title={t('models.deleteTitle')}
        keepLabel={t('models.keep')}
        deleteLabel={t('models.delete')}
        onClose={() => setAsked(false)}
        onDelete={() => forget.mutateAsync()}
      >
        {t('models.deleteText', { count: trained.length })}
      </DeleteDialog>
    </>
  );
}
