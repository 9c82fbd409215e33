/** S-022: saved searches. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { MemoryRouter, Route, Routes } from 'react-router';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { searchFromJson, searchToJson, type SavedSearchState, type SavedSearch } from '@/api/resources/saved-searches';
import { SEARCH_DEFAULTS, useSearchAddress, type SearchAddress } from '@/state/search-address';
import { useSessionStore } from '@/state/session-store';
import { startTestI18n } from '@/test/render';
import { server } from '@/test/server';
import { SavedSearchesButton } from './saved-searches';
import { SortMenu } from './sort-menu';
import { toSavedSearchState, useDefaultSearch } from './use-default-search';

const TEXTS = {
  title: (name: string) => (name === 'metadata.year' ? 'Année' : name.replace('metadata.', '')),
  value: (_name: string, value: string) => value,
  colour: () => undefined,
};
const STATE: SavedSearchState = toSavedSearchState({
  ...SEARCH_DEFAULTS,
  query: 'paris',
  searchType: 'hybrid',
  isSimpleQueryMode: false,
  size: 25,
  sort: '-metadata.year',
  datasetSelector: '$inDataset',
  selectedFacets: [
    { facetName: 'label', facetValue: 'a, b', facetSelector: '-' },
    { facetName: 'metadata.source', facetValue: 'x:y', facetSelector: '+' },
  ],
  filters: [{ field: 'text', value: 'x y', filterSelector: 'must_not', filterType: 'query' }],
});

const saved = (part: Partial<SavedSearch>): SavedSearch => ({
  name: 'spring',
  label: 'Spring',
  kind: 'segments',
  search: searchToJson({ ...STATE, query: 'spring', selectedFacets: [], filters: [], datasetSelector: '' }),
  shared: false,
  isDefault: false,
  mine: true,
  editable: true,
  createdBy: 'ana',
  modifiedDate: '2026-11-22T00:00:00Z',
  ...part,
});

let list: SavedSearch[] = [];
let sent: { method: string; body: unknown }[] = [];
let user = 0;

beforeAll(async () => {
  server.listen({ onUnhandledRequest: 'bypass' });
  await startTestI18n();
});
beforeEach(() => {
  sent = [];
  list = [];
  user += 1; // the default search is applied once per user until the page is reloaded
  useSessionStore.setState({
    principal: { username: `ana${user}` } as never,
    permissions: new Set(['useSearch', 'changeProjectConfig', 'writeProject:*', 'readProject:*']),
    projectName: 'p',
  });
  const capture = async ({ request }: { request: Request }) => {
    const body: unknown = request.method === 'DELETE' ? null : await request.json();
    sent.push({ method: request.method, body });
    return request.method === 'DELETE' ? new HttpResponse(null, { status: 204 }) : HttpResponse.json(saved(body as Partial<SavedSearch>));
  };
  server.use(
    http.get('*/saved_searches', () => HttpResponse.json(list)),
    http.post('*/saved_searches', capture),
    http.patch('*/saved_searches/:name', capture),
    http.delete('*/saved_searches/:name', capture),
  );
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

function Screen({ onState }: { readonly onState: (state: SearchAddress) => void }) {
  const [state, change] = useSearchAddress('/explore');
  useDefaultSearch({ project: 'p', kind: 'segments', usual: SEARCH_DEFAULTS, change });
  onState(state);
  return <SavedSearchesButton project="p" kind="segments" usual={SEARCH_DEFAULTS} state={state} texts={TEXTS} onApply={change} />;
}

function open(path = '/explore') {
  const states: SearchAddress[] = [];
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <MemoryRouter initialEntries={[path]}>
        <Routes>
          <Route path="/explore/:searchParams?" element={<Screen onState={(state) => states.push(state)} />} />
        </Routes>
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return () => states.at(-1);
}

describe('a saved search', () => {
  it('round-trips', () => {
    expect(searchFromJson(saved({ search: JSON.parse(JSON.stringify(searchToJson(STATE))) as never }), SEARCH_DEFAULTS)).toEqual(STATE);
  });
  it('has default values for missing fields', () => {
    expect(searchFromJson(saved({ search: {} }), SEARCH_DEFAULTS)).toEqual(toSavedSearchState(SEARCH_DEFAULTS));
  });
});

