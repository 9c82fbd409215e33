/** What floats over the text or speaks beside it: picker, tooltip, live region. Shared by the surface and by segments in cards. */
import type { ClipboardEvent, ReactNode, RefObject } from 'react';
import type { Span, Target, TextRange } from '@/annotation/model';
import { PickerPopover } from './popover';
import { SpanBar } from './span-bar';
import { SpanTooltip } from './span-tooltip';
import type { SurfaceTasks } from '@/annotation/relations/use-surface-tasks';
import type { RenderPicker, SurfaceActions, SurfaceState } from './surface-types';
import type { HoverState } from './use-hover';

interface SurfacePickerProps {
  readonly surface: SurfaceState;
  readonly render: RenderPicker | undefined;
  readonly root: RefObject<HTMLElement | null>;
  readonly scroller: RefObject<HTMLElement | null>;
}

export function SurfacePicker({ surface, render, root, scroller }: SurfacePickerProps): ReactNode {
  const { picker } = surface;
  if (picker === undefined || render === undefined) return null;
  const { target } = picker;
  return (
    <PickerPopover key={targetKey(target)} target={target} root={root} scroller={scroller} onLeave={surface.closePicker}>
      {render({ ...picker, pick: (label) => surface.label(label, target), close: surface.closePicker })}
    </PickerPopover>
  );
}

function targetKey(target: Target): string {
  return target.kind === 'span' ? target.id : `${String(target.start)}-${String(target.end)}`;
}

export function HoverTip({ state, spans }: { readonly state: HoverState | undefined; readonly spans: readonly Span[] }): ReactNode {
  if (state?.at === undefined) return null;
  return <SpanTooltip span={spans.find(({ id }) => id === state.id)} at={state.at} />;
}

export function LiveStatus({ children }: { readonly children: string }): ReactNode {
  return (
    <div className="ann-hidden" role="status" aria-live="polite">
      {children}
    </div>
  );
}

/** Puts the model's text on the clipboard: line ends, tabs and rows that are not mounted included. */
export function copyFromModel(event: ClipboardEvent, text: string, range: TextRange | undefined): void {
  const inField = event.target instanceof HTMLElement && event.target.closest('input, textarea') !== null;
  if (range === undefined || inField) return;
  event.preventDefault();
  event.clipboardData.setData('text/plain', text.slice(range.start, range.end));
}

interface FloatingBarProps {
  readonly surface: SurfaceState;
  readonly span: Span | undefined;
  readonly actions: SurfaceActions;
  readonly joining: SurfaceTasks;
  readonly root: RefObject<HTMLElement | null>;
  readonly scroller: RefObject<HTMLElement | null>;
}

/** What the bar begins: the rest happens in the text. */
function taskActions({ links, fragments, linkable }: SurfaceTasks, span: Span, announce: (words: string) => void) {
  const drop = fragments && span.fragments && (() => announce(fragments.drop(span)));
  return {
    onLink: linkable ? (id: string) => announce(links.begin(id)) : undefined,
    onAddFragment: fragments && (() => announce(fragments.begin(span))),
    onDropFragment: drop,
  };
}

/** The bar of the span that was clicked; gone while something is selected or the picker is open. */
export function FloatingBar({ surface, span, actions, joining, root, scroller }: FloatingBarProps): ReactNode {
  if (span === undefined || joining.fragments?.id !== undefined || surface.selection !== undefined || surface.picker !== undefined)
    return null;
  const target: Target = { kind: 'span', id: span.id };
  return (
    <PickerPopover key={`${span.id} ${String(span.start)} ${String(span.end)}`} above target={target} root={root} scroller={scroller}>
      <SpanBar span={span} {...actions} {...taskActions(joining, span, surface.announce)} onRelabel={surface.relabel} />
    </PickerPopover>
  );
}
