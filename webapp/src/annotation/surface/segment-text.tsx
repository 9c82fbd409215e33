/**
 * A segment in a card of results or suggestions: the same marks and hits as the surface, without virtual rows. Selectable with
 * `renderPicker`.
 */
import type { ReactNode } from 'react';
import '@/annotation/annotation.css';
import { surfaceVariables } from '@/annotation/drawing/label-style';
import { EditableSegment } from './editable-segment';
import { SegmentArcs } from '@/annotation/relations/segment-arcs';
import { NO_SELECTION, RESULT_SIZE, useSegmentDrawing } from './segment-drawing';
import type { SegmentTextProps } from './segment-drawing';
import { HoverTip } from './surface-overlays';
import { TextRuns } from '@/annotation/drawing/text-block';
import { NOTHING } from '@/annotation/drawing/text-row';
import { useRelationsState } from '@/annotation/relations/use-relations-state';
import { useHover } from './use-hover';

export function SegmentText(props: SegmentTextProps): ReactNode {
  return props.renderPicker === undefined ? <ReadOnlySegment {...props} /> : <EditableSegment {...props} />;
}

function ReadOnlySegment(props: SegmentTextProps): ReactNode {
  const { text, relations, focusedId, size = RESULT_SIZE } = props;
  const { appearance, direction, placed, ordered, row, context } = useSegmentDrawing(props);
  const hover = useHover();
  const links = useRelationsState({ relations, text, ordered, focusedId, hoveredSpan: hover.state?.id });
  const rowLinks = links.inRow(row, ordered);
  return (
    <div
      className={rowLinks === undefined ? 'ann-segment-text' : 'ann-segment-text ann-linked'}
      style={surfaceVariables(appearance, size)}
      dir={direction}
      lang={props.language}
      data-tags={appearance.tags}
      onPointerOver={hover.onPointerOver}
      onPointerLeave={hover.onPointerLeave}
    >
      <div className="ann-text" data-start={0} data-end={text.length}>
        <TextRuns
          {...{ text, placed, context }}
          {...NO_SELECTION}
          start={0}
          end={text.length}
          hits={props.hits ?? NOTHING}
          focusedId={focusedId}
          hoveredId={hover.state?.id}
          linked={links.ends.join(' ')}
          rises={rowLinks?.rises}
        />
      </div>
      <SegmentArcs {...{ rowLinks, links, placed, relations, direction, size }} />
      <HoverTip state={hover.state} spans={props.spans} />
    </div>
  );
}
