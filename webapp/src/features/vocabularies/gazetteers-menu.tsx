/** Export and import of gazetteers as files (S-049). */
import { useMutation } from '@tanstack/react-query';
import { Download, Package, Upload } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { exportGazetteers, loadGazetteers, type Gazetteer } from '@/api/resources/gazetteers';
import type { ModelsSummary } from '@/api/resources/models';
import { uploadFiles } from '@/api/upload';
import { notify } from '@/state/notifications-store';
import { useCan } from '@/state/session-store';
import { Button } from '@/ui/button';
import { Menu, type MenuEntry } from '@/ui/menu';
import { saveBlob } from '@/ui/save-file';
import { useRefreshGazetteers } from './use-gazetteers';

/** E-037: a separate notification for each kind of result. */
function useNotifyLoaded() {
  const { t } = useTranslation('vocabularies');
  return ({ configs = [], ignored = [] }: ModelsSummary) => {
    if (ignored.length > 0)
      notify({
        type: 'warning',
        message: t('files.ignored', { count: ignored.length }),
        cause: t('files.why', { names: ignored.join(', ') }),
      });
    if (configs.length === 0) notify({ type: 'warning', message: t('files.none') });
    else notify({ type: 'success', message: t('files.imported', { count: configs.length }) });
  };
}

function useFileMutations(project: string) {
  const refresh = useRefreshGazetteers();
  const notifyLoaded = useNotifyLoaded();
  const save = useMutation({
    mutationFn: async (names: readonly string[]) =>
      saveBlob(`${names.length === 1 ? (names[0] ?? project) : project}.zip`, await exportGazetteers(project, names)),
    meta: { errorTitle: 'downloadModels' },
  });
  const load = useMutation({
    mutationFn: async (files: readonly File[]) => loadGazetteers(project, await uploadFiles(files)),
    onSuccess: notifyLoaded,
    onSettled: refresh,
    meta: { errorTitle: 'loadModels' },
  });
  return { save, load };
}

interface GazetteersMenuProps {
  readonly project: string;
  readonly gazetteers: readonly Gazetteer[];
  /** The open one. */
  readonly current: Gazetteer | undefined;
  readonly writable: boolean;
}

export function GazetteersMenu({ project, gazetteers, current, writable }: GazetteersMenuProps) {
  const { t } = useTranslation('vocabularies');
  const mayExport = useCan('exportModels');
  const mayImport = useCan('importModels') && writable;
  const { save, load } = useFileMutations(project);
  const [chooser, setChooser] = useState<HTMLInputElement | null>(null);
  const entries: MenuEntry[] = [];
  if (mayExport && current !== undefined)
    entries.push({
      ...{ key: 'one', label: t('files.exportOne', { label: current.label }), icon: Download },
      onSelect: () => save.mutate([current.name]),
    });
  if (mayExport && gazetteers.length > 0)
    entries.push({
      ...{ key: 'all', label: t('files.exportAll'), icon: Download },
      onSelect: () => save.mutate(gazetteers.map(({ name }) => name)),
    });
  if (mayImport) entries.push({ key: 'import', label: t('files.import'), icon: Upload, onSelect: () => chooser?.click() });
  if (entries.length === 0) return null;
  return (
    <>
      <Menu
        label={t('files.title')}
        align="right"
        entries={entries}
        trigger={(props) => (
          <Button icon={Package} busy={save.isPending || load.isPending} {...props}>
            {t('files.title')}
          </Button>
        )}
      />
      <input
        ref={setChooser}
        type="file"
        accept=".zip"
        multiple
        hidden
        aria-label={t('files.import')}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          target.value = ''; // so that the same file can be chosen again
          if (files.length > 0) load.mutate(files);
        }}
      />
    </>
  );
}
