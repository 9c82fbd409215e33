/** State and actions of the surface: selection, caret, open picker, announcements. Drawing is in surface.tsx. */
import { useState } from 'react';
import type { KeyboardEvent as ReactKeyboardEvent, RefObject } from 'react';
import type { Extension } from '../text/extend';
import type { Direction } from '../text/direction';
import { countBefore } from '../text/intervals';
import { tokenAt } from '../text/tokens';
import { offsetFromPoint } from './dom-offset';
import { describeSpan } from './describe-span';
import { assignHotkeys, keyAction } from './keys';
import type { KeyAction } from './keys';
import { appearanceOf } from './label-style';
import type { Appearance } from './label-style';
import type { Span, Target, TextRange } from './model';
import { cycleOutward } from './row-model';
import { keyboardSelection, pointerSelection, stepCaret } from './selection';
import type { SelectionState } from './selection';
import type { AnnotationStrings } from './strings';

export interface SurfaceActions {
  readonly onFocusSpan: (id: string | undefined) => void;
  readonly onSelection?: ((range: TextRange | undefined) => void) | undefined;
  readonly onLabel?: ((label: string, target: Target) => void) | undefined;
  readonly onAccept?: ((id: string) => void) | undefined;
  readonly onReject?: ((id: string) => void) | undefined;
  readonly onRemove?: ((id: string) => void) | undefined;
  /** A span gets other ends and stays the same annotation. */
  readonly onResize?: ((id: string, range: TextRange) => void) | undefined;
  /** Copies an annotation to the other places where its words stand. */
  readonly onPropagate?: ((id: string) => void) | undefined;
}

export interface SurfaceInput extends SurfaceActions {
  readonly text: string;
  readonly direction: Direction;
  readonly extension: Extension;
  readonly readOnly: boolean;
  readonly focusedId: string | undefined;
  /** In reading order. */
  readonly ordered: readonly Span[];
  readonly appearance: Appearance;
  readonly strings: AnnotationStrings;
  readonly root: RefObject<HTMLElement | null>;
  readonly reveal: (offset: number) => void;
}

export interface OpenPicker {
  readonly target: Target;
  readonly query: string;
}

export interface SurfaceState {
  readonly selection: SelectionState | undefined;
  readonly caret: TextRange | undefined;
  readonly picker: OpenPicker | undefined;
  readonly announcement: string;
  clearSelection(): void;
  closePicker(): void;
  /** Opens the picker on a span, to give it another label. */
  relabel(id: string): void;
  resize(id: string, range: TextRange): void;
  label(name: string, target: Target): void;
  select(anchor: TextRange, head: TextRange, dragging: boolean): void;
  click(ids: readonly string[], offset: number): void;
  onKeyDown(event: ReactKeyboardEvent): void;
  onBlur(): void;
}

const SHORT_TEXT = 80;

function excerpt(text: string, range: TextRange): string {
  const slice = text.slice(range.start, range.end);
  return slice.length > SHORT_TEXT ? `${slice.slice(0, SHORT_TEXT)}…` : slice;
}

