/** Narrow windows (visual design, section 10): drawers as sheets that start closed, tables as cards, swipes. */
import { fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { inNarrowWindow } from '@/test/narrow-window';
import { startTestI18n } from '@/test/render';
import { useLayoutStore } from '@/state/layout-store';
import { useSessionStore } from '@/state/session-store';
import { DataTable } from './data-table';
import { Page } from './page';
import { SWIPE_DISTANCE, swipeDirection, useSwipe } from './use-swipe';

beforeAll(() => startTestI18n());

describe('a page in a narrow window', () => {
  inNarrowWindow();
  const page = (subject?: string, onCloseDrawer?: () => void) => (
    <Page
      screen="explore"
      filters={<p>All filters</p>}
      activeFilters={2}
      drawer={<p>All labels</p>}
      drawerTitle="Labels"
      drawerSubject={subject}
      onCloseDrawer={onCloseDrawer}
    >
      Text
    </Page>
  );

  it('starts without drawers, whatever is stored, and opens them as sheets', async () => {
    useSessionStore.setState({ permissions: new Set(['useSearch']) });
    useLayoutStore.setState({ drawers: { 'explore/filters': true, 'explore/labels': true } });
    render(page());
    expect(screen.queryByText('All filters')).toBeNull();
    expect(screen.queryByText('All labels')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Show the filters 2' }));
    const sheet = await screen.findByRole('dialog', { name: 'Filters' });
    expect(within(sheet).getByText('All filters')).toBeVisible();
    await userEvent.click(within(sheet).getByRole('button', { name: 'Close' }));
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await userEvent.click(screen.getByRole('button', { name: 'Labels' }));
    expect(await screen.findByRole('dialog', { name: 'Labels' })).toHaveTextContent('All labels');
  });

  it('shows what was asked for at once, and says when it is closed', async () => {
    const closed = vi.fn();
    const { rerender } = render(page(undefined, closed));
    rerender(page('one', closed));
    const sheet = await screen.findByRole('dialog', { name: 'Labels' });
    await userEvent.click(within(sheet).getByRole('button', { name: 'Close' }));
    expect(closed).toHaveBeenCalledOnce();
  });
});

describe('a table in a narrow window', () => {
  inNarrowWindow();

  it('is drawn as cards that are still a table, named by their first proper column', () => {
    render(
      <DataTable
        label="Runs"
        rows={[{ id: 'a', name: 'First' }]}
        rowKey={({ id }) => id}
        columns={[
          { key: 'star', header: '', leading: true, cell: () => '*' },
          { key: 'name', header: 'Name', cell: ({ name }) => name },
          { key: 'id', header: 'Identifier', cell: ({ id }) => id },
        ]}
      />,
    );
    const table = screen.getByRole('table', { name: 'Runs' });
    expect(table).toHaveAttribute('role', 'table');
    const cells = within(table).getAllByRole('cell');
    expect(cells.map((cell) => cell.dataset['place'])).toEqual(['leading', 'title', undefined]);
    expect(cells[2]).toHaveAttribute('data-label', 'Identifier');
  });
});

describe('a swipe', () => {
  function Card({ onSwipe }: { readonly onSwipe?: (direction: string) => void }) {
    return <article {...useSwipe(onSwipe)}>Card</article>;
  }
  const touch = (x: number, y = 0) => ({ pointerType: 'touch', isPrimary: true, pointerId: 1, clientX: x, clientY: y });

  it('acts when the finger is far enough, in its direction', () => {
    expect([swipeDirection(SWIPE_DISTANCE - 1), swipeDirection(SWIPE_DISTANCE), swipeDirection(-SWIPE_DISTANCE)]).toEqual([
      undefined,
      'right',
      'left',
    ]);
    const done = vi.fn();
    render(<Card onSwipe={done} />);
    const card = screen.getByRole('article');
    fireEvent.pointerDown(card, touch(200));
    fireEvent.pointerMove(card, touch(150));
    expect(card.dataset['swipe']).toBe('none');
    fireEvent.pointerMove(card, touch(90));
    expect(card.dataset['swipe']).toBe('left');
    fireEvent.pointerUp(card, touch(90));
    expect(done.mock.calls).toEqual([['left']]);
    expect(card.dataset['swipe']).toBeUndefined();
  });

  it('does nothing when the finger comes back, scrolls, or is a mouse', () => {
    const done = vi.fn();
    render(<Card onSwipe={done} />);
    const card = screen.getByRole('article');
    fireEvent.pointerDown(card, touch(0));
    fireEvent.pointerMove(card, touch(120));
    fireEvent.pointerUp(card, touch(10));
    fireEvent.pointerDown(card, touch(0));
    fireEvent.pointerMove(card, touch(5, 60));
    fireEvent.pointerUp(card, touch(200, 60));
    fireEvent.pointerDown(card, { ...touch(0), pointerType: 'mouse' });
    fireEvent.pointerMove(card, touch(200));
    fireEvent.pointerUp(card, touch(200));
    expect(done).not.toHaveBeenCalled();
  });
});
