import { useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { UndoConflictDialog } from '@/blocks/labelling/undo-conflict-dialog';
import { useUndoRedo, type UndoRedo } from '@/labelling-sync/use-undo-redo';
import type { Span } from '@/annotation/model';
import type { PageProps } from '@/ui/page';
import { useLayoutStore } from '@/state/layout-store';
import { HistoryButtons } from './history-buttons';
import { HistoryPanel } from './history-panel';

export interface HistoryView {
  readonly undoRedo: UndoRedo;
  readonly buttons: ReactNode;
  readonly dialog: ReactNode;
  /** Content of the page's drawer while the history is open. */
  readonly panel: Pick<PageProps, 'drawer' | 'drawerTitle' | 'drawerSubject' | 'onCloseDrawer'> | undefined;
}

/** Undo, redo and the history of one document, for its screen. `onShow` scrolls to a span. */
export function useHistoryView(
  project: string,
  document: string,
  spans: readonly Span[],
  { writable, onShow }: { readonly writable: boolean; readonly onShow: (span: Span) => void },
): HistoryView {
  const { t } = useTranslation('history');
  const undoRedo = useUndoRedo(project, document, writable);
  const [open, setOpen] = useState(false);
  const byId = useMemo(() => new Map(spans.map((span) => [span.id, span])), [spans]);
  const toggle = () => {
    if (!open) useLayoutStore.getState().setDrawer('document', 'labels', true);
    setOpen(!open);
  };
  const show = (id: string) => {
    const span = byId.get(id);
    if (span !== undefined) onShow(span);
  };
  const drawer = <HistoryPanel {...{ project, document, undoRedo, writable }} isThere={(id) => byId.has(id)} onShow={show} />;
  return {
    undoRedo,
    buttons: <HistoryButtons undoRedo={undoRedo} writable={writable} open={open} onToggle={toggle} />,
    dialog: <UndoConflictDialog undoRedo={undoRedo} />,
    panel: open ? { drawer, drawerTitle: t('title'), drawerSubject: 'history', onCloseDrawer: () => setOpen(false) } : undefined,
  };
}
