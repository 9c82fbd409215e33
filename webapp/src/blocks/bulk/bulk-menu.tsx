/** S-012, S-021: bulk actions on all results; each entry only for users who may do it. */
import { Bot, Download, Eraser, ListChecks, Tag, Tags, Trash2, type LucideIcon } from 'lucide-react';
import { lazy, Suspense, useState, type ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import type { BulkTarget } from '@/api/resources/bulk-actions';
import { Button } from '@/ui/button';
import { Menu, type MenuEntry } from '@/ui/menu';
import { useCan, useProjectWritable } from '@/state/session-store';
import type { BulkDialogProps } from './bulk-dialog';

const ACTIONS = ['tag', 'categorise', 'annotate', 'export', 'labelling', 'delete'] as const;
type Action = (typeof ACTIONS)[number];

const ICONS: Record<Action, LucideIcon> = {
  tag: Tag,
  categorise: Tags,
  annotate: Bot,
  export: Download,
  labelling: Eraser,
  delete: Trash2,
};

const DIALOGS: Record<Action, ComponentType<BulkDialogProps>> = {
  tag: lazy(async () => ({ default: (await import('./set-metadata-dialog')).SetMetadataDialog })),
  categorise: lazy(async () => ({ default: (await import('./categorise-dialog')).CategoriseDialog })),
  annotate: lazy(async () => ({ default: (await import('./annotate-dialog')).AnnotateDialog })),
  export: lazy(async () => ({ default: (await import('./export-dialog')).ExportDialog })),
  labelling: lazy(async () => ({ default: (await import('./delete-labelling-dialog')).DeleteLabellingDialog })),
  delete: lazy(async () => ({ default: (await import('./delete-documents-dialog')).DeleteDocumentsDialog })),
};

/** Actions permitted to the user. A read-only project can only be exported (T-006). */
export function useAllowedBulkActions(): readonly Action[] {
  const writable = useProjectWritable();
  const annotate = useCan('annotateCorpus') && writable;
  const rights: Record<Action, boolean> = {
    tag: useCan('modifyMetadata') && writable,
    categorise: annotate,
    annotate,
    export: useCan('exportDocuments'),
    labelling: annotate,
    delete: useCan('deleteDocuments') && writable,
  };
  return ACTIONS.filter((action) => rights[action]);
}

export interface BulkMenuProps {
  readonly project: string;
  readonly target: BulkTarget;
  /** A secondary button, for the toolbar of a selection. */
  readonly quiet?: boolean;
  readonly onStarted?: () => void;
}

export function BulkMenu({ project, target, quiet = false, onStarted }: BulkMenuProps) {
  const { t } = useTranslation('bulk');
  const actions = useAllowedBulkActions();
  const [open, setOpen] = useState<Action | null>(null);
  if (actions.length === 0) return null;
  const firstDanger = actions.find((action) => action === 'labelling' || action === 'delete');
  const entries = actions.flatMap((action): MenuEntry[] => {
    const danger = action === 'labelling' || action === 'delete';
    const entry = { key: action, label: t(`menu.${action}`), icon: ICONS[action], danger, onSelect: () => setOpen(action) };
    return action === firstDanger && action !== actions[0] ? [{ kind: 'divider', key: 'danger' }, entry] : [entry];
  });
  const Dialog = open === null ? null : DIALOGS[open];
  return (
    <>
      <Menu
        label={t('menu.title')}
        align="right"
        entries={entries}
        trigger={(props) => (
          <Button kind={quiet ? 'quiet' : 'outline'} icon={ListChecks} {...props}>
            {t('menu.title')}
          </Button>
        )}
      />
      {Dialog !== null && (
        <Suspense fallback={null}>
          <Dialog {...{ project, target, onStarted }} onClose={() => setOpen(null)} />
        </Suspense>
      )}
    </>
  );
}
