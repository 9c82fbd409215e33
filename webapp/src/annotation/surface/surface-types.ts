/** Inputs, state and imperative handle of a surface. */
import type { KeyboardEvent as ReactKeyboardEvent, ReactNode, Ref, RefObject } from 'react';
import type { Appearance } from '@/annotation/drawing/label-style';
import type { SpanExtent } from '@/annotation/fragments';
import type { KeyResize } from '@/annotation/keyboard/use-key-resize';
import type { CommentMark, LabellingTarget, SearchHit, SentenceCategory, Span, TextRange } from '@/annotation/model';
import type { RelationProps } from '@/annotation/relations/relations';
import type { FragmentTask } from '@/annotation/relations/use-fragment-task';
import type { RelationsState } from '@/annotation/relations/use-relations-state';
import type { AnnotationStrings } from '@/annotation/strings';
import type { Direction } from '@/text/direction';
import type { SelectionExtension } from '@/text/extend-selection';
import type { LayoutMark } from '@/text/layout';
import type { SegmentRange, Row } from '@/text/rows';
import type { SelectionState } from './selection';
import type { RenderSentenceMenu } from './sentence-menu';

/** What the surface asks for when a term is unlinked; the picker links and changes (`PickerContext.terms`). */
export interface TermActions {
  readonly onUnlink: (id: string) => void;
}

export interface SurfaceActions {
  readonly onFocusSpan: (id: string | undefined) => void;
  readonly onSelection?: ((range: TextRange | undefined) => void) | undefined;
  readonly onLabel?: ((label: string, target: LabellingTarget) => void) | undefined;
  readonly onAccept?: ((id: string) => void) | undefined;
  readonly onReject?: ((id: string) => void) | undefined;
  readonly onRemove?: ((id: string) => void) | undefined;
  /** Changes the range of a span, which stays the same annotation. */
  readonly onResize?: ((id: string, extent: SpanExtent) => void) | undefined;
  /** Copies an annotation to other occurrences of its text. */
  readonly onPropagate?: ((id: string) => void) | undefined;
  /** Changes of the terms that spans are linked to; absent: there are none. */
  readonly terms?: TermActions | undefined;
  /** Starts a comment on the span. */
  readonly onComment?: ((id: string) => void) | undefined;
  /** Shows the thread of a mark in the text. */
  readonly onThread?: ((id: string) => void) | undefined;
}

export interface SurfaceInput extends SurfaceActions {
  readonly text: string;
  readonly direction: Direction;
  readonly extension: SelectionExtension;
  readonly readOnly: boolean;
  readonly focusedId: string | undefined;
  /** As drawn, in reading order. */
  readonly ordered: readonly Span[];
  /** The saved spans: without a move in progress. */
  readonly saved: readonly Span[];
  readonly appearance: Appearance;
  readonly strings: AnnotationStrings;
  readonly root: RefObject<HTMLElement | null>;
  readonly reveal: (offset: number) => void;
  /** Empty: the text is one sentence. */
  readonly rows: readonly Row[];
  readonly edge: KeyResize;
  /** Relations and fragments of spans; absent: disabled. */
  readonly links?: RelationsState | undefined;
  readonly fragments?: FragmentTask | undefined;
  /** One text of a list: its commands are offered while it has the focus. */
  readonly oneOfMany?: boolean | undefined;
  /** Converts a range to code points of the document. */
  readonly characters?: ((range: TextRange) => TextRange) | undefined;
}

export interface OpenPickerState {
  readonly target: LabellingTarget;
  readonly query: string;
  /** Opened for a mouse selection: hotkeys of labels apply immediately. */
  readonly direct?: boolean;
  /** It chooses a term instead of a label: to add, or in place of those that the span has. */
  readonly terms?: 'link' | 'change' | undefined;
}

