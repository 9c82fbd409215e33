/** The filter drawer of a search: words, ranges, values of long facets. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { MemoryRouter } from 'react-router';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { facetToJson } from '@/api/resources/search';
import { useLayoutStore } from '@/state/layout-store';
import { SEARCH_DEFAULTS } from '@/state/search-address';
import { useSessionStore } from '@/state/session-store';
import { lexiconHandlers } from '@/test/lexicons';
import { startTestI18n } from '@/test/render';
import { server } from '@/test/server';
import { SearchFilterChips, SearchFacets, type FacetsAndFilters } from './search-filters';

const TEXTS = {
  title: (name: string) => name.replace('metadata.', ''),
  value: (_name: string, value: string) => value,
  colour: () => undefined,
};
const { query, from, size, searchType, datasetSelector } = SEARCH_DEFAULTS;
const AUTHORS = {
  name: 'metadata.author',
  buckets: [
    { key: 'Ana', doc_count: 3 },
    { key: 'sum_other_doc_count_metadata.author', doc_count: 70 },
  ],
};
const YEARS = {
  name: 'metadata.year',
  valueKind: 'number' as const,
  buckets: [
    { key: '1990', doc_count: 1 },
    { key: '1992', doc_count: 2 },
  ],
};

let requests: { output: Record<string, unknown>; search: { filtering: { filters: unknown[] } } }[] = [];

beforeAll(async () => {
  server.listen({ onUnhandledRequest: 'bypass' });
  await startTestI18n();
});
beforeEach(() => {
  requests = [];
  useLayoutStore.setState({ panels: { explore: ['metadata.author', 'metadata.year'] } });
  server.use(
    http.post('*/api/projects/press/segments/_do_search', async ({ request }) => {
      const body = (await request.json()) as (typeof requests)[number];
      requests.push(body);
      const bars = [1990, 1991, 1992].map((year) => ({ key: String(year), from: year, to: year + 1, doc_count: year === 1991 ? 0 : 1 }));
      return HttpResponse.json({
        hits: [],
        total: { value: 0, relation: 'eq' },
        aggregations: [{ name: 'metadata.author', buckets: [{ key: 'Zoe', doc_count: 1 }] }],
        histograms: [{ name: 'metadata.year', valueKind: 'number', buckets: bars }],
      });
    }),
  );
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

function show(chosen: FacetsAndFilters, onChange: (part: Partial<FacetsAndFilters>) => void): void {
  const search = { action: '_do_search' as const, segid: '', query, simpleQuery: true, searchType, from, size, datasetSelector, sort: '' };
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <SearchFacets
          screen="explore"
          project="press"
          target={{ searchIn: 'segments', search: { ...search, ...chosen } }}
          aggregations={[AUTHORS, YEARS]}
          texts={TEXTS}
          {...{ selected: chosen, onChange }}
        />
        <SearchFilterChips texts={TEXTS} {...{ selected: chosen, onChange }} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

const NOTHING: FacetsAndFilters = { selectedFacets: [], filters: [] };

describe('filter drawer', () => {
  it('names the terms of a facet and of its chips by their preferred forms, else by their identifiers', async () => {
    useSessionStore.setState({ projectName: 'press', permissions: new Set(['useSearch']) });
    useLayoutStore.setState({ panels: { explore: ['term'] } });
    server.use(...lexiconHandlers().handlers);
    const selectedFacets = ['diseases:DOID:2841', 'diseases:DOID:0'].map(
      (facetValue) => ({ facetName: 'term', facetValue, facetSelector: '+' }) as const,
    );
    show({ selectedFacets, filters: [] }, vi.fn());
    expect(await screen.findAllByRole('button', { name: /term: asthma/ })).not.toHaveLength(0);
    expect(screen.getAllByRole('button', { name: /term: DOID:0/ })).not.toHaveLength(0);
    expect(await screen.findByRole('checkbox', { name: /^asthma/ })).toBeInTheDocument();
  });

  it('V-001 adds words of the text with Enter, and nothing for an empty text', async () => {
    const onChange = vi.fn();
    show(NOTHING, onChange);
    expect(screen.getByRole('button', { name: 'Add' })).toBeDisabled();
    await userEvent.type(screen.getByLabelText('Text'), 'cats dogs{Enter}');
    expect(onChange).toHaveBeenCalledWith({
      filters: [{ field: 'text', value: 'cats AND dogs', filterSelector: 'must', filterType: 'query' }],
    });
  });

  it('searches for a value that the long facet does not list', async () => {
    const onChange = vi.fn();
    show(NOTHING, onChange);
    await userEvent.type(screen.getByRole('searchbox', { name: 'Find a value of author' }), 'zo');
    await userEvent.click(await screen.findByRole('checkbox', { name: /^Zoe/ }));
    expect(requests.at(-1)?.output).toMatchObject({ facetNames: ['metadata.author'], facetFind: 'zo', returnHits: false });
    expect(onChange).toHaveBeenCalledWith({
      selectedFacets: [{ facetName: 'metadata.author', facetValue: 'Zoe', facetSelector: '+' }],
    });
  });

  it('applies a range of numbers, whose own histogram is not restricted by it', async () => {
    const range = { field: 'metadata.year', value: '[1990 TO *]', filterSelector: 'must' as const, filterType: 'query' as const };
    const onChange = vi.fn();
    show({ ...NOTHING, filters: [range] }, onChange);
    const to = await screen.findByLabelText('To');
    expect(screen.getByLabelText('From')).toHaveValue(1990);
    expect(requests.every(({ search }) => search.filtering.filters.length === 0)).toBe(true);
    await userEvent.type(to, '1980');
    expect(screen.getByRole('alert')).toHaveTextContent('The start is after the end');
    expect(screen.getByRole('button', { name: 'Apply' })).toBeDisabled();
    await userEvent.clear(to);
    await userEvent.type(to, '1991{Enter}');
    expect(onChange).toHaveBeenCalledWith({ filters: [{ ...range, value: '[1990 TO 1991]' }] });
  });

  it('W-016 chips of filters can be inverted and removed', async () => {
    const filter = { field: 'text', value: 'cat', filterSelector: 'must' as const, filterType: 'query' as const };
    const onChange = vi.fn();
    show({ ...NOTHING, filters: [filter] }, onChange);
    await userEvent.click(screen.getByRole('button', { name: /^Text: cat, included/ }));
    expect(onChange).toHaveBeenCalledWith({ filters: [{ ...filter, filterSelector: 'must_not' }] });
    await userEvent.click(screen.getByRole('button', { name: 'Remove Text: cat' }));
    await waitFor(() => expect(onChange).toHaveBeenLastCalledWith({ filters: [] }));
  });
});

describe('a chosen value before the results arrive', () => {
  it.each([
    ['label', 'a:b', '+label:a:b'],
    ['label(ann.b)', 'two words', '+label(ann.b):two words'],
    ['metadata.tag', 'a,b', '+metadata.tag:"a,b"'],
    ['metadata.tag', '"q" \\', '+metadata.tag:"\\"q\\" \\\\"'],
    ['metadata.tag', ' ', '+metadata.tag:" "'],
    ['metadata.a:b', 'c', '+"metadata.a:b":c'],
  ])('%s %s', (facetName, facetValue, written) => {
    expect(facetToJson({ facetName, facetValue, facetSelector: '+' })).toBe(written);
  });
});
