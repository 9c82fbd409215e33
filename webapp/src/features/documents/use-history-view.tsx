import { useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { UndoConflictDialog } from '@/blocks/labelling/undo-conflict-dialog';
import { useUndoRedo, type UndoRedo } from '@/labelling-sync/use-undo-redo';
import type { Span } from '@/annotation/model';
import type { PageProps } from '@/ui/page';
import { HistoryButtons } from './history-buttons';
import { HistoryPanel } from './history-panel';

export interface HistoryView {
  readonly undoRedo: UndoRedo;
  readonly buttons: ReactNode;
  readonly dialog: ReactNode;
  /** Content of the page's drawer while the history is open. */
  readonly panel: Pick<PageProps, 'drawer' | 'drawerTitle' | 'drawerSubject' | 'onCloseDrawer'> | undefined;
}

interface HistoryViewOptions {
  readonly writable: boolean;
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
  readonly onShow: (span: Span) => void;
}

/** Undo, redo and the history of one document, for its screen. `onShow` scrolls to a span. */
export function useHistoryView(
  project: string,
  document: string,
  spans: readonly Span[],
  { writable, open, onOpen, onShow }: HistoryViewOptions,
): HistoryView {
  const { t } = useTranslation('history');
  const undoRedo = useUndoRedo(project, document, writable);
  const byId = useMemo(() => new Map(spans.map((span) => [span.id, span])), [spans]);
  const show = (id: string) => {
    const span = byId.get(id);
    if (span !== undefined) onShow(span);
  };
  const drawer = <HistoryPanel {...{ project, document, undoRedo, writable }} isThere={(id) => byId.has(id)} onShow={show} />;
  return {
    undoRedo,
    buttons: <HistoryButtons undoRedo={undoRedo} writable={writable} open={open} onToggle={() => onOpen(!open)} />,
    dialog: <UndoConflictDialog undoRedo={undoRedo} />,
    panel: open ? { drawer, drawerTitle: t('title'), drawerSubject: 'history', onCloseDrawer: () => onOpen(false) } : undefined,
  };
}