describe('the dialog', () => {
  it('saves the present search, optionally as the default', async () => {
    open();
    await userEvent.click(screen.getByRole('button', { name: 'Saved searches' }));
    const dialog = await screen.findByRole('dialog', { name: 'Saved searches' });
    expect(within(dialog).getByRole('button', { name: 'Save' })).toBeDisabled();
    await userEvent.type(within(dialog).getByLabelText('Name'), 'All of it');
    await userEvent.click(within(dialog).getByRole('checkbox', { name: /Use it when/u }));
    await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).toMatchObject({ label: 'All of it', kind: 'segments', isDefault: true, shared: false, search: { query: '' } });
  });
  it('shows why there is no list, instead of an empty one', async () => {
    server.use(http.get('*/saved_searches', () => HttpResponse.json({ code: 500, cause: 'No record', errorId: 'e-417' }, { status: 500 })));
    open();
    await userEvent.click(screen.getByRole('button', { name: 'Saved searches' }));
    const dialog = await screen.findByRole('dialog');
    const told = await within(dialog).findByRole('alert');
    expect(told).toHaveTextContent('Unable to fetch the saved searches.');
    expect(told).toHaveTextContent('500 · e-417');
    expect(within(dialog).queryByText(/No saved searches/iu)).toBeNull();
    server.use(http.get('*/saved_searches', () => HttpResponse.json([saved({})])));
    await userEvent.click(within(told).getByRole('button', { name: 'Try again' }));
    expect(await within(dialog).findByRole('region', { name: 'Yours' })).toBeVisible();
  });
  it('shows, shares and deletes a saved search', async () => {
    list = [saved({}), saved({ name: 'other', label: 'Other', mine: false, editable: false, shared: true, createdBy: 'bob' })];
    const state = open();
    await userEvent.click(screen.getByRole('button', { name: 'Saved searches' }));
    const dialog = await screen.findByRole('dialog');
    const own = await within(dialog).findByRole('region', { name: 'Yours' });
    expect(within(within(dialog).getByRole('region', { name: 'Shared by others' })).queryAllByRole('checkbox')).toEqual([]);
    await userEvent.click(within(own).getByRole('checkbox', { name: 'Share Spring with everybody in the project' }));
    await waitFor(() => expect(sent).toEqual([{ method: 'PATCH', body: { shared: true } }]));
    await userEvent.click(within(own).getByRole('button', { name: 'Delete Spring' }));
    await waitFor(() => expect(sent.at(-1)?.method).toBe('DELETE'));
    await userEvent.click(within(own).getByRole('button', { name: 'Show Spring' }));
    await waitFor(() => expect(state()).toMatchObject({ query: 'spring', searchType: 'hybrid', size: 25, from: 0 }));
  });
});

describe('the default search', () => {
  it('is applied once, where the address has no search', async () => {
    list = [saved({ name: 'all', label: 'All', mine: false, isDefault: true, search: { query: 'shared' } }), saved({ isDefault: true })];
    const state = open();
    await waitFor(() => expect(state()).toMatchObject({ query: 'spring' }));
  });
  it('does not affect a link', async () => {
    list = [saved({ isDefault: true })];
    const asked = vi.fn();
    server.events.on('request:start', asked);
    const state = open('/explore/eyJxdWVyeSI6InJvbWUifQ');
    await waitFor(() => expect(asked).toHaveBeenCalled());
    await new Promise((done) => setTimeout(done, 50));
    expect(state()).toMatchObject({ query: 'rome' });
  });
});

describe('sorting', () => {
  it('offers title and the metadata of the results, in both directions', async () => {
    const change = vi.fn();
    render(<SortMenu value="" aggregations={[{ name: 'metadata.year', buckets: [] }]} texts={TEXTS} onChange={change} />);
    await userEvent.click(screen.getByRole('button', { name: 'Order: Best match first' }));
    expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual(
      expect.arrayContaining(['Title, A to Z', 'Title, Z to A', 'Année, lowest first', 'Année, highest first']),
    );
    await userEvent.click(screen.getByRole('menuitem', { name: 'Année, highest first' }));
    expect(change).toHaveBeenCalledWith('-metadata.year');
  });
});
