import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { BookA, Bot, Download, Ellipsis, Flag, Settings, Shapes, Upload, WandSparkles, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BASE } from '@/api/client';
import { patchProject, projectKeys, projectQuery } from '@/api/resources/projects';
import { IconButton } from '@/ui/icon-button';
import { lazyPart } from '@/ui/lazy-part';
import { Menu, type MenuEntry } from '@/ui/menu';
import { useImportStore } from '@/state/import-dialog-store';
import { notify } from '@/state/notifications-store';
import { allowed } from '@/state/permissions';
import { useProjectWritable, useSessionStore } from '@/state/session-store';
import { ROUTES } from '@/app/routes';
import type { ProjectDialogName } from './project-dialog';

const ProjectDialog = lazyPart(async () => (await import('./project-dialog')).ProjectDialog);

/** N-009 */
function useSaveOpeningRoute(project: string, route: string) {
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

/** Entries that open a dialog. */
function dialogEntries(may: (rule: string) => boolean, t: (key: string) => string, ask: (what: ProjectDialogName) => void): MenuEntry[] {
  const entry = (what: ProjectDialogName, icon: LucideIcon): MenuEntry => ({
    key: what,
    label: t(`project.${what}`),
    icon,
    onSelect: () => ask(what),
  });
  const annotates = may('annotateCorpus');
  /** Things created from experiments, plans and labels. */
  const makes = annotates || may('seeExperiments');
  return [
    ...(annotates ? [entry('annotate', WandSparkles)] : []),
    ...(makes ? [entry('clustering', Shapes), entry('predefined', Bot)] : []),
  ];
}

/** Entries that import documents, and terms where the project has vocabularies. */
function importEntries(
  may: (rule: string) => boolean,
  t: (key: string) => string,
  hasVocabularies: boolean,
  onImport: () => void,
): MenuEntry[] {
  const terms = hasVocabularies && may('seeGazetteers') && may('importTerms');
  return [
    ...(may('importDocuments') ? [{ key: 'import', label: t('project.import'), icon: Upload, onSelect: onImport }] : []),
    ...(terms ? [{ key: 'importTerms', label: t('project.importTerms'), icon: BookA, to: '/gazetteers/lexicons?import' }] : []),
  ];
}

/** W-024: actions on the open project, available on all its screens. */
export function ProjectMenu({ name, route }: ProjectMenuProps) {
  const { t } = useTranslation('shell');
  const permissions = useSessionStore((state) => state.permissions);
  const writable = useProjectWritable();
  const openImport = useImportStore((state) => state.setOpen);
  const [asked, setAsked] = useState<ProjectDialogName | null>(null);
  const opening = useSaveOpeningRoute(name, route);
  const { data: info } = useQuery({ ...projectQuery(name), meta: { silent: true } });
  const hasVocabularies = info?.nature === 'sequence_labelling';
  if (!allowed(permissions, 'projectActionMenu')) return null;
  const may = (rule: string) => allowed(permissions, rule);
  const row = ROUTES.find((item) => item.id === route);
  const entries: MenuEntry[] = [];
  if (writable) entries.push(...importEntries(may, t, hasVocabularies, () => openImport(true)), ...dialogEntries(may, t, setAsked));
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
      {asked !== null && <ProjectDialog dialog={asked} project={name} onClose={() => setAsked(null)} />}
    </>
  );
}
