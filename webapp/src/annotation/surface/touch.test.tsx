/** Selecting words by a finger: held on a word, then the handles. */
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { LabelPicker } from '@/annotation/labels/label-picker';
import * as places from '@/annotation/drawing/dom-offset';
import { LABELS, WithAppearance } from '@/annotation/testing/fixtures';
import { inNarrowWindow } from '@/test/narrow-window';
import { AnnotationSurface } from './surface';
import type { AnnotationSurfaceProps } from './surface-types';
import { HOLD_MS } from './use-touch';

const TEXT = 'Ines Okafor spoke in Halden.';
const HALDEN = { start: TEXT.indexOf('Halden'), end: TEXT.indexOf('.') };

beforeAll(() => {
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600);
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(800);
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(200);
  // jsdom has no layout: each place is one sign, and runs have a box.
  vi.spyOn(places, 'offsetFromPoint').mockImplementation((_root, x) => Math.min(x, TEXT.length));
  Element.prototype.getClientRects = () => [new DOMRect(0, 0, 40, 20)] as unknown as DOMRectList;
  HTMLElement.prototype.setPointerCapture = () => undefined;
});
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const touch = (x: number) => ({ pointerType: 'touch', isPrimary: true, pointerId: 1, clientX: x, clientY: 10 });
const text = () => screen.getByRole('group', { name: 'Document text' });
const selected = () => [...document.querySelectorAll('[data-selected]')].map((run) => run.textContent).join('');
const grip = (end: 'start' | 'end') => document.querySelector(`.ann-grip[data-end=${end}]`) as HTMLElement;

function hold(x: number, ms = HOLD_MS): void {
  fireEvent.pointerDown(text(), touch(x));
  act(() => {
    vi.advanceTimersByTime(ms);
  });
}

function show(props: Partial<AnnotationSurfaceProps> = {}) {
  const onSelection = vi.fn();
  render(
    <WithAppearance>
      <AnnotationSurface
        text={TEXT}
        segments={[{ start: 0, end: TEXT.length }]}
        spans={[]}
        extension="space-or-punctuation"
        focusedId={undefined}
        onFocusSpan={() => undefined}
        onSelection={onSelection}
        renderPicker={({ pick, close }) => <LabelPicker labels={LABELS} onPick={pick} onClose={close} />}
        {...props}
      />
    </WithAppearance>,
  );
  return onSelection;
}

describe('a finger on the text', () => {
  inNarrowWindow();

  it('held on a word selects it, with handles and the labels at the lower edge', () => {
    const onLabel = vi.fn();
    const onSelection = show({ onLabel });
    hold(HALDEN.start + 2);
    expect(selected()).toBe('Halden');
    expect(onSelection).toHaveBeenLastCalledWith(HALDEN);
    expect(grip('start')).not.toBeNull();
    expect(grip('end')).not.toBeNull();
    const picker = screen.getByRole('dialog', { name: 'Labels' });
    expect(picker).toHaveTextContent('Halden');
    // The keyboard of the phone stays away.
    expect(screen.getByRole('combobox')).not.toHaveFocus();
    fireEvent.click(screen.getByRole('option', { name: /Location/ }));
    expect(onLabel).toHaveBeenCalledWith('location', { kind: 'selection', ...HALDEN });
    expect(document.querySelector('.ann-grip')).toBeNull();
  });

  it('moves an end by its handle, by words; the labels come back when it is let go', () => {
    const onSelection = show();
    hold(HALDEN.start + 2);
    fireEvent.pointerDown(grip('start'), touch(HALDEN.start));
    fireEvent.pointerMove(grip('start'), touch(TEXT.indexOf('spoke') + 2));
    expect(selected()).toBe('spoke in Halden');
    expect(screen.queryByRole('dialog')).toBeNull();
    fireEvent.pointerUp(grip('start'), touch(TEXT.indexOf('spoke') + 2));
    expect(onSelection).toHaveBeenLastCalledWith({ start: TEXT.indexOf('spoke'), end: HALDEN.end });
    expect(screen.getByRole('dialog', { name: 'Labels' })).toHaveTextContent('spoke in Halden');
  });

  it('selects nothing when it is lifted early, moves on to scroll, or the text is read only', () => {
    show();
    hold(HALDEN.start, HOLD_MS / 2);
    fireEvent.pointerUp(text(), touch(HALDEN.start));
    act(() => {
      vi.advanceTimersByTime(HOLD_MS);
    });
    expect(selected()).toBe('');
    fireEvent.pointerDown(text(), touch(HALDEN.start));
    fireEvent.pointerMove(text(), { ...touch(HALDEN.start), clientY: 60 });
    act(() => {
      vi.advanceTimersByTime(HOLD_MS);
    });
    expect(selected()).toBe('');
    cleanup();
    show({ readOnly: true });
    hold(HALDEN.start);
    expect(selected()).toBe('');
  });
});
