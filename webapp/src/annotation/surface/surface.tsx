/** The annotation surface: virtual rows of text drawn as flat marks, with a selection, a caret and a keyboard of its own. */
import { useCallback, useId, useImperativeHandle, useMemo, useRef, useState } from 'react';
import type { ReactNode, Ref } from 'react';
import { isApple } from '@/ui/key-chords';
import type { Direction } from '@/text/direction';
import type { Extension } from '@/text/extend-selection';
import type { LayoutMark } from '@/text/layout';
import { rowAt } from '@/text/rows';
import type { Boundary, Row } from '@/text/rows';
import '@/annotation/annotation.css';
import { surfaceVariables, useAppearance } from '@/annotation/drawing/label-style';
import type { SentenceCategory, Span, TextRange } from '@/annotation/model';
import { SentenceMenu, useSentenceMenu } from './sentence-menu';
import type { RenderSentence } from './sentence-menu';
import { useAnnotationStrings } from '@/annotation/strings';
import { FloatingBar, HoverTip, LiveStatus, SurfacePicker, copyFromModel } from './surface-extras';
import type { RenderPicker } from './surface-extras';
import type { PlacedSpan } from '@/annotation/drawing/row-model';
import { estimateHeight, revealOffset, useHeaderHeight } from './surface-scroll';
import { spanElementId } from '@/annotation/drawing/text-block';
import type { DrawContext } from '@/annotation/drawing/text-block';
import { NOTHING, TextRow } from '@/annotation/drawing/text-row';
import { useSpanDrag } from './use-span-drag';
import { usePointer } from './use-pointer';
import { useRows } from '@/annotation/drawing/use-rows';
import type { DocumentRows } from '@/annotation/drawing/use-rows';
import { RelationFloats, RubberBandLine, TaskNote } from '@/annotation/relations/relation-extras';
import { RelationLayer } from '@/annotation/relations/relation-layer';
import type { RelationProps } from '@/annotation/relations/relations';
import { useArcPointer } from '@/annotation/relations/use-arc-pointer';
import { useKeyResize } from '@/annotation/keyboard/use-key-resize';
import { useSurfaceTasks } from '@/annotation/relations/use-surface-tasks';
import type { Links } from '@/annotation/relations/use-links';
import { useSurface } from './use-surface';
import type { SurfaceActions, SurfaceState } from './use-surface';
import { useHover } from './use-hover';
import { VirtualRows } from './virtual-rows';
import type { VirtualRowsHandle } from './virtual-rows';

export interface SurfaceHandle {
  clearSelection(): void;
  /** Scrolls so that the offset (UTF-16) is on screen. */
  scrollTo(offset: number): void;
  focus(): void;
  /** Opens the picker on a span. */
  relabel(id: string): void;
  /** Opens the choice of another name for a relation. */
  nameRelation(id: string): void;
  /** Opens the categories of the sentence that starts there (UTF-16). */
  editSentence(start: number): void;
  /** The sentence that the keyboard is in, UTF-16. */
  sentence(): TextRange;
}

export interface AnnotationSurfaceProps extends SurfaceActions {
  readonly text: string;
  /** What the text looked like, UTF-16: it is drawn so, with the same marks at the same places; absent: as plain text. */
  readonly layout?: readonly LayoutMark[] | undefined;
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
  /** Characters as others count them, for what is said; by default counted in this text. */
  readonly characters?: ((range: TextRange) => TextRange) | undefined;
  readonly renderPicker?: RenderPicker | undefined;
  /** Relations between the spans; absent: none are drawn or made. */
  readonly relations?: RelationProps | undefined;
  /** Opens beside a sentence, for its categories. */
  readonly renderSentence?: RenderSentence | undefined;
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
  readonly links: Links;
}

