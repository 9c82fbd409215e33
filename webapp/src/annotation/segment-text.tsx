/** A segment in a card of results or suggestions: the same marks and hits as the surface, no virtual rows. Selectable when `onSelection` is given. */
import { useId, useMemo, useRef } from 'react';
import type { ClipboardEvent, ReactNode } from 'react';
import { textDirection } from '../text/direction';
import type { Extension } from '../text/extend';
import { placeSpans } from '../text/runs';
import './annotation.css';
import { surfaceVariables, useAppearance } from './label-style';
import type { Span, TextRange } from './model';
import { PickerPopover } from './popover';
import { readingOrder } from './row-model';
import { useAnnotationStrings } from './strings';
import { SpanTooltip } from './span-tooltip';
import { TextRuns } from './text-block';
import type { DrawContext } from './text-block';
import { NOTHING } from './text-row';
import { usePointer } from './use-pointer';
import { useSurface } from './use-surface';
import type { SurfaceActions } from './use-surface';
import { useHover } from './use-tooltip';
import type { PickerContext } from './surface';

interface SegmentTextProps extends Partial<SurfaceActions> {
  readonly text: string;
  readonly spans: readonly Span[];
  readonly hits?: readonly TextRange[] | undefined;
  readonly language?: string | undefined;
  readonly focusedId?: string | undefined;
  readonly extension?: Extension | undefined;
  /** Without it the text is read-only: native selection, no caret, not in the tab order. */
  readonly renderPicker?: ((context: PickerContext) => ReactNode) | undefined;
  readonly name?: string | undefined;
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
      style={surfaceVariables(appearance, RESULT_SIZE)}
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
      {hover.state?.at && <SpanTooltip span={props.spans.find(({ id }) => id === hover.state?.id)} at={hover.state.at} />}
    </div>
  );
}

const NO_SELECTION = { selectionStart: -1, selectionEnd: -1, caretStart: -1, caretEnd: -1 };
const NO_ROWS: readonly never[] = [];

function LiveSegment(props: SegmentTextProps): ReactNode {
  const { text, spans, focusedId } = props;
  const { appearance, strings, direction, placed, context } = useDrawing(props);
  const root = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const ordered = useMemo(() => readingOrder(spans), [spans]);
  const hover = useHover();
  const surface = useSurface({
    ...props,
    text,
    onFocusSpan: props.onFocusSpan ?? nothing,
    extension: props.extension ?? 'space-or-punctuation',
    focusedId,
    direction,
    readOnly: false,
    ordered,
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
  const onCopy = (event: ClipboardEvent): void => {
    const copied = surface.selection?.range ?? spans.find(({ id }) => id === focusedId);
    if (copied === undefined || (event.target instanceof HTMLElement && event.target.closest('input') !== null)) return;
    event.preventDefault();
    event.clipboardData.setData('text/plain', text.slice(copied.start, copied.end));
  };
  const range = surface.selection?.range;
  const caret = range === undefined && focusedId === undefined ? surface.caret : undefined;
  const { picker } = surface;
  return (
    <div ref={host} className="ann-segment-host" style={surfaceVariables(appearance, RESULT_SIZE)} onCopy={onCopy}>
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
            start={0}
            end={text.length}
            hits={props.hits ?? NOTHING}
            hoveredId={hover.state?.id}
            selectionStart={range?.start ?? -1}
            selectionEnd={range?.end ?? -1}
            caretStart={caret?.start ?? -1}
            caretEnd={caret?.end ?? -1}
          />
        </div>
      </div>
      {picker && props.renderPicker && (
        <PickerPopover root={root} scroller={host} target={picker.target}>
          {props.renderPicker({ ...picker, pick: (label) => surface.label(label, picker.target), close: surface.closePicker })}
        </PickerPopover>
      )}
      <div className="ann-hidden" role="status" aria-live="polite">
        {surface.announcement}
      </div>
      {hover.state?.at && <SpanTooltip span={ordered.find(({ id }) => id === hover.state?.id)} at={hover.state.at} />}
    </div>
  );
}
