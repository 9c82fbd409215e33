/** The dialogs of the document view: history, copies of an annotation, similar texts, label hotkeys, conflicts. */
import type { ReactNode } from 'react';
import { ConflictDialog } from '@/blocks/labelling/conflict-dialog';
import { useLabelHotkeysDialog } from './label-hotkeys-dialog';
import { usePropagateCategoryDialog, type PropagateCategoryControl } from './propagate-category-dialog';
import type { DocumentAnnotation, ShownDocument, SurfaceRef } from './use-document-annotation';
import { useHistoryView, type HistoryView } from './use-history-view';
import { usePropagateAnnotationDialog } from './use-propagate-annotation-dialog';

export interface DocumentDialogs {
  readonly history: HistoryView;
  readonly onPropagate: (id: string) => void;
  /** Undefined: not permitted. */
  readonly onSimilar: PropagateCategoryControl['start'];
  readonly onHotkeys: () => void;
  readonly dialogs: ReactNode;
}

export function useDocumentDialogs(
  { project, document, writable }: ShownDocument,
  { content, labelling, setFocusedId }: DocumentAnnotation,
  surface: SurfaceRef,
): DocumentDialogs {
  const history = useHistoryView(project, document.identifier, content.spans, {
    writable,
    onShow: ({ id, start }) => {
      surface.current?.scrollTo(start);
      setFocusedId(id);
    },
  });
  const { notifyDone } = history.undoRedo;
  const hotkeys = useLabelHotkeysDialog(project);
  const similar = usePropagateCategoryDialog(project, document, content.serializer, notifyDone, writable);
  const propagation = usePropagateAnnotationDialog(project, document, content.all, notifyDone);
  return {
    history,
    onPropagate: propagation.start,
    onSimilar: similar.start,
    onHotkeys: hotkeys.open,
    dialogs: (
      <>
        {hotkeys.dialog}
        {propagation.dialog}
        {similar.dialog}
        {history.dialog}
        <ConflictDialog labelling={labelling} documentIdentifier={document.identifier} />
      </>
    ),
  };
}
