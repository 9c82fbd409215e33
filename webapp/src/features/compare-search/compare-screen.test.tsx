/** Route-level tests of the comparison of two searches, on the real router, against msw. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clearSession } from '@/app/session-lifecycle';
import { COMPARE_DEFAULTS, comparePath, decodeSearch, type CompareAddress } from '@/state/compare-address';
import { decodePathState } from '@/state/path-state';
import { addressPath, readAddress, SEARCH_DEFAULTS } from '@/state/search-address';
import { useSessionStore } from '@/state/session-store';
import { renderStudio } from '@/test/render';
import { errorResponse, PERMISSIONS, server } from '@/test/server';

const segment = (id: string) => ({
  _id: id,
  score: 1,
  segment: { identifier: id, documentIdentifier: `d-${id}`, documentTitle: `Report ${id}`, start: 0, end: 6, text: `Text ${id}` },
});
const FOUND: Readonly<Record<string, readonly string[]>> = {
  wing: ['a', 'b', 'c', 'd', 'e', 'f'],
  lift: ['a', 'c', 'e', 'x', 'b', 'f'],
  nothing: [],
};

interface SearchRequest {
  readonly search: { readonly query: string; readonly from: number; readonly size: number };
}
let permissions: readonly string[] = [];

beforeAll(() => server.listen({ onUnhandledRequest: 'bypass' }));
beforeEach(() => {
  permissions = [...PERMISSIONS, 'seeExplore', 'seeDocuments', 'seeSearchCompare'];
  useSessionStore.setState({ projectName: 'press' });
  server.use(
    http.get('*/api/users/:name', () => HttpResponse.json({ username: 'ana', permissions })),
    http.get('*/api/projects/press/label_sets', () => HttpResponse.json([])),
    http.post('*/api/projects/press/segments/_do_search', async ({ request }) => {
      const { query, from, size } = ((await request.json()) as SearchRequest).search;
      const ids = FOUND[query];
      if (ids === undefined) return errorResponse(500, 'Broken');
      const hits = ids.slice(from, from + size).map(segment);
      return HttpResponse.json({ hits, total: { value: ids.length, relation: 'eq' }, size });
    }),
  );
});
afterEach(() => {
  clearSession();
  server.resetHandlers();
});
afterAll(() => server.close());

const path = (one: string, two: string) => comparePath({ ...SEARCH_DEFAULTS, query: one }, { ...SEARCH_DEFAULTS, query: two });
const results = (letter: string) => screen.findByRole('list', { name: `Results of search ${letter}` });
const side = (letter: string) => screen.getByRole('region', { name: `Search ${letter}` });
const rows = (list: HTMLElement) =>
  within(list)
    .getAllByRole('listitem')
    .map((row) => [row.dataset['common'] ?? '', row.textContent]);
const queries = (pathname: string) => {
  const address: CompareAddress = decodePathState(pathname.split('/')[2], COMPARE_DEFAULTS);
  return [address.explore1, address.explore2].map((text) => decodeSearch(text, SEARCH_DEFAULTS).query);
};

