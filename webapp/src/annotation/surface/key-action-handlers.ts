/** Performs the actions of keys on the state of use-surface.ts. */
import { textOfExtent } from '@/annotation/fragments';
import type { SpanExtent } from '@/annotation/fragments';
import { appearanceOf } from '@/annotation/drawing/label-style';
import { sentencesOf, spansAround, spansAt, stepCursor, nextSpanFromCursor } from '@/annotation/keyboard/cursor';
import { tokenOnAdjacentLine, scrollPageWithCursor } from '@/annotation/keyboard/visual-cursor-moves';
import type { KeyAction, MoveAction, TermEdit } from '@/annotation/keyboard/key-bindings';
import type { Span, LabellingTarget } from '@/annotation/model';
import { nextSpanOutward } from '@/annotation/drawing/items-by-row';
import type { SelectionState } from './selection';
import { performFragmentTask } from '@/annotation/relations/use-fragment-task';
import type { SurfaceControls } from './surface-types';

const SHORT_TEXT = 80;

export function excerpt(text: string, range: SpanExtent): string {
  const slice = textOfExtent(text, range);
  return slice.length > SHORT_TEXT ? `${slice.slice(0, SHORT_TEXT)}…` : slice;
}

/** A segment in a list is one sentence: the next sentence is the next card. */
function focusAdjacentSegment(root: HTMLElement | null, forward: boolean): void {
  const texts = [...document.querySelectorAll<HTMLElement>('.ann-live')];
  const at = texts.findIndex((element) => element === root);
  texts[at + (forward ? 1 : -1)]?.focus();
}

function labellingTargetOf(selection: SelectionState | undefined, focusedId: string | undefined): LabellingTarget | undefined {
  if (selection !== undefined) return { kind: 'selection', ...selection.range };
  return focusedId === undefined ? undefined : { kind: 'span', id: focusedId };
}

function cursorHandlers(core: SurfaceControls) {
  const { input, selection, caret, byId, announce, clearSelection, focusSpan, moveCaret } = core;
  const { text, ordered, strings, focusedId, onFocusSpan } = input;

  const move = (action: MoveAction): void => {
    const cursor = { caret, anchor: undefined, sentences: sentencesOf(input.rows) };
    const { unit, forward, select } = action;
    if (unit === 'page') {
      const end = stepCursor(text, cursor, { unit: 'document', forward });
      if (!scrollPageWithCursor(input.root.current, text, forward, (place) => moveCaret(place, select))) moveCaret(end, select);
      return;
    }
    if (unit === 'sentence' && input.oneOfMany === true) return focusAdjacentSegment(input.root.current, forward);
    if (unit !== 'line')
      return moveCaret(
        stepCursor(text, { ...cursor, anchor: select ? (selection?.anchor ?? caret) : undefined }, { unit, forward }),
        select,
      );
    moveCaret(tokenOnAdjacentLine(input.root.current, text, forward) ?? stepCursor(text, cursor, { unit: 'word', forward }), select);
  };

  /** Returns false when there is none. */
  const goToSpan = (forward: boolean, wanted?: (span: Span) => boolean): boolean => {
    const span = nextSpanFromCursor(ordered, focusedId, caret, forward, wanted);
    if (span === undefined && wanted !== undefined) return announce(strings.noSuggestion) === undefined;
    clearSelection();
    if (span === undefined) onFocusSpan(undefined);
    else focusSpan(span);
    return span !== undefined;
  };

  /** The cursor does not move, so that the next press continues from the same position. */
  const cycle = (): void => {
    const place = caret ?? byId(focusedId);
    const ids = place === undefined ? [] : spansAt(ordered, place);
    const span = byId(nextSpanOutward(ids, focusedId));
    clearSelection();
    if (span === undefined) return announce(strings.noneHere);
    focusSpan(span);
    core.setCaret(place);
  };

  const outward = (): void => focusSpan(byId(nextSpanOutward(spansAround(ordered, byId(focusedId)), focusedId)));

  return { move, goToSpan, cycle, outward };
}

