import { useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { TurnConflictDialog } from '@/annotation/connected/turn-conflict-dialog';
import { useTurns, type Turns } from '@/annotation/connected/use-turns';
import type { Span } from '@/annotation/model';
import { useLayoutStore } from '@/state/layout-store';
import { HistoryButtons } from './history-buttons';
import { HistoryPanel } from './history-panel';

interface HistoryView {
  readonly turns: Turns;
  readonly buttons: ReactNode;
  readonly dialog: ReactNode;
  /** Stands in the drawer of the page while the history is open. */
  readonly panel: { readonly drawer: ReactNode; readonly drawerTitle: string } | undefined;
}

/** Undo, redo and the history of one document, for its screen. `onShow` brings a span into view. */
export function useHistoryView(
  project: string,
  document: string,
  spans: readonly Span[],
  { writable, onShow }: { readonly writable: boolean; readonly onShow: (span: Span) => void },
): HistoryView {
  const { t } = useTranslation('history');
  const turns = useTurns(project, document, writable);
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
  const drawer = <HistoryPanel {...{ project, document, turns, writable }} isThere={(id) => byId.has(id)} onShow={show} />;
  return {
    turns,
    buttons: <HistoryButtons turns={turns} writable={writable} open={open} onToggle={toggle} />,
    dialog: <TurnConflictDialog turns={turns} />,
    panel: open ? { drawer, drawerTitle: t('title') } : undefined,
  };
}
