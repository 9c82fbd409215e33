import { useState, type ReactNode } from 'react';
import type { UndoRedo } from '@/labelling-sync/use-undo-redo';
import type { Span } from '@/annotation/model';
import type { AnnotatedDocument } from '@/api/resources/documents';
import { PropagateAnnotationDialog } from './propagate-annotation-dialog';

/** The dialog that copies an annotation to all equal occurrences, and the function that opens it. */
export function usePropagateAnnotationDialog(
  project: string,
  document: AnnotatedDocument,
  spans: readonly Span[],
  onDone: UndoRedo['notifyDone'],
): { readonly start: (id: string) => void; readonly dialog: ReactNode } {
  const [id, setId] = useState<string | undefined>(undefined);
  const span = id === undefined ? undefined : spans.find((candidate) => candidate.id === id);
  const dialog = span && (
    <PropagateAnnotationDialog
      project={project}
      document={document.identifier}
      span={span}
      text={document.text.slice(span.start, span.end)}
      onDone={onDone}
      onClose={() => setId(undefined)}
    />
  );
  return { start: setId, dialog };
}
