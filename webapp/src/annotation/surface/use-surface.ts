/** State and actions of the surface: selection, caret, open picker, announcements. Drawing is in surface.tsx. */
import { useState } from 'react';
import type { KeyboardEvent as ReactKeyboardEvent, RefObject } from 'react';
import type { Extension } from '@/text/extend-selection';
import type { Direction } from '@/text/direction';
import type { Row } from '@/text/rows';
import { tokenAt } from '@/text/tokens';
import { useCommands } from '@/ui/key-registry';
import { sentenceAround, sentencesOf } from '@/annotation/keyboard/cursor';
import { describeSpan } from '@/annotation/drawing/describe-span';
import { sameExtent } from '@/annotation/fragments';
import type { Extent } from '@/annotation/fragments';
import { assignHotkeys, keyAction } from '@/annotation/keyboard/keys';
import type { KeyState } from '@/annotation/keyboard/keys';
import { appearanceOf } from '@/annotation/drawing/label-style';
import type { Appearance } from '@/annotation/drawing/label-style';
import type { Span, Target, TextRange } from '@/annotation/model';
import { cycleOutward } from '@/annotation/drawing/row-model';
import { keyboardSelection, pointerSelection } from './selection';
import type { SelectionState } from './selection';
import type { AnnotationStrings } from '@/annotation/strings';
import { excerpt, keyActionHandlers } from './key-action-handlers';
import { surfaceCommands } from './surface-commands';
import type { KeyResize } from '@/annotation/keyboard/use-key-resize';
import type { Links } from '@/annotation/relations/use-links';
import type { FragmentTask } from '@/annotation/relations/use-fragment-task';

export interface SurfaceActions {
  readonly onFocusSpan: (id: string | undefined) => void;
  readonly onSelection?: ((range: TextRange | undefined) => void) | undefined;
  readonly onLabel?: ((label: string, target: Target) => void) | undefined;
  readonly onAccept?: ((id: string) => void) | undefined;
  readonly onReject?: ((id: string) => void) | undefined;
  readonly onRemove?: ((id: string) => void) | undefined;
  /** A span gets other ends and stays the same annotation. */
  readonly onResize?: ((id: string, extent: Extent) => void) | undefined;
  /** Copies an annotation to the other places where its words stand. */
  readonly onPropagate?: ((id: string) => void) | undefined;
}

export interface SurfaceInput extends SurfaceActions {
  readonly text: string;
  readonly direction: Direction;
  readonly extension: Extension;
  readonly readOnly: boolean;
  readonly focusedId: string | undefined;
  /** As drawn, in reading order. */
  readonly ordered: readonly Span[];
  /** As saved: without what is being moved. */
  readonly saved: readonly Span[];
  readonly appearance: Appearance;
  readonly strings: AnnotationStrings;
  readonly root: RefObject<HTMLElement | null>;
  readonly reveal: (offset: number) => void;
  /** Empty: the text is one sentence. */
  readonly rows: readonly Row[];
  readonly edge: KeyResize;
  /** Relations and pieces of spans; without them there are neither. */
  readonly links?: Links | undefined;
  readonly fragments?: FragmentTask | undefined;
  /** One text among others: its acts are offered while it has the focus. */
  readonly oneOfMany?: boolean | undefined;
  /** Characters of the document as others count them: code points. */
  readonly characters?: ((range: TextRange) => TextRange) | undefined;
}

export interface OpenPicker {
  readonly target: Target;
  readonly query: string;
  /** For what the mouse selected: keys of labels give them at once. */
  readonly direct?: boolean;
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
  /** The sentence that the keyboard is in. */
  sentence(): TextRange;
  resize(id: string, extent: Extent): void;
  announce(words: string): void;
  label(name: string, target: Target): void;
  select(anchor: TextRange, head: TextRange, dragging: boolean): void;
  click(ids: readonly string[], offset: number): void;
  onKeyDown(event: ReactKeyboardEvent): void;
  onBlur(): void;
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
    announce(`${describeSpan(span, outerOf(ordered, span), appearance, strings)}: ${excerpt(text, span)}`);
  };

  const label = (name: string, target: Target): void => {
    input.onLabel?.(name, target);
    const range = target.kind === 'selection' ? target : byId(target.id);
    const readable = appearanceOf(appearance, name).label;
    if (target.kind === 'selection')
      announce(strings.created(readable, excerpt(text, target), input.characters?.(target) ?? codePointRange(text, target)));
    else if (range !== undefined) announce(strings.relabelled(readable, excerpt(text, range)));
    setSelection(undefined);
    setPicker(undefined);
    if (target.kind === 'selection') input.onSelection?.(undefined);
    input.root.current?.focus({ preventScroll: true });
  };

  const resize = (id: string, range: Extent): void => {
    const span = input.saved.find((candidate) => candidate.id === id);
    if (span === undefined || sameExtent(range, span)) return;
    input.onResize?.(id, range);
    announce(strings.resized(appearanceOf(appearance, span.label).label, excerpt(text, range)));
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

  const { perform } = keyActionHandlers({
    input,
    selection,
    caret,
    picker,
    byId,
    announce,
    setPicker,
    setCaret,
    setReleased,
    clearSelection,
    focusSpan,
    moveCaret,
    label,
    resize,
    takeFragment,
  });

  const keyState = (): KeyState => ({
    direction: input.direction,
    hasSelection: selection !== undefined,
    hasFocus: focusedId !== undefined,
    hasCaret: caret !== undefined,
    readOnly: input.readOnly,
    resizing: input.edge.id !== undefined && input.edge.id === focusedId,
    released,
    ...taskState(input),
    hotkeys: assignHotkeys([...appearance.labels.values()]),
  });

  useCommands(() => {
    const root = input.root.current;
    if (input.oneOfMany === true && root?.contains(document.activeElement) !== true) return [];
    return surfaceCommands(keyState(), [...appearance.labels.values()], (action) => {
      root?.focus({ preventScroll: true });
      perform(action);
    });
  });

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
    announce,
    sentence: () => sentenceAround(text, sentencesOf(input.rows), byId(focusedId)?.start ?? (selection?.head ?? caret)?.start ?? 0),
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
      const action = keyAction(event, keyState());
      if (action === undefined || !perform(action)) return;
      if (action.do !== 'release') event.preventDefault();
      if (action.do !== 'escape' && action.do !== 'release') event.stopPropagation();
    },
    onBlur: () => setReleased(false),
  };
}

const outerOf = (spans: readonly Span[], { id, start, end }: Span): readonly Span[] =>
  spans.filter((other) => other.id !== id && other.start <= start && other.end >= end);

/** What keys have to know of relations and pieces. */
function taskState({ links, fragments, focusedId }: SurfaceInput): Pick<KeyState, 'linkable' | 'task' | 'onRelation'> {
  const task = links?.from !== undefined ? 'link' : fragments?.id !== undefined ? 'piece' : undefined;
  return { linkable: links?.active, task, onRelation: focusedId !== undefined && links?.focused !== undefined };
}

/** Code points before and in the range. */
function codePointRange(text: string, { start, end }: TextRange): TextRange {
  const before = Array.from(text.slice(0, start)).length;
  return { start: before, end: before + Array.from(text.slice(start, end)).length };
}
