import { act, cleanup, render, renderHook, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { SpanToolbar } from './span-toolbar';
import { WithAppearance, span } from '@/annotation/testing/fixtures';
import { useSpanDrag } from './use-span-drag';

afterEach(cleanup);

const TEXT = 'Ines Okafor-Lund spoke in Halden.';
const SPANS = [span('ines', 0, 4), span('halden', 26, 32, 'location')];

describe('useSpanDrag', () => {
  const start = (extension: 'none' | 'space-or-punctuation') =>
    renderHook(() => useSpanDrag({ text: TEXT, extension, spans: SPANS })).result;

  it('draws the span at its new position and reports it once, when the button is released', () => {
    const held = start('space-or-punctuation');
    const resize = vi.fn();
    act(() => held.current.grip({ id: 'ines', part: 'end' }, 4, 8, 'drag', resize));
    expect(held.current.spans[0]).toMatchObject({ id: 'ines', start: 0, end: 16 });
    expect(held.current.spans[1]).toBe(SPANS[1]);
    expect(resize).not.toHaveBeenCalled();
    act(() => held.current.grip({ id: 'ines', part: 'end' }, 4, 8, 'drop', resize));
    expect(resize).toHaveBeenCalledExactlyOnceWith('ines', { start: 0, end: 16 });
    expect(held.current.spans).toBe(SPANS);
  });

  it('changes nothing when the drag is cancelled or ends where it began', () => {
    const held = start('none');
    const resize = vi.fn();
    act(() => held.current.grip({ id: 'halden', part: 'start' }, 26, 20, 'drag', resize));
    expect(held.current.moved).toBeDefined();
    act(() => held.current.grip({ id: 'halden', part: 'start' }, 0, 0, 'cancel', resize));
    act(() => held.current.grip({ id: 'halden', part: 'start' }, 26, 26, 'drop', resize));
    expect(held.current.moved).toBeUndefined();
    expect(resize).not.toHaveBeenCalled();
  });

  it('moves the whole span by its tag', () => {
    const resize = vi.fn();
    const held = start('space-or-punctuation');
    act(() => held.current.grip({ id: 'halden', part: 'whole' }, 26, 17, 'drop', resize));
    expect(resize).toHaveBeenCalledExactlyOnceWith('halden', { start: 17, end: 22 });
  });
});

describe('SpanToolbar', () => {
  it('offers the actions that the state allows', async () => {
    const user = userEvent.setup();
    const calls = { onRelabel: vi.fn(), onAccept: vi.fn(), onReject: vi.fn(), onRemove: vi.fn(), onPropagate: vi.fn() };
    const bar = (status: 'confirmed' | 'suggested' | 'rejected') => (
      <WithAppearance>
        <SpanToolbar span={span('halden', 26, 32, 'location', { status })} {...calls} />
      </WithAppearance>
    );
    const names = () => screen.getAllByRole('button').map((button) => button.getAttribute('aria-label'));
    const { rerender } = render(bar('confirmed'));
    expect(names()).toEqual(['Change label: Location', 'Reject', 'Copy to all identical occurrences', 'Remove annotation']);
    for (const button of screen.getAllByRole('button')) await user.click(button);
    rerender(bar('suggested'));
    expect(names()).toEqual(['Change label: Location', 'Accept', 'Reject', 'Remove annotation']);
    await user.click(screen.getByRole('button', { name: 'Accept' }));
    for (const call of Object.values(calls)) expect(call).toHaveBeenCalledExactlyOnceWith('halden');
    rerender(bar('rejected'));
    expect(names()).toEqual(['Change label: Location', 'Accept', 'Remove annotation']);
  });
});
