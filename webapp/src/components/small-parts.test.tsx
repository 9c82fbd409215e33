import { act, fireEvent, render, renderHook, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NotificationStack } from '@/app/shell/notification-stack';
import { useNotificationsStore } from '@/state/notifications-store';
import { startTestI18n } from '@/test/render';
import { MemoryRouter } from 'react-router';
import { CopyButton } from './copy-button';
import { usePrinting } from './media';
import { Tooltip, type TooltipProps } from './tooltip';

beforeEach(async () => {
  await startTestI18n();
  useNotificationsStore.setState({ items: [] });
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

const pass = (ms: number) => act(async () => vi.advanceTimersByTimeAsync(ms));

describe('copying (C-006)', () => {
  it('says so for 1.5 s', async () => {
    const writeText = vi.fn(() => Promise.resolve());
    Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true });
    render(
      <MemoryRouter>
        <CopyButton text="été 😀" label="Copy the details" />
        <NotificationStack />
      </MemoryRouter>,
    );
    fireEvent.click(screen.getByRole('button', { name: 'Copy the details' }));
    await pass(0);
    expect(writeText).toHaveBeenCalledWith('été 😀');
    expect(screen.getByText('Copied')).toBeInTheDocument();
    await pass(1490);
    expect(screen.getByText('Copied')).toBeInTheDocument();
    await pass(20);
    expect(screen.queryByText('Copied')).toBeNull();
  });
});

describe('tooltips (C-007)', () => {
  it.each<[TooltipProps['delay'], number]>([
    [undefined, 200],
    ['normal', 200],
    ['slow', 500],
    ['slowest', 600],
  ])('%s opens after %i ms', async (delay, ms) => {
    render(
      <Tooltip title="More words" {...(delay === undefined ? {} : { delay })}>
        <button type="button">Here</button>
      </Tooltip>,
    );
    fireEvent.mouseOver(screen.getByText('Here'));
    await pass(ms - 10);
    expect(screen.queryByRole('tooltip')).toBeNull();
    await pass(20);
    expect(screen.getByRole('tooltip')).toHaveTextContent('More words');
  });
});

it('knows that the page is put on paper before it is laid out, and that it is over', () => {
  const { result } = renderHook(usePrinting);
  act(() => void window.dispatchEvent(new Event('beforeprint')));
  expect(result.current).toBe(true);
  act(() => void window.dispatchEvent(new Event('afterprint')));
  expect(result.current).toBe(false);
});
