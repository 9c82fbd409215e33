/** Selection, caret and picker of a surface and their combined changes; each change is announced. */
import { useState } from 'react';
import { describeSpan } from '@/annotation/drawing/describe-span';
import { appearanceOf } from '@/annotation/drawing/label-style';
import { sameExtent } from '@/annotation/fragments';
import type { SpanExtent } from '@/annotation/fragments';
import type { Span, LabellingTarget, TextRange } from '@/annotation/model';
import { excerpt } from './key-action-handlers';
import { keyboardSelection } from './selection';
import type { SelectionState } from './selection';
import type { OpenPickerState, SurfaceControls, SurfaceInput } from './surface-types';

export interface SurfaceSelection extends SurfaceControls {
  readonly announcement: string;
  /** The next Tab leaves the text. */
  readonly released: boolean;
  commitSelection(next: SelectionState | undefined): void;
}

export function useSurfaceSelection(input: SurfaceInput): SurfaceSelection {
  const { text, ordered, appearance, strings, focusedId, onFocusSpan } = input;
  const [selection, setSelection] = useState<SelectionState | undefined>(undefined);
  const [caret, setCaret] = useState<TextRange | undefined>(undefined);
  const [picker, setPicker] = useState<OpenPickerState | undefined>(undefined);
  const [announcement, announce] = useState('');
  const [released, setReleased] = useState(false);
  const byId = (id: string | undefined): Span | undefined => ordered.find((span) => span.id === id);
  const resize = (id: string, range: SpanExtent): void => resizeSpan(input, announce, id, range);

  const commitSelection = (next: SelectionState | undefined): void => {
    setSelection(next);
    if (next?.dragging === true) return;
    if (next?.by === 'pointer' && input.fragments?.id !== undefined) return takeFragment(next.range);
    input.onSelection?.(next?.range);
    announce(next === undefined ? '' : strings.selected(excerpt(text, next.range)));
    const opens = next?.by === 'pointer' && !input.readOnly;
    setPicker(opens ? { target: { kind: 'selection', ...next.range }, query: '', direct: true } : undefined);
  };

  const clearSelection = (): void => {
    if (selection === undefined) return;
    setSelection(undefined);
    setPicker(undefined);
    input.onSelection?.(undefined);
    announce(strings.selectionCleared);
  };

  const focusSpan = (span: Span | undefined): void => {
    onFocusSpan(span?.id);
    if (span === undefined) return;
    setCaret({ start: span.start, end: span.end });
    input.reveal(span.start);
    announce(`${describeSpan(span, enclosingSpans(ordered, span), appearance, strings)}: ${excerpt(text, span)}`);
  };

  const label = (name: string, target: LabellingTarget): void => {
    input.onLabel?.(name, target);
    const message = labelMessage(input, name, target, byId);
    if (message !== undefined) announce(message);
    setSelection(undefined);
    setPicker(undefined);
    if (target.kind === 'selection') input.onSelection?.(undefined);
    input.root.current?.focus({ preventScroll: true });
  };

  const takeFragment = (range: TextRange): void => {
    const taken = input.fragments?.take(range);
    setSelection(undefined);
    if (taken === undefined) return;
    onFocusSpan(taken.id);
    resize(taken.id, taken.extent);
  };

  const moveCaret = (next: TextRange | undefined, select: boolean): void => {
    if (next === undefined) return;
    setCaret(next);
    input.reveal(next.start);
    if (select) commitSelection(keyboardSelection(text, selection?.anchor ?? caret ?? next, next));
    else {
      clearSelection();
      announce(excerpt(text, next));
    }
    if (focusedId !== undefined) onFocusSpan(undefined);
  };

  return {
    ...{ input, selection, caret, picker, announcement, released },
    ...{ byId, announce, setPicker, setCaret, setReleased },
    ...{ commitSelection, clearSelection, focusSpan, moveCaret, label, resize, takeFragment },
  };
}

function resizeSpan(input: SurfaceInput, announce: (message: string) => void, id: string, range: SpanExtent): void {
  const { text, appearance, strings } = input;
  const span = input.saved.find((candidate) => candidate.id === id);
  if (span === undefined || sameExtent(range, span)) return;
  input.onResize?.(id, range);
  announce(strings.resized(appearanceOf(appearance, span.label).label, excerpt(text, range)));
}

/** The announcement of an assigned label; undefined when its span was removed. */
function labelMessage(
  { text, appearance, strings, characters }: SurfaceInput,
  name: string,
  target: LabellingTarget,
  byId: SurfaceControls['byId'],
): string | undefined {
  const readable = appearanceOf(appearance, name).label;
  if (target.kind === 'selection')
    return strings.created(readable, excerpt(text, target), characters?.(target) ?? codePointRange(text, target));
  const span = byId(target.id);
  return span && strings.relabelled(readable, excerpt(text, span));
}

const enclosingSpans = (spans: readonly Span[], { id, start, end }: Span): readonly Span[] =>
  spans.filter((other) => other.id !== id && other.start <= start && other.end >= end);

/** The range in code points. */
function codePointRange(text: string, { start, end }: TextRange): TextRange {
  const before = Array.from(text.slice(0, start)).length;
  return { start: before, end: before + Array.from(text.slice(start, end)).length };
}
