import { Download, Ellipsis, FolderOpen, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { BASE } from '@/api/client';
import type { Project } from '@/api/resources/projects';
import { IconButton } from '@/components/icon-button';
import { Menu, type MenuEntry } from '@/components/menu';
import { allowed } from '@/state/permissions';
import { useSessionStore } from '@/state/session-store';
import { useIsReadOnly } from './project-parts';
import { openPath } from './project-table';

/** The menu of one project: open, export (`exportProject`), delete (`deleteProject`, S-004). */
export function ProjectActions({ project, onDelete }: { readonly project: Project; readonly onDelete: () => void }) {
  const { t } = useTranslation('home');
  const permissions = useSessionStore((state) => state.permissions);
  const readOnly = useIsReadOnly(project);
  const entries: MenuEntry[] = [{ key: 'open', label: t('action.open'), icon: FolderOpen, to: openPath(project) }];
  if (allowed(permissions, 'exportProject')) {
    entries.push({
      key: 'export',
      label: t('action.export'),
      icon: Download,
      href: `${BASE}/projects/${encodeURIComponent(project.name)}/_export?includeModels=true`,
    });
  }
  if (allowed(permissions, 'deleteProject')) {
    entries.push(
      { kind: 'divider', key: 'line' },
      { key: 'delete', label: t('action.delete'), icon: Trash2, danger: true, disabled: readOnly, onSelect: onDelete },
    );
  }
  return (
    <Menu
      label={t('action.label', { project: project.label })}
      align="right"
      entries={entries}
      trigger={(props) => <IconButton small label={t('action.label', { project: project.label })} icon={Ellipsis} {...props} />}
    />
  );
}
