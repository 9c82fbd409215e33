/** The annotation surface: virtual rows of text drawn as flat marks, with a selection, a caret and a keyboard of its own. */
import { useCallback, useEffect, useId, useImperativeHandle, useMemo, useRef, useState } from 'react';
import type { ReactNode, Ref } from 'react';
import type { Extension } from '../text/extend';
import { rowAt } from '../text/rows';
import type { Boundary, Row } from '../text/rows';
import './annotation.css';
import { surfaceVariables, useAppearance } from './label-style';
import type { SentenceCategory, Span, TextRange } from './model';
import { useAnnotationStrings } from './strings';
import { HoverTip, LiveStatus, SurfacePicker, copyFromModel } from './surface-extras';
import type { RenderPicker } from './surface-extras';
import { spanElementId } from './text-block';
import type { DrawContext } from './text-block';
import { NOTHING, TextRow } from './text-row';
import { usePointer } from './use-pointer';
import { useRows } from './use-rows';
import type { DocumentRows } from './use-rows';
import { useSurface } from './use-surface';
import type { SurfaceActions } from './use-surface';
import { useHover } from './use-tooltip';
import { VirtualRows } from './virtual-rows';
import type { VirtualRowsHandle } from './virtual-rows';

export interface SurfaceHandle {
  clearSelection(): void;
  /** Scrolls so that the offset (UTF-16) is on screen. */
  scrollTo(offset: number): void;
  focus(): void;
}

export interface AnnotationSurfaceProps extends SurfaceActions {
  readonly text: string;
  /** Segments (sentences), UTF-16; empty: lines and sentences are found in the text. Keep the identity of all arrays stable. */
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
  readonly renderPicker?: RenderPicker | undefined;
  /** Told of each render of a row; for tests and the bench. */
  readonly onRowRender?: ((row: number) => void) | undefined;
  readonly ref?: Ref<SurfaceHandle>;
}

const NO_LAYER: TextRange = { start: -1, end: -1 };

interface RowLayers {
  readonly selection: TextRange;
  readonly caret: TextRange;
  readonly focused: Span | undefined;
  readonly hoveredId: string | undefined;
}

export function AnnotationSurface({ ref, ...props }: AnnotationSurfaceProps): ReactNode {
  const { text, focusedId } = props;
  const appearance = useAppearance();
  const strings = useAnnotationStrings();
  const idPrefix = useId();
  const root = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualRowsHandle>(null);
  // The virtualiser, a child, runs its layout effect before the ref of this ancestor is set: the element comes to it as state.
  const [viewport, setViewport] = useState<HTMLElement | null>(null);
  const scrollerRef = useCallback((element: HTMLDivElement | null) => {
    scroller.current = element;
    setViewport(element);
  }, []);

  const content = useRows(text, props.segments, props.spans, props.hits ?? NOTHING, props.categories ?? NOTHING);
  const { rows, ordered, direction } = content;
  const context = useMemo<DrawContext>(
    () => ({ appearance, strings, rtl: direction === 'rtl', idPrefix }),
    [appearance, strings, direction, idPrefix],
  );
  const reveal = useCallback((offset: number) => revealOffset(offset, rows, root.current, scroller.current, list.current), [rows]);
  const surface = useSurface({ ...props, direction, readOnly: props.readOnly ?? false, ordered, appearance, strings, root, reveal });
  const hover = useHover();
  const onMouseDown = usePointer(root, scroller, text, rows, {
    select: surface.select,
    click: surface.click,
    anchor: () => surface.selection?.anchor ?? surface.caret,
  });
  const before = useHeaderHeight(viewport);
  useImperativeHandle(ref, () => ({ clearSelection: surface.clearSelection, scrollTo: reveal, focus: () => root.current?.focus() }));

  const focused = focusedId === undefined ? undefined : ordered.find((span) => span.id === focusedId);
  const layers: RowLayers = {
    selection: surface.selection?.range ?? NO_LAYER,
    caret: drawnCaret(surface.caret, surface.selection !== undefined || focused !== undefined),
    focused,
    hoveredId: hover.state?.id,
  };
  const pinned = surface.selection === undefined ? NOTHING : [rowAt(rows, surface.selection.anchor.start)];
  const estimate = useCallback((index: number) => estimateHeight(rows[index], appearance.readingSize), [rows, appearance.readingSize]);

  return (
    <div
      className="ann-surface"
      style={surfaceVariables(appearance)}
      onCopy={(event) => copyFromModel(event, text, surface.selection?.range ?? focused)}
      onPointerLeave={hover.onPointerLeave}
    >
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
          <VirtualRows
            ref={list}
            count={rows.length}
            viewport={viewport}
            before={before}
            estimate={estimate}
            pinned={pinned}
            renderRow={(index) => drawRow(index, props, content, layers, context)}
          />
        </div>
        <SurfacePicker surface={surface} render={props.renderPicker} root={root} scroller={scroller} />
      </div>
      <div className="ann-hidden" id={`${idPrefix}help`}>
        {strings.help}
      </div>
      <LiveStatus>{surface.announcement}</LiveStatus>
      <HoverTip state={hover.state} spans={ordered} />
    </div>
  );
}

/** The caret shows where the keyboard is; a selection or a focused span shows it already. */
function drawnCaret(caret: TextRange | undefined, hidden: boolean): TextRange {
  return hidden || caret === undefined ? NO_LAYER : caret;
}

function drawRow(
  index: number,
  props: Omit<AnnotationSurfaceProps, 'ref'>,
  content: DocumentRows,
  layers: RowLayers,
  context: DrawContext,
): ReactNode {
  const row = content.rows[index];
  if (row === undefined) return null;
  const placed = content.spanRows.get(index) ?? NOTHING;
  const inRow = (id: string | undefined): string | undefined => (placed.some(({ span }) => span.id === id) ? id : undefined);
  const at = layers.focused?.start ?? -1;
  const selection = within(layers.selection, row);
  const caret = within(layers.caret, row);
  return (
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
      selectionStart={selection.start}
      selectionEnd={selection.end}
      caretStart={caret.start}
      caretEnd={caret.end}
      context={context}
      onRender={props.onRowRender}
    />
  );
}

/** The layer cut to the row (one unit of margin says that it goes on), or nothing: rows it does not touch keep their props. */
function within(range: TextRange, row: TextRange): TextRange {
  if (range.start >= row.end || range.end <= row.start) return NO_LAYER;
  return { start: Math.max(range.start, row.start - 1), end: Math.min(range.end, row.end + 1) };
}

const SIGNS_PER_LINE = 105;
const LINE = 42;

function estimateHeight(row: Row | undefined, readingSize: number): number {
  const lines = (row?.blocks ?? []).reduce((sum, block) => sum + Math.ceil((block.end - block.start) / SIGNS_PER_LINE), 0);
  return Math.max(1, lines) * LINE * (readingSize / 15);
}

function revealOffset(
  offset: number,
  rows: readonly Row[],
  root: HTMLElement | null,
  scroller: HTMLElement | null,
  list: VirtualRowsHandle | null,
): void {
  const index = rowAt(rows, offset);
  const row = rows[index];
  const start = row?.blocks.find((block) => offset < block.end)?.start;
  const own = root?.querySelector(`[data-start="${String(start)}"]`)?.getBoundingClientRect();
  const box = scroller?.getBoundingClientRect();
  const visible = box !== undefined && own !== undefined && own.top >= box.top && own.bottom <= box.bottom;
  if (!visible && row !== undefined) list?.scrollToRow(index);
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
