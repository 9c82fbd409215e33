/** The annotation surface: virtual rows of text drawn as flat marks, with its own selection, caret and keyboard handling. */
import { useCallback, useImperativeHandle } from 'react';
import type { ReactNode, Ref } from 'react';
import '@/annotation/annotation.css';
import { surfaceVariables } from '@/annotation/drawing/label-style';
import { spanElementId } from '@/annotation/drawing/text-block';
import { RelationOverlays, RubberBandLine, UnfinishedTaskNote } from '@/annotation/relations/relation-overlays';
import { useAnnotationStrings } from '@/annotation/strings';
import type { Direction } from '@/text/direction';
import { isAppleDevice } from '@/ui/key-chords';
import { SentenceMenu } from './sentence-menu';
import { FloatingSpanToolbar, HoverTip, ScreenReaderStatus, SurfacePicker, TouchHandles, copyDocumentText } from './surface-overlays';
import { drawRow } from './surface-row';
import { estimateHeight, useHeaderHeight } from './surface-scroll';
import type { AnnotationSurfaceProps, SurfaceHandle } from './surface-types';
import { findSpan, useAnnotationSurface } from './use-annotation-surface';
import type { AnnotationSurfaceState } from './use-annotation-surface';
import { VirtualRows } from './virtual-rows';

type SurfaceProps = Omit<AnnotationSurfaceProps, 'ref'>;

/** Implements the imperative handle of the surface. */
function useSurfaceHandle(ref: Ref<SurfaceHandle> | undefined, state: AnnotationSurfaceState): void {
  const { surface, content, menu, reveal, root } = state;
  useImperativeHandle(ref, () => ({
    clearSelection: surface.clearSelection,
    scrollTo: reveal,
    focus: () => root.current?.focus(),
    relabel: (id) => {
      reveal(findSpan(content.ordered, id)?.start ?? 0);
      surface.relabel(id);
    },
    pickTerm: (id, terms) => {
      reveal(findSpan(content.ordered, id)?.start ?? 0);
      surface.pickTerm(id, terms);
    },
    nameRelation: state.joining.links.rename,
    sentence: surface.sentence,
    editSentence: (start) => {
      reveal(start);
      menu.open(start);
    },
  }));
}

interface SurfaceTextProps {
  readonly props: SurfaceProps;
  readonly state: AnnotationSurfaceState;
}

/** The rows of the text, and the element that has the focus during annotation. */
function SurfaceText({ props, state }: SurfaceTextProps): ReactNode {
  const { appearance, strings, idPrefix, root, list, content, context, layers, pinned, focused, hover, arcs, surface } = state;
  const { rows, direction } = content;
  const { viewport } = state;
  const before = useHeaderHeight(viewport);
  const estimate = useCallback((index: number) => estimateHeight(rows[index], appearance.readingSize), [rows, appearance.readingSize]);
  return (
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
      onMouseDown={state.press}
      onPointerOver={hover.onPointerOver}
      onPointerLeave={hover.onPointerLeave}
      onPointerMove={arcs.onPointerMove}
      data-over-arc={layers.links.hovered}
      onKeyDown={state.type}
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
  );
}

export function AnnotationSurface({ ref, ...props }: AnnotationSurfaceProps): ReactNode {
  const { text, focusedId } = props;
  const state = useAnnotationSurface(props);
  const { appearance, idPrefix, content, root, scroller, scrollerRef, surface, joining } = state;
  const { menu, hover, focused, barred } = state;
  const { links, drag, fragments } = joining;
  useSurfaceHandle(ref, state);
  return (
    <div
      className="ann-surface"
      style={surfaceVariables(appearance)}
      onCopy={(event) => copyDocumentText(event, text, surface.selection?.range ?? focused)}
    >
      <div ref={scrollerRef} className="ann-scroller">
        <Header direction={content.direction}>{props.header}</Header>
        <SurfaceText {...{ props, state }} />
        <RelationOverlays {...{ links, root, scroller }} relations={props.relations} picker={surface.picker} />
        <FloatingSpanToolbar surface={surface} span={barred ? focused : undefined} actions={props} {...{ joining, root, scroller }} />
        <SentenceMenu menu={menu} render={props.renderSentence} root={root} scroller={scroller} />
        <TouchHandles surface={surface} touched={state.touch.touched} root={root} scroller={scroller} />
        <SurfacePicker surface={surface} text={text} spans={content.ordered} render={props.renderPicker} root={root} scroller={scroller} />
      </div>
      <UnfinishedTaskNote {...{ links, fragments }} spanText={joining.spanText} />
      <RubberBandLine rubber={drag.rubber} />
      <KeyboardHelpText id={`${idPrefix}help`} />
      <ScreenReaderStatus>{surface.announcement}</ScreenReaderStatus>
      <HoverTip state={barred && hover.state?.id === focusedId ? undefined : hover.state} spans={content.ordered} />
    </div>
  );
}

/** Read by screen readers after the name of the text. */
function KeyboardHelpText({ id }: { readonly id: string }): ReactNode {
  const strings = useAnnotationStrings();
  return (
    <div className="ann-hidden" id={id}>
      {strings.help(isAppleDevice() ? 'Cmd' : 'Ctrl')}
    </div>
  );
}

interface HeaderProps {
  readonly direction: Direction;
  readonly children: ReactNode;
}

/** The header is aligned with the start of the text. */
function Header({ direction, children }: HeaderProps): ReactNode {
  return (
    <div className="ann-header" dir={direction}>
      {children}
    </div>
  );
}
