/** The complete state of a document's surface: rows, moved edges, relations, selection, and the handling of clicks. */
import { useCallback, useId, useMemo, useRef, useState } from 'react';
import type { MouseEvent, KeyboardEvent } from 'react';
import { useAppearance } from '@/annotation/drawing/label-style';
import type { DrawContext } from '@/annotation/drawing/text-block';
import { NOTHING } from '@/annotation/drawing/text-row';
import { useRows } from '@/annotation/drawing/use-rows';
import { useKeyResize } from '@/annotation/keyboard/use-key-resize';
import type { Span } from '@/annotation/model';
import { useArcPointer } from '@/annotation/relations/use-arc-pointer';
import { useRelationAndFragmentEditing } from '@/annotation/relations/use-relation-and-fragment-editing';
import { useAnnotationStrings } from '@/annotation/strings';
import { rowIndexAt } from '@/text/rows';
import type { Row } from '@/text/rows';
import { useSentenceMenu } from './sentence-menu';
import { highlightsOfSurface } from './surface-row';
import { revealOffset, useScroller } from './surface-scroll';
import type { AnnotationSurfaceProps, SurfaceState } from './surface-types';
import { useHover } from './use-hover';
import { pressActions, selectWordAt } from './press-actions';
import { usePointer } from './use-pointer';
import { useSpanDrag } from './use-span-drag';
import { useTouch } from './use-touch';
import { useSurface } from './use-surface';
import type { VirtualRowsHandle } from './virtual-rows';

type SurfaceProps = Omit<AnnotationSurfaceProps, 'ref'>;
export type AnnotationSurfaceState = ReturnType<typeof useAnnotationSurface>;

export function useAnnotationSurface(props: SurfaceProps) {
  const { text, focusedId, readOnly = false, comments } = props;
  const appearance = useAppearance();
  const strings = useAnnotationStrings();
  const idPrefix = useId();
  const root = useRef<HTMLDivElement>(null);
  const { scroller, scrollerRef, viewport } = useScroller();
  const list = useRef<VirtualRowsHandle>(null);
  const [clicked, setClicked] = useState(false);
  const resizable = props.onResize !== undefined && !readOnly;
  const menu = useSentenceMenu(props.renderSentence);
  const spanDrag = useSpanDrag({ text, extension: props.extension, spans: props.spans });
  const edge = useKeyResize(text, spanDrag.spans);
  const content = useRows(text, props.segments, edge.spans, props.hits, props.categories, props.layout);
  const { rows, ordered, direction } = content;
  const hover = useHover();
  const hoveredId = hover.state?.id;
  const joining = useRelationAndFragmentEditing({ ...props, scroller, ordered, hoveredSpan: hoveredId, readOnly });
  const { links, drag, fragments, linkable } = joining;
  const context = useMemo<DrawContext>(
    () => ({ appearance, strings, rtl: direction === 'rtl', idPrefix, resizable, sentences: menu.active, linkable, comments }),
    [appearance, strings, direction, idPrefix, resizable, menu.active, linkable, comments],
  );
  const reveal = useCallback((offset: number) => revealOffset(offset, rows, root.current, viewport, list.current), [rows, viewport]);
  const saved = props.spans;
  const surface = useSurface({
    ...props,
    ...{ direction, readOnly, ordered, saved, rows, edge, links, fragments, appearance, strings, root, reveal },
  });
  const arcs = useArcPointer(links, ordered, (span) => {
    setClicked(false);
    props.onFocusSpan(span.id);
    reveal(span.start);
    root.current?.focus({ preventScroll: true, focusVisible: false } as FocusOptions);
  });
  const focused = findSpan(ordered, focusedId);
  const onMouseDown = usePointer(root, scroller, text, rows, {
    ...pressActions({ surface, joining, focused, onClick: setClicked }),
    grip: resizable ? (grip, from, to, phase) => spanDrag.grip(grip, from, to, phase, surface.resize) : undefined,
  });
  const touch = useTouch(root, readOnly ? undefined : (offset) => selectWordAt(text, offset, surface));
  return {
    ...{ appearance, strings, idPrefix, root, scroller, scrollerRef, viewport, list, context, content, focused },
    ...{ menu, hover, joining, arcs, surface, reveal, touch },
    layers: { ...highlightsOfSurface(surface, focused, hoveredId), links },
    /** Whether the toolbar of the focused span may be shown. */
    barred: clicked && !readOnly && spanDrag.moved === undefined && links.idle,
    pinned: pinnedRows(surface, rows),
    press: (event: MouseEvent) => {
      if (touch.repeats(event) || pressedThread(event, props.onThread)) return;
      if (![menu, drag, arcs].some((one) => one.press(event))) onMouseDown(event);
    },
    type: (event: KeyboardEvent) => {
      setClicked(false);
      surface.onKeyDown(event);
    },
  };
}

/** True when the press was on the mark of a thread: the text ignores it. */
function pressedThread(event: MouseEvent, onThread: SurfaceProps['onThread']): boolean {
  const mark = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-comment]') : null;
  if (mark === null || event.button !== 0) return false;
  event.preventDefault();
  onThread?.(mark.dataset.comment ?? '');
  return true;
}

/** The row where a selection began stays mounted. */
function pinnedRows({ selection }: SurfaceState, rows: readonly Row[]): readonly number[] {
  return selection === undefined ? NOTHING : [rowIndexAt(rows, selection.anchor.start)];
}

export function findSpan(spans: readonly Span[], id: string | undefined): Span | undefined {
  return id === undefined ? undefined : spans.find((span) => span.id === id);
}
