/** The target of a label pick, key or button: the selection, or the focused annotation. */
import { useCallback, useState } from 'react';
import { useSessionStore } from '@/state/session-store';
import type { SpanExtent } from '@/annotation/fragments';
import type { LabellingTarget, TextRange } from '@/annotation/model';
import type { DocumentSerializer } from '@/annotation/document-serializer';
import type { LabellingEditor } from '@/labelling-sync/labelling-editor';
import { widenFilterFor } from './view-filter';

export interface LabellingActions {
  readonly onLabel: (label: string, target: LabellingTarget) => void;
  readonly onAccept: (id: string) => void;
  readonly onReject: (id: string) => void;
  readonly onRemove: (id: string) => void;
  readonly onResize: (id: string, extent: SpanExtent) => void;
}

/** Saves the changes that the surface reports for a text of a document; a new annotation gets the focus. */
export function useLabellingActions(
  labelling: LabellingEditor,
  documentIdentifier: string,
  wire: DocumentSerializer,
  onFocusSpan: (id: string | undefined) => void,
): LabellingActions {
  const onLabel = useCallback(
    (label: string, target: LabellingTarget) => {
      widenFilterFor(labelling.project, label, useSessionStore.getState().principal?.username ?? '');
      if (target.kind === 'span') return labelling.change(documentIdentifier, target.id, { labelName: label, status: 'OK' });
      onFocusSpan(labelling.create(documentIdentifier, wire.newAnnotation(documentIdentifier, target, label)));
    },
    [labelling, documentIdentifier, wire, onFocusSpan],
  );
  const onAccept = useCallback((id: string) => labelling.change(documentIdentifier, id, { status: 'OK' }), [labelling, documentIdentifier]);
  const onReject = useCallback((id: string) => labelling.change(documentIdentifier, id, { status: 'KO' }), [labelling, documentIdentifier]);
  const onRemove = useCallback(
    (id: string) => {
      onFocusSpan(undefined);
      labelling.remove(documentIdentifier, id);
    },
    [labelling, documentIdentifier, onFocusSpan],
  );
  const onResize = useCallback(
    (id: string, extent: SpanExtent) => labelling.change(documentIdentifier, id, wire.apiExtent(extent)),
    [labelling, documentIdentifier, wire],
  );
  return { onLabel, onAccept, onReject, onRemove, onResize };
}

/** Keeps the focus on an annotation when the server assigns its id. */
export function useFocusedSpan() {
  const [focusedId, setFocusedId] = useState<string | undefined>(undefined);
  const onNamed = useCallback((from: string, to: string) => setFocusedId((id) => (id === from ? to : id)), []);
  return { focusedId, setFocusedId, onNamed };
}

export const labellingTarget = (selection: TextRange | undefined, focusedId: string | undefined): LabellingTarget | undefined => {
  if (selection !== undefined) return { kind: 'selection', start: selection.start, end: selection.end };
  return focusedId === undefined ? undefined : { kind: 'span', id: focusedId };
};
