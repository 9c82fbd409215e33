import { act, fireEvent, render, renderHook, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NotificationStack } from '@/app/shell/notification-stack';
import { useNotificationsStore } from '@/state/notifications-store';
import { OperatorNotices } from '@/app/shell/operator-notices';
import { useSessionStore } from '@/state/session-store';
import { startTestI18n } from '@/test/render';
import { MemoryRouter } from 'react-router';
import { CopyButton } from './copy-button';
import { FacetList } from './facet-list';
import { usePrinting } from './media-query';
import { Tooltip, type TooltipProps } from './tooltip';

beforeEach(async () => {
  await startTestI18n();
  useNotificationsStore.setState({ items: [] });
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

const pass = (ms: number) => act(async () => vi.advanceTimersByTimeAsync(ms));

describe('copying (C-006)', () => {
  it('shows a confirmation for 1.5 s', async () => {
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

describe('tooltips in use (C-007)', () => {
  const facet = (label: string) => (
    <MemoryRouter>
      <FacetList
        screen="explore"
        facets={[{ name: 'label', label: 'Label', values: [{ value: 'a', label, count: 1 }] }]}
        selected={[]}
        onChange={() => undefined}
      />
    </MemoryRouter>
  );
  const pointed = async (text: string, ms: number) => {
    fireEvent.pointerEnter(screen.getByText(text).parentElement as HTMLElement);
    fireEvent.mouseOver(screen.getByText(text));
    await pass(ms - 10);
    expect(screen.queryByRole('tooltip')).toBeNull();
    await pass(20);
    return screen.queryByRole('tooltip');
  };
  const drawnAt = (width: number) => vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue({ width } as DOMRect);
  afterEach(() => vi.restoreAllMocks());

  it('C-014 shows the complete facet value after 500 ms if it is 155 px wide, whatever its length', async () => {
    drawnAt(155);
    render(facet('WWWWWWWWWWWWWWWWWWWW'));
    expect(await pointed('WWWWWWWWWWWWWWWWWWWW', 500)).toHaveTextContent('WWWWWWWWWWWWWWWWWWWW');
  });
  it('C-014 or if it has more than 22 characters, however narrow', async () => {
    drawnAt(90);
    render(facet('i'.repeat(23)));
    expect(await pointed('i'.repeat(23), 500)).toHaveTextContent('i'.repeat(23));
  });
  it('C-014 a value that is not truncated has none', async () => {
    drawnAt(154);
    render(facet('i'.repeat(22)));
    expect(await pointed('i'.repeat(22), 500)).toBeNull();
  });
  it('details of a notice appear after 600 ms', async () => {
    useSessionStore.setState({ config: { aiUsageWarning: true } });
    render(<OperatorNotices />);
    const words = screen.getByText(/./u, { selector: 'span.visually-hidden' }).textContent ?? '';
    const notice = screen.getByText(words, { selector: 'span.visually-hidden' }).parentElement as HTMLElement;
    fireEvent.mouseOver(notice);
    await pass(590);
    expect(screen.queryByRole('tooltip')).toBeNull();
    await pass(20);
    expect(screen.getByRole('tooltip')).toHaveTextContent(words);
    useSessionStore.setState({ config: {} });
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

it('detects printing before the layout, and its end', () => {
  const { result } = renderHook(usePrinting);
  act(() => void window.dispatchEvent(new Event('beforeprint')));
  expect(result.current).toBe(true);
  act(() => void window.dispatchEvent(new Event('afterprint')));
  expect(result.current).toBe(false);
});