export function AnnotationSurface({ ref, ...props }: AnnotationSurfaceProps): ReactNode {
  const { text, focusedId, readOnly = false } = props;
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

  const [clicked, setClicked] = useState(false);
  const resizable = props.onResize !== undefined && !readOnly;
  const menu = useSentenceMenu(props.renderSentence);
  const held = useSpanDrag({ text, extension: props.extension, spans: props.spans });
  const edge = useKeyResize(text, held.spans);
  const content = useRows(text, props.segments, edge.spans, props.hits, props.categories, props.layout);
  const { rows, ordered, direction } = content;
  const hover = useHover();
  const hoveredId = hover.state?.id;
  const joining = useSurfaceTasks({ ...props, scroller, ordered, hoveredSpan: hoveredId, readOnly });
  const { links, drag, fragments, linkable } = joining;
  const context = useMemo<DrawContext>(
    () => ({ appearance, strings, rtl: direction === 'rtl', idPrefix, resizable, sentences: menu.active, linkable }),
    [appearance, strings, direction, idPrefix, resizable, menu.active, linkable],
  );
  const reveal = useCallback((offset: number) => revealOffset(offset, rows, root.current, scroller.current, list.current), [rows]);
  const surface = useSurface({
    ...props,
    direction,
    readOnly,
    ordered,
    saved: props.spans,
    rows,
    edge,
    links,
    fragments,
    appearance,
    strings,
    root,
    reveal,
  });
  const arcs = useArcPointer(links, ordered, (span) => {
    setClicked(false);
    props.onFocusSpan(span.id);
    reveal(span.start);
    root.current?.focus({ preventScroll: true, focusVisible: false } as FocusOptions);
  });
  const onMouseDown = usePointer(root, scroller, text, rows, {
    select: (anchor, head, dragging, more) => {
      if (joining.select(more ? focused : undefined)) surface.select(anchor, head, dragging);
    },
    click: (ids, offset) => {
      if (joining.click(ids)) return;
      setClicked(ids.length > 0);
      surface.click(ids, offset);
    },
    anchor: () => surface.selection?.anchor ?? surface.caret,
    grip: resizable ? (grip, from, to, phase) => held.grip(grip, from, to, phase, surface.resize) : undefined,
  });
  const before = useHeaderHeight(viewport);
  useImperativeHandle(ref, () => ({
    clearSelection: surface.clearSelection,
    scrollTo: reveal,
    focus: () => root.current?.focus(),
    relabel: (id) => {
      reveal(spanOf(ordered, id)?.start ?? 0);
      surface.relabel(id);
    },
    nameRelation: links.rename,
    sentence: surface.sentence,
    editSentence: (start) => {
      reveal(start);
      menu.open(start);
    },
  }));
  const focused = spanOf(ordered, focusedId);
  const layers = { ...layersOf(surface, focused, hoveredId), links };
  const barred = clicked && !readOnly && held.moved === undefined && links.idle;
  const pinned = pinnedRows(surface, rows);
  const estimate = useCallback((index: number) => estimateHeight(rows[index], appearance.readingSize), [rows, appearance.readingSize]);

  return (
    <div
      className="ann-surface"
      style={surfaceVariables(appearance)}
      onCopy={(event) => copyFromModel(event, text, surface.selection?.range ?? focused)}
    >
      <div ref={scrollerRef} className="ann-scroller">
        <Header direction={direction}>{props.header}</Header>
        <div
          ref={root}
          className="ann-root"
          data-tags={appearance.tags}
          role="group"
          aria-label={props.name ?? strings.document}
          aria-describedby={`${idPrefix}help`}
          aria-activedescendant={focused && spanElementId(idPrefix, focused.id)}
          tabIndex={0}
          data-focus-key="text"
          dir={direction}
          lang={props.language}
          onMouseDown={(event) => {
            if (![menu, drag, arcs].some((one) => one.press(event))) onMouseDown(event);
          }}
          onPointerOver={hover.onPointerOver}
          onPointerLeave={hover.onPointerLeave}
          onPointerMove={arcs.onPointerMove}
          data-over-arc={links.hovered}
          onKeyDown={(event) => {
            setClicked(false);
            surface.onKeyDown(event);
          }}
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
        <RelationFloats {...{ links, root, scroller }} relations={props.relations} picker={surface.picker} />
        <FloatingBar surface={surface} span={barred ? focused : undefined} actions={props} {...{ joining, root, scroller }} />
        <SentenceMenu menu={menu} render={props.renderSentence} root={root} scroller={scroller} />
        <SurfacePicker surface={surface} render={props.renderPicker} root={root} scroller={scroller} />
      </div>
      <TaskNote {...{ links, fragments }} spanText={joining.spanText} />
      <RubberBandLine rubber={drag.rubber} />
      <Help id={`${idPrefix}help`} />
      <LiveStatus>{surface.announcement}</LiveStatus>
      <HoverTip state={barred && hoveredId === focusedId ? undefined : hover.state} spans={ordered} />
    </div>
  );
}

/** The row where a selection began stays mounted. */
function pinnedRows({ selection }: SurfaceState, rows: readonly Row[]): readonly number[] {
  return selection === undefined ? NOTHING : [rowAt(rows, selection.anchor.start)];
}

function spanOf(spans: readonly Span[], id: string | undefined): Span | undefined {
  return id === undefined ? undefined : spans.find((span) => span.id === id);
}

function layersOf({ selection, caret }: SurfaceState, focused: Span | undefined, hoveredId: string | undefined): Omit<RowLayers, 'links'> {
  // The caret shows where the keyboard is; a selection or a focused span shows it already.
  const shown = selection === undefined && focused === undefined ? caret : undefined;
  return { selection: selection?.range ?? NO_LAYER, caret: shown ?? NO_LAYER, focused, hoveredId };
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
  const placed = content.inRow(row);
  const inRow = (id: string | undefined): string | undefined => (placed.some(({ span }) => span.id === id) ? id : undefined);
  const at = layers.focused?.start ?? -1;
  const { links } = layers;
  const rowLinks = links.inRow(row, spansOf(placed));
  const selection = within(layers.selection, row);
  const caret = within(layers.caret, row);
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

/** Read out with the name of the text. */
function Help({ id }: { readonly id: string }): ReactNode {
  const strings = useAnnotationStrings();
  return (
    <div className="ann-hidden" id={id}>
      {strings.help(isApple() ? 'Cmd' : 'Ctrl')}
    </div>
  );
}

interface HeaderProps {
  readonly direction: Direction;
  readonly children: ReactNode;
}

/** What stands above the text begins where the text does. */
function Header({ direction, children }: HeaderProps): ReactNode {
  return (
    <div className="ann-header" dir={direction}>
      {children}
    </div>
  );
}

const spansOf = (placed: readonly PlacedSpan[]): readonly Span[] => placed.map(({ span }) => span);

/** The layer cut to the row (one unit of margin says that it goes on), or nothing: rows it does not touch keep their props. */
function within(range: TextRange, row: TextRange): TextRange {
  if (range.start >= row.end || range.end <= row.start) return NO_LAYER;
  return { start: Math.max(range.start, row.start - 1), end: Math.min(range.end, row.end + 1) };
}
