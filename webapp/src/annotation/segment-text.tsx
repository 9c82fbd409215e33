/** A segment in a card of results or suggestions: the same marks and hits as the surface, no virtual rows. Selectable when `onSelection` is given. */
import { useId, useMemo, useRef } from 'react';
import type { ReactNode } from 'react';
import { textDirection } from '../text/direction';
import type { Extension } from '../text/extend';
import { placeSpans } from '../text/runs';
import './annotation.css';
import { surfaceVariables, useAppearance } from './label-style';
import type { Span, TextRange } from './model';
import { inReadingOrder } from './span-layout';
import { useAnnotationStrings } from './strings';
import { HoverTip, LiveStatus, SurfacePicker, copyFromModel } from './surface-extras';
import type { RenderPicker } from './surface-extras';
import { TextRuns } from './text-block';
import type { DrawContext } from './text-block';
import { NOTHING } from './text-row';
import { usePointer } from './use-pointer';
import { useKeyResize } from './use-key-resize';
import { useSurface } from './use-surface';
import type { SurfaceActions, SurfaceState } from './use-surface';
import { useHover } from './use-tooltip';

interface SegmentTextProps extends Partial<SurfaceActions> {
  readonly text: string;
  readonly spans: readonly Span[];
  readonly hits?: readonly TextRange[] | undefined;
  readonly language?: string | undefined;
  readonly focusedId?: string | undefined;
  readonly extension?: Extension | undefined;
  /** Without it the text is read-only: native selection, no caret, not in the tab order. */
  readonly renderPicker?: RenderPicker | undefined;
  readonly name?: string | undefined;
  /** Characters of the document as others count them. */
  readonly characters?: ((range: TextRange) => TextRange) | undefined;
  /** Reading size in px, 14 unless told. */
  readonly size?: number | undefined;
}

const RESULT_SIZE = 14;
const nothing = (): void => undefined;

export function SegmentText(props: SegmentTextProps): ReactNode {
  return props.renderPicker === undefined ? <ReadOnlySegment {...props} /> : <LiveSegment {...props} />;
}

function useDrawing(props: SegmentTextProps) {
  const { text, spans } = props;
  const appearance = useAppearance();
  const strings = useAnnotationStrings();
  const idPrefix = useId();
  const direction = useMemo(() => textDirection(text), [text]);
  const placed = useMemo(() => placeSpans(spans), [spans]);
  const rtl = direction === 'rtl';
  const context = useMemo<DrawContext>(() => ({ appearance, strings, rtl, idPrefix }), [appearance, strings, rtl, idPrefix]);
  return { appearance, strings, direction, placed, context };
}

function ReadOnlySegment(props: SegmentTextProps): ReactNode {
  const { text } = props;
  const { appearance, direction, placed, context } = useDrawing(props);
  const hover = useHover();
  return (
    <div
      className="ann-segment-text"
      style={surfaceVariables(appearance, props.size ?? RESULT_SIZE)}
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
          focusedId={props.focusedId}
          hoveredId={hover.state?.id}
        />
      </div>
      <HoverTip state={hover.state} spans={props.spans} />
    </div>
  );
}

const NO_SELECTION = { selectionStart: -1, selectionEnd: -1, caretStart: -1, caretEnd: -1 };
const NO_ROWS: readonly never[] = [];

function LiveSegment(props: SegmentTextProps): ReactNode {
  const { text, spans, focusedId } = props;
  const edge = useKeyResize(text, spans);
  const { appearance, strings, direction, placed, context } = useDrawing({ ...props, spans: edge.spans });
  const root = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const ordered = useMemo(() => [...edge.spans].sort(inReadingOrder), [edge.spans]);
  const hover = useHover();
  const surface = useSurface({
    ...props,
    onFocusSpan: props.onFocusSpan ?? nothing,
    extension: props.extension ?? 'space-or-punctuation',
    focusedId,
    direction,
    readOnly: false,
    ordered,
    saved: spans,
    rows: NO_ROWS,
    edge,
    oneOfMany: true,
    appearance,
    strings,
    root,
    reveal: nothing,
  });
  const onMouseDown = usePointer(root, root, text, NO_ROWS, {
    select: surface.select,
    click: surface.click,
    anchor: () => surface.selection?.anchor ?? surface.caret,
  });
  return (
    <div
      ref={host}
      className="ann-segment-host"
      style={surfaceVariables(appearance, props.size ?? RESULT_SIZE)}
      onCopy={(event) => copyFromModel(event, text, surface.selection?.range ?? spans.find(({ id }) => id === focusedId))}
    >
      <div
        ref={root}
        className="ann-segment-text ann-live"
        role="group"
        aria-label={props.name ?? strings.document}
        tabIndex={0}
        dir={direction}
        lang={props.language}
        data-tags={appearance.tags}
        onMouseDown={onMouseDown}
        onKeyDown={surface.onKeyDown}
        onBlur={surface.onBlur}
        onPointerOver={hover.onPointerOver}
        onPointerLeave={hover.onPointerLeave}
      >
        <div className="ann-text" data-start={0} data-end={text.length}>
          <TextRuns
            {...{ text, placed, context, focusedId }}
            {...drawnLayers(surface, focusedId !== undefined)}
            start={0}
            end={text.length}
            hits={props.hits ?? NOTHING}
            hoveredId={hover.state?.id}
          />
        </div>
      </div>
      <SurfacePicker surface={surface} render={props.renderPicker} root={root} scroller={host} />
      <LiveStatus>{surface.announcement}</LiveStatus>
      <HoverTip state={hover.state} spans={ordered} />
    </div>
  );
}

function drawnLayers(surface: SurfaceState, hasFocus: boolean): typeof NO_SELECTION {
  const range = surface.selection?.range;
  if (range !== undefined) return { ...NO_SELECTION, selectionStart: range.start, selectionEnd: range.end };
  if (hasFocus || surface.caret === undefined) return NO_SELECTION;
  return { ...NO_SELECTION, caretStart: surface.caret.start, caretEnd: surface.caret.end };
}
