import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { SIZE } from '@/theme/tokens';
import { useSearchStore } from '@/state/search-store';
import { startTestI18n } from '@/test/render';
import { SEARCH_DEBOUNCE_MS, SearchBox } from './search-box';

beforeAll(() => startTestI18n());
beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  useSearchStore.setState({ slot: null });
});

function open(query = '') {
  const onSearch = vi.fn();
  act(() => useSearchStore.setState({ slot: { placeholder: 'Search', query, onSearch } }));
  render(<SearchBox />);
  return onSearch;
}

const box = () => screen.getByRole('textbox', { name: 'Search' });
const type = (value: string) => fireEvent.change(box(), { target: { value } });

describe('search box', () => {
  it('C-004 searches 850 ms after the last key, immediately with Enter, and is 470 px wide at most', () => {
    const onSearch = open();
    type('p');
    vi.advanceTimersByTime(849);
    type('pa');
    vi.advanceTimersByTime(849);
    expect(onSearch).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(onSearch.mock.calls).toEqual([['pa', false]]);
    type('paris');
    fireEvent.submit(screen.getByRole('search'));
    vi.advanceTimersByTime(SEARCH_DEBOUNCE_MS);
    expect(onSearch.mock.calls.slice(1)).toEqual([['paris', true]]);
    expect([SEARCH_DEBOUNCE_MS, SIZE.search]).toEqual([850, 470]);
  });

  it('V-022 an emptied box searches for everything', () => {
    const onSearch = open('paris');
    fireEvent.click(screen.getByRole('button', { name: 'Clear the search' }));
    expect(onSearch).toHaveBeenLastCalledWith('', true);
    type('x');
    type('');
    vi.advanceTimersByTime(SEARCH_DEBOUNCE_MS);
    expect(onSearch).toHaveBeenLastCalledWith('', false);
  });
});
