import { render, screen, waitFor } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { useNotificationsStore } from '@/state/notifications-store';
import { startTestI18n } from '@/test/render';
import { lazyPart } from './lazy-part';

beforeAll(() => startTestI18n());
beforeEach(() => useNotificationsStore.setState({ items: [] }));

interface Given {
  readonly name: string;
  readonly onClose: () => void;
}
const Part = ({ name }: Given) => <p>Hello {name}</p>;

it('loads a part when it is first shown, and shows it at once from then on', async () => {
  const load = vi.fn(() => Promise.resolve(Part));
  const Lazy = lazyPart<Given>(load);
  expect(load).not.toHaveBeenCalled();
  const { unmount } = render(<Lazy name="Ana" onClose={vi.fn()} />);
  expect(await screen.findByText('Hello Ana')).toBeVisible();
  unmount();
  render(<Lazy name="Bo" onClose={vi.fn()} />);
  expect(screen.getByText('Hello Bo')).toBeVisible();
  expect(load).toHaveBeenCalledTimes(1);
});

it('closes with a notice when the code does not arrive, and tries again at the next opening', async () => {
  const load = vi.fn<() => Promise<typeof Part>>().mockRejectedValueOnce(new TypeError('Failed to fetch')).mockResolvedValue(Part);
  const Lazy = lazyPart<Given>(load);
  const onClose = vi.fn();
  const { unmount } = render(<Lazy name="Ana" onClose={onClose} />);
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
  expect(useNotificationsStore.getState().items).toMatchObject([{ type: 'error', message: 'This part could not be loaded' }]);
  unmount();
  render(<Lazy name="Ana" onClose={onClose} />);
  expect(await screen.findByText('Hello Ana')).toBeVisible();
});
