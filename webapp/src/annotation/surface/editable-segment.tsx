/** A segment in a card that can be annotated: selection, keys, relations and fragments as in the surface; its text is one row. */
import { useMemo, useRef, useState } from 'react';
import type { KeyboardEvent, MouseEvent, ReactNode, RefObject } from 'react';
import '@/annotation/annotation.css';
import { surfaceVariables } from '@/annotation/drawing/label-style';
import { RelationOverlays, RubberBandLine, UnfinishedTaskNote } from '@/annotation/relations/relation-overlays';
import { SegmentArcs } from '@/annotation/relations/segment-arcs';
import { NO_SELECTION, RESULT_SIZE, useSegmentDrawing } from './segment-drawing';
import type { SegmentTextProps } from './segment-drawing';
import { FloatingSpanToolbar, HoverTip, ScreenReaderStatus, SurfacePicker, TouchHandles, copyDocumentText } from './surface-overlays';
import { TextRuns } from '@/annotation/drawing/text-block';
import { NOTHING } from '@/annotation/drawing/text-row';
import { useArcPointer } from '@/annotation/relations/use-arc-pointer';
import { useRelationAndFragmentEditing } from '@/annotation/relations/use-relation-and-fragment-editing';
import { useKeyResize } from '@/annotation/keyboard/use-key-resize';
import { pressActions, selectWordAt } from './press-actions';
import { usePointer } from './use-pointer';
import { useSurface } from './use-surface';
import { useTouch } from './use-touch';
import type { SurfaceState } from './surface-types';
import { useHover } from './use-hover';

const NO_ROWS: readonly never[] = [];
const nothing = (): void => undefined;

/** Selection, caret, picker, relations and fragments of the segment, and the clicks in it. */
function useEditableSegment(props: SegmentTextProps, root: RefObject<HTMLDivElement | null>, host: RefObject<HTMLDivElement | null>) {
  const { text, spans, focusedId, onFocusSpan = nothing } = props;
  const input = { ...props, focusedId, onFocusSpan };
  const edge = useKeyResize(text, spans);
  const { appearance, strings, direction, context, ordered, placed, row } = useSegmentDrawing({ text, spans: edge.spans });
  const [clicked, setClicked] = useState(false);
  const hover = useHover();
  const joining = useRelationAndFragmentEditing({ ...input, scroller: host, ordered, hoveredSpan: hover.state?.id, readOnly: false });
  const { links, drag, fragments, linkable } = joining;
  const drawn = useMemo(() => ({ ...context, linkable }), [context, linkable]);
  const surface = useSurface({
    ...input,
    extension: props.extension ?? 'space-or-punctuation',
    direction,
    readOnly: false,
    ordered,
    saved: spans,
    rows: NO_ROWS,
    edge,
    links,
    fragments,
    oneOfMany: true,
    appearance,
    strings,
    root,
    reveal: nothing,
  });
  const arcs = useArcPointer(links, ordered, ({ id }) => {
    setClicked(false);
    onFocusSpan(id);
    root.current?.focus({ preventScroll: true, focusVisible: false } as FocusOptions);
  });
  const focused = ordered.find(({ id }) => id === focusedId);
  const onMouseDown = usePointer(root, root, text, NO_ROWS, pressActions({ surface, joining, focused, onClick: setClicked }));
  const touch = useTouch(root, (offset) => selectWordAt(text, offset, surface));
  return {
    touched: touch.touched,
    actions: input,
    drawing: { appearance, strings, direction, context: drawn, ordered, placed },
    surface,
    joining,
    hover,
    arcs,
    focused,
    rowLinks: links.inRow(row, ordered),
    barred: clicked && links.idle ? focused : undefined,
    press: (event: MouseEvent) => {
      if (touch.repeats(event)) return;
      if (![drag, arcs].some((one) => one.press(event))) onMouseDown(event);
    },
    type: (event: KeyboardEvent) => {
      setClicked(false);
      surface.onKeyDown(event);
    },
  };
}

export function EditableSegment(props: SegmentTextProps): ReactNode {
  const { text, focusedId, relations, size = RESULT_SIZE } = props;
  const root = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const segment = useEditableSegment(props, root, host);
  const { actions, drawing, surface, joining, hover, arcs, focused, rowLinks, barred, press, type } = segment;
  const { appearance, strings, direction, context, ordered, placed } = drawing;
  const { links, drag, fragments } = joining;
  const floats = { root, scroller: host };
  return (
    <div
      ref={host}
      className="ann-segment-host"
      style={surfaceVariables(appearance, size)}
      onCopy={(event) => copyDocumentText(event, text, surface.selection?.range ?? focused)}
    >
      <div
        ref={root}
        className={rowLinks === undefined ? 'ann-segment-text ann-live' : 'ann-segment-text ann-live ann-linked'}
        role="group"
        aria-label={props.name ?? strings.document}
        tabIndex={0}
        dir={direction}
        lang={props.language}
        data-tags={appearance.tags}
        data-over-arc={links.hovered}
        onMouseDown={press}
        onKeyDown={type}
        onBlur={surface.onBlur}
        onPointerOver={hover.onPointerOver}
        onPointerMove={arcs.onPointerMove}
        onPointerLeave={hover.onPointerLeave}
      >
        <div className="ann-text" data-start={0} data-end={text.length}>
          <TextRuns
            {...{ text, placed, focusedId }}
            {...selectionHighlights(surface, focusedId !== undefined)}
            context={context}
            start={0}
            end={text.length}
            hits={props.hits ?? NOTHING}
            hoveredId={hover.state?.id}
            linked={links.ends.join(' ')}
            rises={rowLinks?.rises}
          />
        </div>
        <SegmentArcs {...{ rowLinks, links, placed, relations, direction, size }} />
      </div>
      <RelationOverlays {...{ links, relations }} {...floats} picker={surface.picker} />
      <FloatingSpanToolbar surface={surface} span={barred} actions={actions} joining={joining} {...floats} />
      <TouchHandles surface={surface} touched={segment.touched} {...floats} />
      <SurfacePicker surface={surface} text={text} spans={ordered} render={props.renderPicker} {...floats} />
      <UnfinishedTaskNote {...{ links, fragments }} spanText={joining.spanText} />
      <RubberBandLine rubber={drag.rubber} />
      <ScreenReaderStatus>{surface.announcement}</ScreenReaderStatus>
      <HoverTip state={barred !== undefined && hover.state?.id === focusedId ? undefined : hover.state} spans={ordered} />
    </div>
  );
}

function selectionHighlights(surface: SurfaceState, hasFocus: boolean): typeof NO_SELECTION {
  const range = surface.selection?.range;
  if (range !== undefined) return { ...NO_SELECTION, selectionStart: range.start, selectionEnd: range.end };
  if (hasFocus || surface.caret === undefined) return NO_SELECTION;
  return { ...NO_SELECTION, caretStart: surface.caret.start, caretEnd: surface.caret.end };
}
