/** One row of the surface: its text and spans with the highlights clipped to it, and the arcs above it. */
import type { ReactNode } from 'react';
import type { PlacedSpan } from '@/annotation/drawing/items-by-row';
import type { DrawContext } from '@/annotation/drawing/text-block';
import { NOTHING, TextRow } from '@/annotation/drawing/text-row';
import type { DocumentRows } from '@/annotation/drawing/use-rows';
import type { Span, TextRange } from '@/annotation/model';
import { RelationLayer } from '@/annotation/relations/relation-layer';
import type { RelationsState } from '@/annotation/relations/use-relations-state';
import type { AnnotationSurfaceProps, SurfaceState } from './surface-types';

const NO_LAYER: TextRange = { start: -1, end: -1 };

export interface RowHighlights {
  readonly selection: TextRange;
  readonly caret: TextRange;
  readonly focused: Span | undefined;
  readonly hoveredId: string | undefined;
  readonly links: RelationsState;
}

export function highlightsOfSurface(
  { selection, caret }: SurfaceState,
  focused: Span | undefined,
  hoveredId: string | undefined,
): Omit<RowHighlights, 'links'> {
  // The caret shows the keyboard position; a selection or a focused span already shows it.
  const shown = selection === undefined && focused === undefined ? caret : undefined;
  return { selection: selection?.range ?? NO_LAYER, caret: shown ?? NO_LAYER, focused, hoveredId };
}

export function drawRow(
  index: number,
  props: Omit<AnnotationSurfaceProps, 'ref'>,
  content: DocumentRows,
  layers: RowHighlights,
  context: DrawContext,
): ReactNode {
  const row = content.rows[index];
  if (row === undefined) return null;
  const placed = content.inRow(row);
  const inRow = (id: string | undefined): string | undefined => (placed.some(({ span }) => span.id === id) ? id : undefined);
  const at = layers.focused?.start ?? -1;
  const { links } = layers;
  const rowLinks = links.inRow(row, spansOf(placed));
  const selection = clampHighlightToRow(layers.selection, row);
  const caret = clampHighlightToRow(layers.caret, row);
  const drawn = (
    <TextRow
      text={props.text}
      row={row}
      placed={placed}
      hits={content.hitRows.get(index) ?? NOTHING}
      categories={content.categoryRows.get(index) ?? NOTHING}
      alternate={props.alternate ?? false}
      currentSegment={row.blocks.find((block) => at >= block.start && at < block.end)?.segment ?? -1}
      focusedId={inRow(layers.focused?.id)}
      hoveredId={inRow(layers.hoveredId)}
      linked={links.ends.length === 0 ? '' : links.ends.filter((id) => inRow(id) !== undefined).join(' ')}
      rises={rowLinks?.rises}
      selectionStart={selection.start}
      selectionEnd={selection.end}
      caretStart={caret.start}
      caretEnd={caret.end}
      context={context}
      onRender={props.onRowRender}
    />
  );
  if (rowLinks === undefined || props.relations === undefined) return drawn;
  return (
    <>
      {drawn}
      <RelationLayer
        links={rowLinks}
        placed={placed}
        active={rowLinks.links
          .filter(({ relation }) => links.looked.includes(relation.id))
          .map(({ relation }) => relation.id)
          .join(' ')}
        styleOf={props.relations.styleOf}
        rtl={context.rtl}
        unit={context.appearance.readingSize / 15}
      />
    </>
  );
}

const spansOf = (placed: readonly PlacedSpan[]): readonly Span[] => placed.map(({ span }) => span);

/** The highlight clipped to the row (one unit more shows that it continues), or nothing, so that untouched rows keep their props. */
function clampHighlightToRow(range: TextRange, row: TextRange): TextRange {
  if (range.start >= row.end || range.end <= row.start) return NO_LAYER;
  return { start: Math.max(range.start, row.start - 1), end: Math.min(range.end, row.end + 1) };
}
