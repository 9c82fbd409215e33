/** The annotation surface: virtual rows of text drawn as flat marks, with a selection, a caret and a keyboard of its own. */
import { useCallback, useEffect, useId, useImperativeHandle, useMemo, useRef, useState } from 'react';
import type { ClipboardEvent, ReactNode, Ref } from 'react';
import { textDirection } from '../text/direction';
import type { Extension } from '../text/extend';
import { buildRows, rowAt } from '../text/rows';
import type { Boundary, Row } from '../text/rows';
import { placeSpans } from '../text/runs';
import './annotation.css';
import { surfaceVariables, useAppearance } from './label-style';
import { bestCategoryPerSentence } from './model';
import type { SentenceCategory, Span, Target, TextRange } from './model';
import { PickerPopover } from './popover';
import { createSharer, rangesByRow, readingOrder, spansByRow } from './row-model';
import type { PlacedSpan } from './row-model';
import { useAnnotationStrings } from './strings';
import { SpanTooltip } from './span-tooltip';
import { spanElementId } from './text-block';
import type { DrawContext } from './text-block';
import { NOTHING, TextRow } from './text-row';
import { usePointer } from './use-pointer';
import { useSurface } from './use-surface';
import type { OpenPicker, SurfaceActions } from './use-surface';
import { useHover } from './use-tooltip';
import { VirtualRows } from './virtual-rows';
import type { VirtualRowsHandle } from './virtual-rows';

export interface SurfaceHandle {
  clearSelection(): void;
  /** Scrolls so that the offset (UTF-16) is on screen. */
  scrollTo(offset: number): void;
  focus(): void;
}

export interface PickerContext extends OpenPicker {
  readonly pick: (label: string) => void;
  readonly close: () => void;
}

export interface AnnotationSurfaceProps extends SurfaceActions {
  readonly text: string;
  /** Segments (sentences), UTF-16; empty: lines and sentences are found in the text. Keep the identity stable. */
  readonly segments: readonly Boundary[];
  readonly spans: readonly Span[];
  readonly hits?: readonly TextRange[] | undefined;
  readonly categories?: readonly SentenceCategory[] | undefined;
  readonly language?: string | undefined;
  readonly extension: Extension;
  readonly focusedId: string | undefined;
  readonly readOnly?: boolean | undefined;
  /** Shade every second sentence that has no category (S-009). */
  readonly alternate?: boolean | undefined;
  /** Accessible name; by default the words for "document text". */
  readonly name?: string | undefined;
  /** Scrolls with the text, above it: the title. */
  readonly header?: ReactNode;
  readonly renderPicker?: ((context: PickerContext) => ReactNode) | undefined;
  readonly onRowRender?: ((row: number) => void) | undefined;
  readonly ref?: Ref<SurfaceHandle>;
}

const NO_LAYERS = { start: -1, end: -1 };

