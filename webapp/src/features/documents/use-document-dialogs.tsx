/** The dialogs of the document view: history, copies of an annotation, similar texts, label hotkeys, conflicts. */
import { useState, type ReactNode } from 'react';
import type { BulkSearch } from '@/api/resources/bulk-actions';
import { ConflictDialog } from '@/blocks/labelling/conflict-dialog';
import { useLayoutStore } from '@/state/layout-store';
import { useLabelHotkeysDialog } from './label-hotkeys-dialog';
import { usePropagateCategoryDialog, type PropagateCategoryControl } from './propagate-category-dialog';
import { useCommentsView, type CommentsView } from './use-comments-view';
import type { DocumentAnnotation, ShownDocument, SurfaceRef } from './use-document-annotation';
import { useHistoryView, type HistoryView } from './use-history-view';
import { useLabelOccurrencesDialog, type LabelOccurrencesControl } from './use-label-occurrences-dialog';
import { usePropagateAnnotationDialog } from './use-propagate-annotation-dialog';

export interface DocumentDialogs {
  readonly history: HistoryView;
  readonly comments: CommentsView;
  readonly onPropagate: (id: string) => void;
  /** Undefined: not permitted. */
  readonly onSimilar: PropagateCategoryControl['start'];
  readonly onHotkeys: () => void;
  /** Labels all places of words; undefined: not permitted. */
  readonly onLabelAll: LabelOccurrencesControl['start'];
  readonly dialogs: ReactNode;
}

export function useDocumentDialogs(
  { project, document, writable, search }: ShownDocument & { readonly search: BulkSearch | undefined },
  annotation: DocumentAnnotation,
  surface: SurfaceRef,
): DocumentDialogs {
  const { content, labelling, setFocusedId } = annotation;
  const [panel, setPanel] = useState<'history' | 'comments' | undefined>(undefined);
  const onOpen = (name: 'history' | 'comments') => (open: boolean) => {
    if (open) useLayoutStore.getState().setDrawer('document', 'labels', true);
    setPanel(open ? name : undefined);
  };
  const comments = useCommentsView({
    ...{ project, document, writable },
    serializer: content.serializer,
    selection: annotation.selection,
    focused: content.all.find(({ id }) => id === annotation.focusedId),
    open: panel === 'comments',
    onOpen: onOpen('comments'),
    onShow: (offset) => surface.current?.scrollTo(offset),
  });
  const history = useHistoryView(project, document.identifier, content.spans, {
    writable,
    open: panel === 'history',
    onOpen: onOpen('history'),
    onShow: ({ id, start }) => {
      surface.current?.scrollTo(start);
      setFocusedId(id);
    },
  });
  const { notifyDone } = history.undoRedo;
  const hotkeys = useLabelHotkeysDialog(project);
  const similar = usePropagateCategoryDialog(project, document, content.serializer, notifyDone, writable);
  const propagation = usePropagateAnnotationDialog(project, document, content.all, notifyDone);
  const occurrences = useLabelOccurrencesDialog({
    ...{ project, document, search },
    labels: annotation.spanLabels,
    selection: annotation.selection,
    enabled: annotation.marks,
    onDone: notifyDone,
  });
  return {
    history,
    comments,
    onLabelAll: occurrences.start,
    onPropagate: propagation.start,
    onSimilar: similar.start,
    onHotkeys: hotkeys.open,
    dialogs: (
      <>
        {hotkeys.dialog}
        {propagation.dialog}
        {occurrences.dialog}
        {similar.dialog}
        {history.dialog}
        <ConflictDialog labelling={labelling} documentIdentifier={document.identifier} />
      </>
    ),
  };
}
