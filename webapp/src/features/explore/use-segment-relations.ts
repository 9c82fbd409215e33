/** Relations between the annotations of a segment: fetched for its document, drawn where both ends are in the segment. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useEdits } from '@/labelling-sync/edits-store';
import type { LabellingEditor } from '@/labelling-sync/labelling-editor';
import { useRelations, type DocumentRelations } from '@/blocks/labelling/use-relations';
import { documentRelationsQuery, type Relation } from '@/api/resources/relations';
import type { Segment } from '@/api/resources/segments';

const NONE: readonly Relation[] = [];
const noOperation = (): void => undefined;

interface Focus {
  readonly focusedId: string | undefined;
  readonly focusedRelation: string | undefined;
  readonly onFocusRelation: (id: string | undefined) => void;
  readonly least?: number;
}

interface SegmentRelations extends DocumentRelations {
  /** All relations known to the server, including those to other segments. */
  readonly known: readonly Relation[];
}

/**
 * `least`: minimum number of annotations in the segment for which relations are fetched; a single one cannot have a relation inside the
 * segment.
 */
export function useSegmentRelations(
  segment: Segment,
  labelling: LabellingEditor,
  writable: boolean,
  shown: boolean,
  { focusedId, focusedRelation, onFocusRelation, least = 2 }: Focus,
): SegmentRelations {
  const { project } = labelling;
  const { documentIdentifier: identifier, annotations = NONE } = segment;
  const { data = NONE } = useQuery(documentRelationsQuery(project, identifier, annotations.length >= least));
  const document = useMemo(() => ({ identifier, relations: data }), [identifier, data]);
  const edits = useEdits(project, identifier);
  const focus = { focusedId: focusedRelation, onFocus: onFocusRelation, onNamed: noOperation };
  return { ...useRelations({ project, document, edits, labelling, writable, shown }, focus, focusedId), known: data };
}