export function AnnotationSurface(props: AnnotationSurfaceProps): ReactNode {
  const { text, segments, spans, hits = NOTHING, categories = NOTHING, focusedId, readOnly = false } = props;
  const appearance = useAppearance();
  const strings = useAnnotationStrings();
  const idPrefix = useId();
  const root = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  // The virtualiser, a child, runs its layout effect before the ref of this ancestor is set: the element comes to it as state.
  const [viewport, setViewport] = useState<HTMLElement | null>(null);
  const scrollerRef = useCallback((element: HTMLDivElement | null) => {
    scroller.current = element;
    setViewport(element);
  }, []);
  const list = useRef<VirtualRowsHandle>(null);
  const [shareSpans] = useState(() => createSharer<PlacedSpan>(spansByRow));
  const [shareHits] = useState(() => createSharer<TextRange>(rangesByRow));
  const [shareCategories] = useState(() => createSharer<SentenceCategory>(rangesByRow));

  const direction = useMemo(() => textDirection(text), [text]);
  const rows = useMemo(() => buildRows(text, segments), [text, segments]);
  const spanRows = useMemo(() => shareSpans(rows, placeSpans(spans)), [rows, spans, shareSpans]);
  const hitRows = useMemo(() => shareHits(rows, hits), [rows, hits, shareHits]);
  const categoryRows = useMemo(() => shareCategories(rows, bestCategoryPerSentence(categories)), [rows, categories, shareCategories]);
  const ordered = useMemo(() => readingOrder(spans), [spans]);
  const rtl = direction === 'rtl';
  const context = useMemo<DrawContext>(() => ({ appearance, strings, rtl, idPrefix }), [appearance, strings, rtl, idPrefix]);

  const reveal = useCallback((offset: number) => revealOffset(offset, rows, root.current, scroller.current, list.current), [rows]);
  const surface = useSurface({ ...props, direction, readOnly, ordered, appearance, strings, root, reveal });
  const hover = useHover();
  const onMouseDown = usePointer(root, scroller, text, rows, {
    select: surface.select,
    click: surface.click,
    anchor: () => surface.selection?.anchor ?? surface.caret,
  });
  const before = useHeaderHeight(viewport);
  useImperativeHandle(props.ref, () => ({ clearSelection: surface.clearSelection, scrollTo: reveal, focus: () => root.current?.focus() }));

  const range = surface.selection?.range ?? NO_LAYERS;
  const caret = surface.selection === undefined && focusedId === undefined ? (surface.caret ?? NO_LAYERS) : NO_LAYERS;
  const focused = focusedId === undefined ? undefined : ordered.find((span) => span.id === focusedId);
  const currentAt = focused?.start ?? -1;
  const pinned = surface.selection === undefined ? NOTHING : [rowAt(rows, surface.selection.anchor.start)];
  const estimate = useCallback((index: number) => estimateHeight(rows[index], appearance.readingSize), [rows, appearance.readingSize]);

  const renderRow = (index: number): ReactNode => {
    const row = rows[index];
    if (row === undefined) return null;
    const placed = spanRows.get(index) ?? NOTHING;
    const has = (id: string | undefined): string | undefined => (placed.some(({ span }) => span.id === id) ? id : undefined);
    const selected = within(range, row);
    const drawnCaret = within(caret, row);
    return (
      <TextRow
        text={text}
        row={row}
        placed={placed}
        hits={hitRows.get(index) ?? NOTHING}
        categories={categoryRows.get(index) ?? NOTHING}
        alternate={props.alternate ?? false}
        currentSegment={row.blocks.find((block) => currentAt >= block.start && currentAt < block.end)?.segment ?? -1}
        focusedId={has(focusedId)}
        hoveredId={has(hover.state?.id)}
        selectionStart={selected.start}
        selectionEnd={selected.end}
        caretStart={drawnCaret.start}
        caretEnd={drawnCaret.end}
        context={context}
        onRender={props.onRowRender}
      />
    );
  };

  const onCopy = (event: ClipboardEvent): void => {
    const copied = surface.selection?.range ?? focused;
    if (copied === undefined || isEditable(event.target)) return;
    event.preventDefault();
    event.clipboardData.setData('text/plain', text.slice(copied.start, copied.end));
  };

  const { picker } = surface;
  return (
    <div className="ann-surface" style={surfaceVariables(appearance)} onCopy={onCopy} onPointerLeave={hover.onPointerLeave}>
      <div ref={scrollerRef} className="ann-scroller">
        <div className="ann-header">{props.header}</div>
        <div
          ref={root}
          className="ann-root"
          data-tags={appearance.tags}
          role="group"
          aria-label={props.name ?? strings.document}
          aria-describedby={`${idPrefix}help`}
          aria-activedescendant={focused && spanElementId(idPrefix, focused.id)}
          tabIndex={0}
          dir={direction}
          lang={props.language}
          onMouseDown={onMouseDown}
          onPointerOver={hover.onPointerOver}
          onKeyDown={surface.onKeyDown}
          onBlur={surface.onBlur}
        >
          <VirtualRows ref={list} count={rows.length} viewport={viewport} before={before} estimate={estimate} pinned={pinned} renderRow={renderRow} />
        </div>
        {picker && props.renderPicker && (
          <PickerPopover key={targetKey(picker.target)} target={picker.target} root={root} scroller={scroller}>
            {props.renderPicker({ ...picker, pick: (label) => surface.label(label, picker.target), close: surface.closePicker })}
          </PickerPopover>
        )}
      </div>
      <div className="ann-hidden" id={`${idPrefix}help`}>
        {strings.help}
      </div>
      <div className="ann-hidden" role="status" aria-live="polite">
        {surface.announcement}
      </div>
      {hover.state?.at && <SpanTooltip span={ordered.find(({ id }) => id === hover.state?.id)} at={hover.state.at} />}
    </div>
  );
}

function targetKey(target: Target): string {
  return target.kind === 'span' ? target.id : `${String(target.start)}-${String(target.end)}`;
}

function isEditable(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea') !== null;
}

/** The layer cut to the row (one unit of margin says that it goes on), or nothing: rows it does not touch keep their props. */
function within(range: TextRange, row: TextRange): TextRange {
  if (range.start >= row.end || range.end <= row.start) return NO_LAYERS;
  return { start: Math.max(range.start, row.start - 1), end: Math.min(range.end, row.end + 1) };
}

const SIGNS_PER_LINE = 105;

function estimateHeight(row: { readonly blocks: readonly TextRange[] } | undefined, readingSize: number): number {
  const lines = (row?.blocks ?? []).reduce((sum, block) => sum + Math.ceil((block.end - block.start) / SIGNS_PER_LINE), 0);
  return Math.max(1, lines) * 42 * (readingSize / 15);
}

function revealOffset(
  offset: number,
  rows: readonly Row[],
  root: HTMLElement | null,
  scroller: HTMLElement | null,
  list: VirtualRowsHandle | null,
): void {
  const index = rowAt(rows, offset);
  const mounted = root?.querySelector<HTMLElement>(`[data-index="${String(index)}"]`);
  const box = scroller?.getBoundingClientRect();
  const own = mounted?.getBoundingClientRect();
  const visible = box !== undefined && own !== undefined && own.top >= box.top && own.bottom <= box.bottom;
  if (!visible && index >= 0) list?.scrollToRow(index);
}

function useHeaderHeight(viewport: HTMLElement | null): number {
  const [height, setHeight] = useState(0);
  useEffect(() => {
    const header = viewport?.firstElementChild;
    if (!header || typeof ResizeObserver === 'undefined') return undefined;
    const observer = new ResizeObserver(() => setHeight(header.getBoundingClientRect().height));
    observer.observe(header);
    return () => observer.disconnect();
  }, [viewport]);
  return height;
}
