import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Download, Ellipsis, Flag, Settings, Upload, WandSparkles } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BASE } from '@/api/client';
import { patchProject, projectKeys } from '@/api/resources/projects';
import { IconButton } from '@/components/icon-button';
import { Menu, type MenuEntry } from '@/components/menu';
import { useImportStore } from '@/state/import-store';
import { notify } from '@/state/notifications-store';
import { allowed } from '@/state/permissions';
import { useProjectWritable, useSessionStore } from '@/state/session-store';
import { ROUTES } from '../routes';

const ClusteringDialog = lazy(async () => ({
  default: (await import('@/components/clustering/clustering-dialog')).ClusteringDialog,
}));
const AnnotateCorpusDialog = lazy(async () => ({
  default: (await import('@/components/annotate-corpus-dialog')).AnnotateCorpusDialog,
}));

/** N-009 */
function useOpeningRoute(project: string, route: string) {
  const { t } = useTranslation('shell');
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => patchProject(project, { routeOnOpenProject: route }),
    onSuccess: async () => {
      notify({ type: 'success', message: t('project.opensHereDone', { page: t(`title.${route}`) }) });
      await queryClient.invalidateQueries({ queryKey: projectKeys.all });
    },
    meta: { errorTitle: 'updateProjectConfig' },
  });
}

export interface ProjectMenuProps {
  readonly name: string;
  /** Id of the route shown. */
  readonly route: string;
}

/** W-024: what can be done to the open project, wherever one is in it. */
export function ProjectMenu({ name, route }: ProjectMenuProps) {
  const { t } = useTranslation('shell');
  const permissions = useSessionStore((state) => state.permissions);
  const writable = useProjectWritable();
  const openImport = useImportStore((state) => state.setOpen);
  const [annotating, setAnnotating] = useState(false);
  const opening = useOpeningRoute(name, route);
  if (!allowed(permissions, 'projectActionMenu')) return null;
  const may = (rule: string) => allowed(permissions, rule);
  const row = ROUTES.find((item) => item.id === route);
  const entries: MenuEntry[] = [];
  if (may('importDocuments') && writable)
    entries.push({ key: 'import', label: t('project.import'), icon: Upload, onSelect: () => openImport(true) });
  if (may('annotateCorpus') && writable)
    entries.push({ key: 'annotate', label: t('project.annotate'), icon: WandSparkles, onSelect: () => setAnnotating(true) });
  if (may('exportDocuments'))
    entries.push({
      key: 'export',
      label: t('project.export'),
      icon: Download,
      href: `${BASE}/projects/${encodeURIComponent(name)}/documents`,
    });
  if (may('changeProjectConfig') && writable && row?.needsProject === true)
    entries.push({ key: 'opening', label: t('project.opensHere'), icon: Flag, onSelect: () => opening.mutate() });
  if (may('seeSettings')) entries.push({ key: 'settings', label: t('project.configure'), icon: Settings, to: '/settings' });
  if (entries.length === 0) return null;
  return (
    <>
      <Menu
        label={t('project.label')}
        entries={entries}
        trigger={(props) => <IconButton label={t('project.label')} icon={Ellipsis} {...props} />}
      />
      {annotating && (
        <Suspense fallback={null}>
          <AnnotateCorpusDialog project={name} onClose={() => setAnnotating(false)} />
        </Suspense>
      )}
    </>
  );
}
