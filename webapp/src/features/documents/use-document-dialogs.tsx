/** The dialogs of the document view: history, copies of an annotation, similar texts, label hotkeys, conflicts. */
import type { ReactNode } from 'react';
import type { BulkSearch } from '@/api/resources/bulk-actions';
import { ConflictDialog } from '@/blocks/labelling/conflict-dialog';
import { useLabelHotkeysDialog } from './label-hotkeys-dialog';
import { usePropagateCategoryDialog, type PropagateCategoryControl } from './propagate-category-dialog';
import type { DocumentAnnotation, ShownDocument, SurfaceRef } from './use-document-annotation';
import { useHistoryView, type HistoryView } from './use-history-view';
import { useLabelOccurrencesDialog, type LabelOccurrencesControl } from './use-label-occurrences-dialog';
import { usePropagateAnnotationDialog } from './use-propagate-annotation-dialog';

export interface DocumentDialogs {
  readonly history: HistoryView;
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
  const occurrences = useLabelOccurrencesDialog({
    ...{ project, document, search },
    labels: annotation.spanLabels,
    selection: annotation.selection,
    enabled: annotation.marks,
    onDone: notifyDone,
  });
  return {
    history,
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