export function useSurface(input: SurfaceInput): SurfaceState {
  const { text, ordered, appearance, strings, focusedId, onFocusSpan } = input;
  const [selection, setSelection] = useState<SelectionState | undefined>(undefined);
  const [caret, setCaret] = useState<TextRange | undefined>(undefined);
  const [picker, setPicker] = useState<OpenPicker | undefined>(undefined);
  const [announcement, announce] = useState('');
  const [released, setReleased] = useState(false);
  const byId = (id: string | undefined): Span | undefined => ordered.find((span) => span.id === id);

  const commitSelection = (next: SelectionState | undefined): void => {
    setSelection(next);
    if (next?.dragging === true) return;
    input.onSelection?.(next?.range);
    announce(next === undefined ? '' : strings.selected(excerpt(text, next.range)));
    const opens = next?.by === 'pointer' && !input.readOnly;
    setPicker(opens ? { target: { kind: 'selection', ...next.range }, query: '' } : undefined);
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
    const outer = ordered.filter((other) => other !== span && other.start <= span.start && other.end >= span.end);
    announce(`${describeSpan(span, outer, appearance, strings)}: ${excerpt(text, span)}`);
  };

  const label = (name: string, target: Target): void => {
    input.onLabel?.(name, target);
    const range = target.kind === 'selection' ? target : byId(target.id);
    if (range !== undefined) announce(strings.added(appearanceOf(appearance, name).label, excerpt(text, range)));
    setSelection(undefined);
    setPicker(undefined);
    if (target.kind === 'selection') input.onSelection?.(undefined);
    input.root.current?.focus({ preventScroll: true });
  };

  const resize = (id: string, range: TextRange): void => {
    const span = byId(id);
    if (span === undefined || (range.start === span.start && range.end === span.end)) return;
    input.onResize?.(id, range);
    announce(strings.resized(appearanceOf(appearance, span.label).label, excerpt(text, range)));
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

  const lineStep = (step: 'up' | 'down', select: boolean): void => {
    const next = caretOnLine(input.root.current, text, step) ?? stepCaret(text, caret, step === 'up' ? 'previous' : 'next');
    moveCaret(next, select);
  };

  const stepSpan = (step: 'next' | 'previous'): boolean => {
    const current = ordered.findIndex((span) => span.id === focusedId);
    const from = current >= 0 ? current : countBefore(ordered, caret?.start ?? 0) - (step === 'next' ? 1 : 0);
    const span = ordered[step === 'next' ? from + 1 : from - 1];
    clearSelection();
    if (span === undefined) onFocusSpan(undefined);
    else focusSpan(span);
    return span !== undefined;
  };

  const decide = (verb: 'accept' | 'reject' | 'remove'): void => {
    const span = byId(focusedId);
    if (span === undefined) return;
    const handler = { accept: input.onAccept, reject: input.onReject, remove: input.onRemove }[verb];
    handler?.(span.id);
    if (verb === 'remove') announce(strings.removed(appearanceOf(appearance, span.label).label, excerpt(text, span)));
  };

  const escape = (): void => {
    if (picker !== undefined) return setPicker(undefined);
    if (selection !== undefined) return clearSelection();
    if (focusedId !== undefined) return onFocusSpan(undefined);
    setCaret(undefined);
  };

  /** False: the key keeps its own meaning (Tab past the last span leaves the surface). */
  const perform = (action: KeyAction): boolean => {
    const at = targetOf(selection, focusedId);
    if (action.do === 'span') return stepSpan(action.step);
    if (action.do === 'caret') moveCaret(stepCaret(text, caret, action.step), action.select);
    else if (action.do === 'line') lineStep(action.step, action.select);
    else if (action.do === 'outward') focusSpan(byId(cycleOutward(idsAround(ordered, byId(focusedId)), focusedId)));
    else if (action.do === 'label' && at !== undefined) label(action.label, at);
    else if (action.do === 'edit' && at !== undefined) setPicker({ target: at, query: action.query });
    else if (action.do === 'accept' || action.do === 'reject' || action.do === 'remove') decide(action.do);
    else if (action.do === 'escape') escape();
    else if (action.do === 'release') setReleased(true);
    return true;
  };

  return {
    selection,
    caret,
    picker,
    announcement,
    clearSelection,
    label,
    closePicker: () => {
      setPicker(undefined);
      input.root.current?.focus({ preventScroll: true });
    },
    relabel: (id) => {
      if (!input.readOnly && byId(id) !== undefined) setPicker({ target: { kind: 'span', id }, query: '' });
    },
    resize,
    select: (anchor, head, dragging) => {
      if (focusedId !== undefined) onFocusSpan(undefined);
      setCaret(undefined);
      commitSelection(pointerSelection(text, anchor, head, input.extension, dragging));
    },
    click: (ids, offset) => {
      clearSelection();
      const span = byId(cycleOutward(ids, focusedId));
      onFocusSpan(span?.id);
      setCaret(tokenAt(text, span?.start ?? offset));
    },
    onKeyDown: (event) => {
      const action = keyAction(event, {
        direction: input.direction,
        hasSelection: selection !== undefined,
        hasFocus: focusedId !== undefined,
        hasCaret: caret !== undefined,
        readOnly: input.readOnly,
        released,
        hotkeys: assignHotkeys([...appearance.labels.values()]),
      });
      if (action === undefined || !perform(action)) return;
      if (action.do !== 'release') event.preventDefault();
      if (action.do !== 'escape' && action.do !== 'release') event.stopPropagation();
    },
    onBlur: () => setReleased(false),
  };
}

function targetOf(selection: SelectionState | undefined, focusedId: string | undefined): Target | undefined {
  if (selection !== undefined) return { kind: 'selection', ...selection.range };
  return focusedId === undefined ? undefined : { kind: 'span', id: focusedId };
}

/** Ids of the spans around a span, itself first, then outwards. */
function idsAround(ordered: readonly Span[], span: Span | undefined): string[] {
  if (span === undefined) return [];
  return ordered
    .filter((other) => other.start <= span.start && other.end >= span.end)
    .sort((a, b) => a.end - a.start - (b.end - b.start) || (a.id === span.id ? -1 : b.id === span.id ? 1 : 0))
    .map(({ id }) => id);
}

/** The token above or below the drawn caret; undefined while no caret is drawn (it may be outside the mounted rows). */
function caretOnLine(root: HTMLElement | null, text: string, step: 'up' | 'down'): TextRange | undefined {
  const drawn = root?.querySelector('[data-caret]')?.getClientRects()[0];
  if (root === null || drawn === undefined || drawn.height === 0) return undefined;
  const y = step === 'up' ? drawn.top - drawn.height * 0.8 : drawn.top + drawn.height * 1.6;
  const offset = offsetFromPoint(root, drawn.left + 1, y);
  return offset === undefined ? undefined : tokenAt(text, offset);
}