export interface SurfaceState {
  readonly selection: SelectionState | undefined;
  readonly caret: TextRange | undefined;
  readonly picker: OpenPickerState | undefined;
  readonly announcement: string;
  clearSelection(): void;
  closePicker(): void;
  /** Opens the picker on a span, to change its label. */
  relabel(id: string): void;
  /** Opens the picker of terms on a span. */
  pickTerm(id: string, terms: 'link' | 'change'): void;
  /** The sentence that contains the cursor. */
  sentence(): TextRange;
  resize(id: string, extent: SpanExtent): void;
  announce(words: string): void;
  label(name: string, target: LabellingTarget): void;
  select(anchor: TextRange, head: TextRange, dragging: boolean): void;
  click(ids: readonly string[], offset: number): void;
  onKeyDown(event: ReactKeyboardEvent): void;
  onBlur(): void;
}

export interface PickerContext extends OpenPickerState {
  readonly pick: (label: string) => void;
  readonly close: () => void;
}

export type RenderPicker = (context: PickerContext) => ReactNode;

export interface SurfaceHandle {
  clearSelection(): void;
  /** Scrolls the offset (UTF-16) into view. */
  scrollTo(offset: number): void;
  focus(): void;
  /** Opens the picker on a span. */
  relabel(id: string): void;
  /** Opens the picker of terms on a span. */
  pickTerm(id: string, terms: 'link' | 'change'): void;
  /** Opens the name picker of a relation. */
  nameRelation(id: string): void;
  /** Opens the categories of the sentence that starts there (UTF-16). */
  editSentence(start: number): void;
  /** The sentence that contains the cursor, UTF-16. */
  sentence(): TextRange;
}

export interface AnnotationSurfaceProps extends SurfaceActions {
  readonly text: string;
  /** Layout of the source file, UTF-16: the text is drawn with it, with the same marks at the same offsets; absent: plain text. */
  readonly layout?: readonly LayoutMark[] | undefined;
  /** Segments (sentences), UTF-16; empty: lines and sentences are detected in the text. Keep the identity of all arrays stable. */
  readonly segments: readonly SegmentRange[];
  readonly spans: readonly Span[];
  readonly hits?: readonly SearchHit[] | undefined;
  /** Threads of comments, marked in the text. */
  readonly comments?: readonly CommentMark[] | undefined;
  readonly categories?: readonly SentenceCategory[] | undefined;
  readonly language?: string | undefined;
  readonly extension: SelectionExtension;
  readonly focusedId: string | undefined;
  readonly readOnly?: boolean | undefined;
  /** Shade every second sentence that has no category (S-009). */
  readonly alternate?: boolean | undefined;
  /** Accessible name; by default the translation of "document text". */
  readonly name?: string | undefined;
  /** Scrolls with the text, above it: the title. */
  readonly header?: ReactNode;
  /** Converts a range for announcements; by default counted in this text. */
  readonly characters?: ((range: TextRange) => TextRange) | undefined;
  readonly renderPicker?: RenderPicker | undefined;
  /** Relations between the spans; absent: none are drawn or created. */
  readonly relations?: RelationProps | undefined;
  /** Renders the category menu of a sentence. */
  readonly renderSentence?: RenderSentenceMenu | undefined;
  /** Called on each render of a row; for tests and the bench. */
  readonly onRowRender?: ((row: number) => void) | undefined;
  readonly ref?: Ref<SurfaceHandle>;
}

/** State of a surface, and the changes its actions consist of. */
export interface SurfaceControls {
  readonly input: SurfaceInput;
  readonly selection: SelectionState | undefined;
  readonly caret: TextRange | undefined;
  readonly picker: OpenPickerState | undefined;
  byId(id: string | undefined): Span | undefined;
  announce(words: string): void;
  setPicker(picker: OpenPickerState | undefined): void;
  setCaret(caret: TextRange | undefined): void;
  setReleased(released: boolean): void;
  clearSelection(): void;
  focusSpan(span: Span | undefined): void;
  moveCaret(next: TextRange | undefined, select: boolean): void;
  label(name: string, target: LabellingTarget): void;
  resize(id: string, extent: SpanExtent): void;
  takeFragment(range: TextRange): void;
}
