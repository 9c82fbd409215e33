import { useMemo } from 'react';
import { useLocation } from 'react-router';
import { AnnotateCorpusDialog } from '@/blocks/engines/annotate-corpus-dialog';
import { ClusteringDialog } from '@/blocks/engines/clustering-dialog';
import { PredefinedComponentsDialog } from '@/blocks/engines/predefined-components-dialog';
import { currentSearch } from './current-search';

/** D-011, D-012 */
const DIALOGS = { annotate: AnnotateCorpusDialog, clustering: ClusteringDialog, predefined: PredefinedComponentsDialog } as const;

export type ProjectDialogName = keyof typeof DIALOGS;

export interface ProjectDialogProps {
  readonly dialog: ProjectDialogName;
  readonly project: string;
  readonly onClose: () => void;
}

/** A dialog of the project menu. */
export function ProjectDialog({ dialog, project, onClose }: ProjectDialogProps) {
  const { pathname } = useLocation();
  const search = useMemo(() => currentSearch(pathname), [pathname]);
  const Chosen = DIALOGS[dialog];
  return <Chosen project={project} onClose={onClose} {...(dialog === 'annotate' && search !== undefined && { search })} />;
}
