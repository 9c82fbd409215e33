/** What floats over the text or speaks beside it: picker, tooltip, live region. Shared by the surface and by segments in cards. */
import type { ClipboardEvent, ReactNode } from 'react';
import { useNarrow } from '@/ui/media-query';
import type { Span, LabellingTarget, TextRange } from '@/annotation/model';
import { excerpt } from './key-action-handlers';
import { AnchoredPopover, anchorBoxes, type PopoverPlace } from './popover';
import { BottomPicker } from './bottom-picker';
import { SelectionHandles } from './selection-handles';
import { SpanToolbar } from './span-toolbar';
import { SpanTooltip } from './span-tooltip';
import type { RelationAndFragmentEditing } from '@/annotation/relations/use-relation-and-fragment-editing';
import type { RenderPicker, SurfaceActions, SurfaceState } from './surface-types';
import type { HoverState } from './use-hover';

interface SurfacePickerProps extends PopoverPlace {
  readonly surface: SurfaceState;
  readonly text: string;
  readonly spans: readonly Span[];
  readonly render: RenderPicker | undefined;
}

export function SurfacePicker({ surface, text, spans, render, root, scroller }: SurfacePickerProps): ReactNode {
  const narrow = useNarrow();
  const { picker } = surface;
  // While an end of the selection is dragged, the picker would be about other words.
  if (picker === undefined || render === undefined || surface.selection?.dragging === true) return null;
  const { target } = picker;
  const range = target.kind === 'selection' ? target : spans.find(({ id }) => id === target.id);
  if (narrow && range !== undefined)
    return (
      <BottomPicker
        key={targetKey(target)}
        words={excerpt(text, range)}
        scroller={scroller}
        boxes={() => (root.current === null ? [] : anchorBoxes(root.current, target))}
        onClose={surface.closePicker}
      >
        {render({ ...picker, pick: (label) => surface.label(label, target), close: surface.closePicker })}
      </BottomPicker>
    );
  return (
    <AnchoredPopover
      key={`${targetKey(target)} ${picker.terms ?? ''}`}
      target={target}
      root={root}
      scroller={scroller}
      onLeave={surface.closePicker}
    >
      {render({ ...picker, pick: (label) => surface.label(label, target), close: surface.closePicker })}
    </AnchoredPopover>
  );
}

function targetKey(target: LabellingTarget): string {
  return target.kind === 'span' ? target.id : `${String(target.start)}-${String(target.end)}`;
}

interface TouchHandlesProps extends PopoverPlace {
  readonly surface: SurfaceState;
  readonly touched: boolean;
}

/** The handles of a selection made by a finger. */
export function TouchHandles({ surface, touched, root, scroller }: TouchHandlesProps): ReactNode {
  const { selection } = surface;
  if (!touched || selection?.by !== 'pointer') return null;
  return <SelectionHandles {...{ selection, root, scroller }} onSelect={surface.select} />;
}

export function HoverTip({ state, spans }: { readonly state: HoverState | undefined; readonly spans: readonly Span[] }): ReactNode {
  if (state?.at === undefined) return null;
  return <SpanTooltip span={spans.find(({ id }) => id === state.id)} at={state.at} />;
}

export function ScreenReaderStatus({ children }: { readonly children: string }): ReactNode {
  return (
    <div className="ann-hidden" role="status" aria-live="polite">
      {children}
    </div>
  );
}

/** Copies the text of the model to the clipboard, including line ends, tabs and rows that are not mounted. */
export function copyDocumentText(event: ClipboardEvent, text: string, range: TextRange | undefined): void {
  const inField = event.target instanceof HTMLElement && event.target.closest('input, textarea') !== null;
  if (range === undefined || inField) return;
  event.preventDefault();
  event.clipboardData.setData('text/plain', text.slice(range.start, range.end));
}

interface FloatingSpanToolbarProps extends PopoverPlace {
  readonly surface: SurfaceState;
  readonly span: Span | undefined;
  readonly actions: SurfaceActions;
  readonly joining: RelationAndFragmentEditing;
}

/** Actions of the toolbar that start a task in the text. */
function relationAndFragmentActions(
  { links, fragments, linkable }: RelationAndFragmentEditing,
  span: Span,
  announce: (words: string) => void,
) {
  const drop = fragments && span.fragments && (() => announce(fragments.drop(span)));
  return {
    onLink: linkable ? (id: string) => announce(links.begin(id)) : undefined,
    onAddFragment: fragments && (() => announce(fragments.begin(span))),
    onDropFragment: drop,
  };
}

/** The toolbar of the clicked span; hidden while there is a selection or the picker is open. */
export function FloatingSpanToolbar({ surface, span, actions, joining, root, scroller }: FloatingSpanToolbarProps): ReactNode {
  if (span === undefined || joining.fragments?.id !== undefined || surface.selection !== undefined || surface.picker !== undefined)
    return null;
  const target: LabellingTarget = { kind: 'span', id: span.id };
  return (
    <AnchoredPopover key={`${span.id} ${String(span.start)} ${String(span.end)}`} above target={target} root={root} scroller={scroller}>
      <SpanToolbar
        span={span}
        {...actions}
        {...relationAndFragmentActions(joining, span, surface.announce)}
        onRelabel={surface.relabel}
        onTerm={actions.terms && surface.pickTerm}
      />
    </AnchoredPopover>
  );
}
