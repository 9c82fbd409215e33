import type { ReactNode } from 'react';
import type { Direction } from '@/text/direction';
import { RelationLayer } from './relation-layer';
import type { RelationProps, RowRelations } from './relations';
import type { PlacedSpan } from '@/annotation/drawing/items-by-row';
import type { RelationsState } from './use-relations-state';

interface SegmentArcsProps {
  readonly rowLinks: RowRelations | undefined;
  readonly links: RelationsState;
  readonly placed: readonly PlacedSpan[];
  readonly relations: RelationProps | undefined;
  readonly direction: Direction;
  /** Font size of the text in px. */
  readonly size: number;
}

/** Font size at which one unit is a pixel. */
const UNIT_SIZE = 15;

/** The relation arcs of a segment, whose text is one row. */
export function SegmentArcs({ rowLinks, links, placed, relations, direction, size }: SegmentArcsProps): ReactNode {
  if (rowLinks === undefined || relations === undefined) return null;
  const active = rowLinks.links.map(({ relation }) => relation.id).filter((id) => links.looked.includes(id));
  return (
    <RelationLayer
      links={rowLinks}
      placed={placed}
      active={active.join(' ')}
      styleOf={relations.styleOf}
      rtl={direction === 'rtl'}
      unit={size / UNIT_SIZE}
    />
  );
}