describe('the comparison of two searches', () => {
  it('S-031, S-032, C-037 restores both searches and gives common results the same number and colour', async () => {
    await renderStudio(path('wing', 'lift'));
    const common = within(await screen.findByRole('region', { name: 'Common results' }));
    await waitFor(() => expect(common.getAllByRole('listitem')).toHaveLength(5));
    expect(common.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      '1. Report aText aranks 1 · 1 · average 1',
      '2. Report cText cranks 3 · 2 · average 2.5',
      '3. Report bText branks 2 · 5 · average 3.5',
      '4. Report eText eranks 5 · 3 · average 4',
      '5. Report fText franks 6 · 6 · average 6',
    ]);
    const one = rows(await results('A'));
    expect(one.map(([place]) => place)).toEqual(['1', '3', '2', '', '4', '5']);
    expect(one[2]).toEqual(['2', '3Report ccommon 2 · #2 in BText c']);
    expect(one[3]).toEqual(['', '4Report donly hereText d']);
    expect(rows(await results('B')).map(([place]) => place)).toEqual(['1', '2', '4', '', '3', '5']);
    expect(screen.getByText('A: 6 · B: 6 results · 5 in both · overlap at 10: 5 (83%)')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('radio', { name: 'All results' }));
    const either = within(screen.getByRole('region', { name: 'Results of either search' }));
    expect(either.getAllByRole('listitem')).toHaveLength(7);
  });

  it('R-026 each query changes its own side of the address', async () => {
    const { router } = await renderStudio('/compare-search');
    expect(await screen.findByText('Search A is empty')).toBeInTheDocument();
    expect(screen.getByText(/^At least two search results are expected/)).toBeInTheDocument();
    await userEvent.type(within(side('A')).getByRole('textbox', { name: 'Query of search A' }), 'wing{Enter}');
    await results('A');
    expect(queries(router.state.location.pathname)).toEqual(['wing', '']);
    await userEvent.type(within(side('B')).getByRole('textbox', { name: 'Query of search B' }), 'lift{Enter}');
    await results('B');
    expect(queries(router.state.location.pathname)).toEqual(['wing', 'lift']);
    await userEvent.click(screen.getByRole('button', { name: 'Swap A and B' }));
    expect(queries(router.state.location.pathname)).toEqual(['lift', 'wing']);
  });

  it('V-035 fewer than two result sets are an error, and the failed side can be tried again', async () => {
    await renderStudio(path('wing', 'broken'));
    expect(await within(await screen.findByRole('region', { name: 'Search B' })).findByRole('button', { name: 'Try again' })).toBeVisible();
    expect(rows(await results('A'))).toHaveLength(6);
    expect(await screen.findByText(/^At least two search results are expected/)).toBeInTheDocument();
  });

  it('a search that finds nothing has nothing in common with the other', async () => {
    await renderStudio(path('wing', 'nothing'));
    expect(await screen.findByText('The two searches have no result in common.')).toBeInTheDocument();
    expect(within(side('B')).getByText('No segments match')).toBeInTheDocument();
    expect(screen.getByText(/overlap at 10: 0 \(0%\)$/)).toBeInTheDocument();
  });

  it('a filter is added to its side only, and shown as a chip', async () => {
    const { router } = await renderStudio(path('wing', 'lift'));
    await results('B');
    await userEvent.click(within(side('B')).getByRole('button', { name: 'Add a filter to search B' }));
    const form = within(side('B')).getByRole('form', { name: 'Add a filter' });
    await userEvent.type(within(form).getByRole('textbox', { name: 'Text' }), 'flow{Enter}');
    expect(await within(side('B')).findByRole('button', { name: /^Text: flow, included/ })).toBeInTheDocument();
    expect(within(side('A')).queryByRole('button', { name: /flow/ })).toBeNull();
    expect(queries(router.state.location.pathname)).toEqual(['wing', 'lift']);
  });

  it('the explorer opens the comparison with its search on both sides', async () => {
    const { router } = await renderStudio(addressPath('/explore', { query: 'wing', from: 0, datasetSelector: '$inDataset' }));
    await userEvent.click(within(await screen.findByRole('toolbar')).getByRole('button', { name: 'Compare' }));
    await results('A');
    expect(queries(router.state.location.pathname)).toEqual(['wing', 'wing']);
    expect(await screen.findByText(/6 in both/)).toBeInTheDocument();
    await userEvent.click(within(await results('B')).getByRole('link', { name: 'Report c' }));
    await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/document\//));
    expect(readAddress(router.state.location.pathname.split('/')[2])).toMatchObject({
      ...{ query: 'wing', documentIdentifier: 'd-c', origin: 'explore', from: 2, datasetSelector: '$inDataset' },
    });
  });

  it('the explorer does not offer it without the permission', async () => {
    permissions = [...PERMISSIONS, 'seeExplore'];
    await renderStudio(addressPath('/explore', { query: 'wing' }));
    await screen.findByText('6 segments');
    expect(within(screen.getByRole('toolbar')).queryByRole('button', { name: 'Compare' })).toBeNull();
  });
});
