/** State and actions of the surface: selection, caret, open picker, announcements, keys. Drawing is in surface.tsx. */
import { nextSpanOutward } from '@/annotation/drawing/items-by-row';
import { sentenceAround, sentencesOf } from '@/annotation/keyboard/cursor';
import { tokenAt } from '@/text/tokens';
import { pointerSelection } from './selection';
import type { SurfaceInput, SurfaceState } from './surface-types';
import { useSurfaceKeys } from './use-surface-keys';
import { useSurfaceSelection } from './use-surface-selection';

export function useSurface(input: SurfaceInput): SurfaceState {
  const { text, focusedId, onFocusSpan } = input;
  const controls = useSurfaceSelection(input);
  const { selection, caret, picker, announcement, byId, setPicker, setCaret } = controls;
  const { clearSelection, commitSelection, label, resize, announce } = controls;
  const keys = useSurfaceKeys(input, controls);
  return {
    ...{ selection, caret, picker, announcement, clearSelection, label, resize, announce },
    ...keys,
    closePicker: () => {
      setPicker(undefined);
      input.root.current?.focus({ preventScroll: true });
    },
    relabel: (id) => {
      if (!input.readOnly && byId(id) !== undefined) setPicker({ target: { kind: 'span', id }, query: '' });
    },
    pickTerm: (id, terms) => {
      if (!input.readOnly && byId(id) !== undefined) setPicker({ target: { kind: 'span', id }, query: '', terms });
    },
    sentence: () => sentenceAround(text, sentencesOf(input.rows), byId(focusedId)?.start ?? (selection?.head ?? caret)?.start ?? 0),
    select: (anchor, head, dragging) => {
      if (focusedId !== undefined) onFocusSpan(undefined);
      setCaret(undefined);
      commitSelection(pointerSelection(text, anchor, head, input.extension, dragging));
    },
    click: (ids, offset) => {
      clearSelection();
      const span = byId(nextSpanOutward(ids, focusedId));
      onFocusSpan(span?.id);
      setCaret(tokenAt(text, span?.start ?? offset));
    },
  };
}
