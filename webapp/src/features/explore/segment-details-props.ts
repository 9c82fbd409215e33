import type { ViewFilter } from '@/blocks/labelling/view-filter';
import type { LabellingEditor } from '@/labelling-sync/labelling-editor';
import type { Segment } from '@/api/resources/segments';

/** Details of the active segment for the drawer. */
export interface SegmentDetailsProps {
  readonly segment: Segment;
  readonly labelling: LabellingEditor;
  readonly filter: ViewFilter;
  readonly focusedId: string | undefined;
  readonly writable: boolean;
  readonly onFocusSpan: (id: string) => void;
  readonly focusedRelation: string | undefined;
  readonly onFocusRelation: (id: string | undefined) => void;
}