/** Opens the picker of terms on the focused span, or unlinks its last term. */
function changeTermsOfFocusedSpan({ input, byId, announce, setPicker }: SurfaceControls, edit: TermEdit): void {
  const span = byId(input.focusedId);
  if (span === undefined) return;
  if (edit !== 'unlink') return setPicker({ target: { kind: 'span', id: span.id }, query: '', terms: edit });
  const last = span.terms?.at(-1);
  if (last !== undefined) input.terms?.onUnlink(span.id);
  announce(last === undefined ? input.strings.noTermToUnlink : input.strings.unlinked(last.name));
}

export function keyActionHandlers(core: SurfaceControls): { perform(action: KeyAction): boolean } {
  const { input, selection, picker, byId, announce, clearSelection } = core;
  const { text, appearance, strings, focusedId, onFocusSpan } = input;
  const { move, goToSpan, cycle, outward } = cursorHandlers(core);

  const moveEdge = (action: KeyAction): void => {
    const span = byId(focusedId);
    if (span === undefined) return;
    if (action.do === 'resize') return announce(strings.movingEdge(input.edge.begin(span)));
    if (action.do === 'edge') {
      const range = input.edge.step(action.unit, action.forward);
      if (range !== undefined) announce(excerpt(text, range));
      return;
    }
    const range = input.edge.end();
    if (action.do !== 'keep') return announce(strings.edgeLeft);
    if (range !== undefined) core.resize(span.id, range);
  };

  const decide = (verb: 'accept' | 'reject' | 'remove'): void => {
    const span = byId(focusedId);
    if (span === undefined) return;
    const handler = { accept: input.onAccept, reject: input.onReject, remove: input.onRemove }[verb];
    handler?.(span.id);
    const announcement = { accept: strings.accepted, reject: strings.rejected, remove: strings.removed }[verb];
    announce(announcement(appearanceOf(appearance, span.label).label, excerpt(text, span)));
  };

  const escape = (): void => {
    if (input.edge.id !== undefined) return moveEdge({ do: 'escape' });
    if (picker !== undefined) return core.setPicker(undefined);
    if (selection !== undefined) return clearSelection();
    if (focusedId !== undefined) return onFocusSpan(undefined);
    core.setCaret(undefined);
  };

  const edit = (action: KeyAction): void => {
    const at = labellingTargetOf(selection, focusedId);
    if (at === undefined) return;
    if (action.do === 'label') core.label(action.label, at);
    else if (action.do === 'edit') core.setPicker({ target: at, query: action.query });
  };

  /** Performs the relation or fragment action of the key; false when there is none. */
  const performTask = (action: KeyAction): boolean => {
    const { links, fragments } = input;
    const begun = (action.do === 'links' || action.do === 'pieces') && action.act === 'begin' ? byId(focusedId) : undefined;
    // The cursor continues from the span that something is added to.
    if (begun !== undefined) core.setCaret({ start: begun.start, end: begun.end });
    const announcement =
      links?.perform(action, core.focusSpan) ??
      (fragments &&
        performFragmentTask(action, { fragments, span: byId(focusedId), place: selection?.range ?? core.caret, take: core.takeFragment }));
    if (announcement !== undefined) announce(announcement);
    return announcement !== undefined || action.do === 'pieces';
  };

  /** False: the key has its default meaning (Tab past the last span leaves the surface). */
  const perform = (action: KeyAction): boolean => {
    // Any other key in the text cancels leaving it with Tab.
    core.setReleased(action.do === 'release');
    if (performTask(action)) return true;
    if (action.do === 'span') return goToSpan(action.forward);
    const handlers: Readonly<Record<Exclude<KeyAction['do'], 'span' | 'links' | 'pieces'>, () => void>> = {
      move: () => (action.do === 'move' ? move(action) : undefined),
      suggestion: () => void (action.do === 'suggestion' && goToSpan(action.forward, ({ status }) => status === 'suggested')),
      outward,
      cycle,
      label: () => edit(action),
      edit: () => edit(action),
      terms: () => void (action.do === 'terms' && changeTermsOfFocusedSpan(core, action.act)),
      accept: () => decide('accept'),
      reject: () => decide('reject'),
      remove: () => decide('remove'),
      resize: () => moveEdge(action),
      edge: () => moveEdge(action),
      keep: () => moveEdge(action),
      escape,
      release: () => undefined,
    };
    if (action.do !== 'links' && action.do !== 'pieces') handlers[action.do]();
    return true;
  };

  return { perform };
}
