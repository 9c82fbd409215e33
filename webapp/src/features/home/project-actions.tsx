import { Download, Ellipsis, FolderOpen, LogOut, Share2, Trash2, UserRoundCog, UsersRound } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Project } from '@/api/resources/projects';
import { IconButton } from '@/ui/icon-button';
import { lazyPart } from '@/ui/lazy-part';
import { Menu, type MenuEntry } from '@/ui/menu';
import { allowed } from '@/state/permissions';
import { useSessionStore } from '@/state/session-store';
import { useIsProjectReadOnly } from './project-parts';
import { openProjectPath } from './project-table';

const ExportProjectDialog = lazyPart(async () => (await import('@/blocks/projects/export-project-dialog')).ExportProjectDialog);
const ChangeGroupDialog = lazyPart(async () => (await import('@/blocks/projects/change-group-dialog')).ChangeGroupDialog);
const ChangeOwnerDialog = lazyPart(async () => (await import('@/blocks/projects/change-owner-dialog')).ChangeOwnerDialog);
const ShareDialog = lazyPart(async () => (await import('@/blocks/projects/share-dialog')).ShareDialog);
const LeaveProjectDialog = lazyPart(async () => (await import('./leave-project-dialog')).LeaveProjectDialog);

type Dialog = 'export' | 'share' | 'owner' | 'group' | 'leave';

function useProjectMenuEntries(project: Project, open: (dialog: Dialog) => void, onDelete: () => void): MenuEntry[] {
  const { t } = useTranslation('home');
  const permissions = useSessionStore((state) => state.permissions);
  const me = useSessionStore((state) => state.principal?.username);
  const readOnly = useIsProjectReadOnly(project);
  const may = (permission: string) => allowed(permissions, permission);
  const owner = project.owner?.username === me;
  const entries: MenuEntry[] = [{ key: 'open', label: t('action.open'), icon: FolderOpen, to: openProjectPath(project) }];
  if (owner || may('exportProject'))
    entries.push({ key: 'export', label: t('action.export'), icon: Download, onSelect: () => open('export') });
  if (owner || (may('shareProject') && !readOnly))
    entries.push(
      { key: 'share', label: t('action.share'), icon: Share2, onSelect: () => open('share') },
      { key: 'owner', label: t('action.owner'), icon: UserRoundCog, onSelect: () => open('owner') },
      { key: 'group', label: t('action.group'), icon: UsersRound, onSelect: () => open('group') },
    );
  if (!owner && (project.sharedBy?.length ?? 0) > 0)
    entries.push({ key: 'leave', label: t('action.leave'), icon: LogOut, onSelect: () => open('leave') });
  if (may('deleteProject'))
    entries.push(
      { kind: 'divider', key: 'line' },
      { key: 'delete', label: t('action.delete'), icon: Trash2, danger: true, disabled: readOnly, onSelect: onDelete },
    );
  return entries;
}

/**
 * The menu of one project: open, export (`exportProject`, D-020), share, leave a shared project, owner and group (`shareProject`, D-019),
 * delete (S-004).
 */
export function ProjectActions({ project, onDelete }: { readonly project: Project; readonly onDelete: () => void }) {
  const { t } = useTranslation('home');
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const mayDataset = useSessionStore((state) => allowed(state.permissions, 'exportDataset'));
  const entries = useProjectMenuEntries(project, setDialog, onDelete);
  const shared = { project: project.name, label: project.label, onClose: () => setDialog(null) };
  return (
    <>
      <Menu
        label={t('action.label', { project: project.label })}
        align="right"
        entries={entries}
        trigger={(props) => <IconButton small label={t('action.label', { project: project.label })} icon={Ellipsis} {...props} />}
      />
      {dialog === 'export' && <ExportProjectDialog {...shared} nature={project.nature} mayDataset={mayDataset} />}
      {dialog === 'share' && <ShareDialog {...shared} may />}
      {dialog === 'group' && <ChangeGroupDialog {...shared} group={project.group?.name ?? ''} />}
      {dialog === 'leave' && <LeaveProjectDialog project={project} onClose={shared.onClose} />}
      {dialog === 'owner' && <ChangeOwnerDialog {...shared} owner={project.owner?.username ?? ''} />}
    </>
  );
}
