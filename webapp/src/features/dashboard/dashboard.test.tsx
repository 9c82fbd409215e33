import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dispatchLiveEvent } from '@/api/live-connection';
import { queryClient } from '@/api/query-client';
import { readAddress } from '@/state/search-address';
import { useSessionStore } from '@/state/session-store';
import { renderStudio } from '@/test/render';
import { PERMISSIONS, project, errorResponse, server } from '@/test/server';
import { facetSearchLinks, shownTab } from './dashboard-address';
import { shownFacet } from './corpus-tab';
import { countedLabellingToShow } from './dataset-tab';

const STATS = ['seeOverallStats', 'seeCorpusStats', 'seeDatasetStats', 'seeModelStats'];
const MORE = ['seeDocuments', 'seeExplore', 'seeExperiments', 'importDocuments', 'readFacet:*'];
const details = {
  labels: [{ _id: 'person', confirmed: 5, rejected: 1, unreviewed: 2 }],
  creators: [{ _id: 'ana', confirmed: 5, rejected: 1, unreviewed: 2 }],
  statuses: [{ _id: 'OK', count: 5 }],
  modes: [{ _id: 'manual', count: 8 }],
  splits: [],
  overlaps: { labels: ['person', 'place'], counts: [[4, 2], [2, 3]] },
  documentCount: 10,
  segmentCount: 40,
}; // prettier-ignore
const facets = { metadata: '', facets: [] };
const annotations = {
  annotationCount: 5,
  suggestionCount: 3,
  documentsInDataset: 4,
  segmentsInDataset: 6,
  annotationFacets: { labels: [], texts: [] },
  suggestionFacets: { labels: [], texts: [] },
  documentFacets: facets,
  details,
};
const corpus = (facet: string, documentCount = 10) => ({
  corpusSize: 1000,
  documentCount,
  segmentCount: 40,
  documentFacets: facet === '' ? facets : { metadata: facet, facets: [{ _id: 'press', documentCount: 7, segmentCount: 30 }] },
  details: {
    documentLengths: [{ from: 0, to: 100, count: 10 }],
    growth: [
      { date: 0, count: 4 },
      { date: 86_400_000, count: 6 },
    ],
    metadata: [{ _id: 'source', documentCount: 7 }],
  },
});
const model = (name: string, quality: number, end: number) => ({
  name,
  label: name.toUpperCase(),
  engine: 'crf',
  config: { name: 'crf', type: 'learner' },
  lang: 'en',
  classes: ['person'],
  options: {},
  quality,
  status: 'COMPLETED',
  timestamp: end - 1000,
  timestamp_end: end,
});

let terms: object[] = [];

describe('the dashboard (R-015, S-039, S-040)', () => {
  beforeAll(() => server.listen({ onUnhandledRequest: 'bypass' }));
  beforeEach(() => {
    terms = [];
    useSessionStore.setState({ projectName: 'press' });
    server.use(
      http.get('*/api/users/:name', () =>
        HttpResponse.json({ username: 'ana', profilename: 'Ana', permissions: [...PERMISSIONS, ...STATS, ...MORE] }),
      ),
      http.get('*/api/projects/:name/_info', () => HttpResponse.json(project('press'))),
      http.get('*/api/projects/:name/label_sets', () => HttpResponse.json([])),
      http.get('*/api/projects/:name/termMetrics', () => HttpResponse.json({ documents: terms.length, segments: 9, terms })),
      http.get('*/api/projects/:name/corpusMetrics', ({ request }) =>
        HttpResponse.json(corpus(new URL(request.url).searchParams.get('facet') ?? '')),
      ),
      http.get('*/api/projects/:name/annotationMetrics', () => HttpResponse.json(annotations)),
      http.get('*/api/projects/:name/modelMetrics', () =>
        HttpResponse.json({ best: model('b', 90, 2000), last: model('c', 70, 3000), history: [model('a', 60, 1000), model('b', 90, 2000), model('c', 70, 3000)] }),
      ),
    ); // prettier-ignore
  });
  afterEach(() => server.resetHandlers());
  afterAll(() => server.close());

  it('opens on the project and switches between its tabs', async () => {
    await renderStudio('/dashboard');
    expect(await screen.findByText('Annotations by label')).toBeVisible();
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['Project', 'Corpus', 'Dataset', 'Models']);
    await userEvent.click(screen.getByRole('tab', { name: 'Corpus' }));
    const press = await screen.findByRole('link', { name: /^press/ });
    expect(readAddress(press.getAttribute('href')?.split('/')[2]).selectedFacets).toEqual([
      { facetName: 'metadata.source', facetValue: 'press', facetSelector: '+' },
    ]);
  });

  it('opens the tab that the address names', async () => {
    const { router } = await renderStudio('/dashboard/dataset');
    await waitFor(() => expect(screen.getByRole('tab', { name: 'Dataset' })).toHaveAttribute('aria-selected', 'true'));
    expect(router.state.location.pathname).toMatch(/^\/dashboard\/[\w-]+$/);
    await userEvent.click(screen.getByRole('tab', { name: 'Project' }));
    await waitFor(() => expect(screen.getByRole('tab', { name: 'Project' })).toHaveAttribute('aria-selected', 'true'));
  });

  it('shows a tab for each permission, and only those (S-039)', async () => {
    server.use(
      http.get('*/api/users/:name', () =>
        HttpResponse.json({ username: 'ana', profilename: 'Ana', permissions: [...PERMISSIONS, 'seeModelStats'] }),
      ),
    );
    const { router } = await renderStudio('/dashboard');
    expect((await screen.findAllByRole('tab')).map((tab) => tab.textContent)).toEqual(['Models']);
    expect(router.state.location.pathname).toBe('/dashboard');
  });

  it('shows trainings reversed, with the best and the last (C-034)', async () => {
    await renderStudio('/dashboard');
    await userEvent.click(await screen.findByRole('tab', { name: 'Models' }));
    const table = await screen.findByRole('table', { name: 'Last trainings, newest first' });
    const rows = within(table).getAllByRole('row').slice(1);
    expect(rows.map((row) => row.textContent?.[0])).toEqual(['C', 'B', 'A']);
    expect(rows[0]).toHaveTextContent('Last');
    expect(rows[1]).toHaveTextContent('Best');
  });

  it('charts the terms that most documents have, with links to these documents', async () => {
    const asthma = { lexicon: 'diseases', identifier: 'DOID:2841', preferredForm: 'asthma' };
    terms = [{ ...asthma, documentCount: 7, segmentCount: 9 }];
    await renderStudio('/dashboard/dataset');
    expect(await screen.findByRole('heading', { name: 'Most frequent terms' })).toBeVisible();
    const link = await screen.findByRole('link', { name: /^asthma/ });
    expect(link.getAttribute('href')).toMatch(/^\/documents\//);
    expect(readAddress(link.getAttribute('href')?.split('/')[2]).selectedFacets).toEqual([
      { facetName: 'term', facetValue: 'diseases:DOID:2841', facetSelector: '+' },
    ]);
  });

  it('has no chart of terms where no annotation has one', async () => {
    await renderStudio('/dashboard/dataset');
    expect(await screen.findByText('Frequent texts')).toBeVisible();
    expect(screen.queryByText('Most frequent terms')).toBeNull();
  });

  it('shows links of labels and co-occurring labels', async () => {
    await renderStudio('/dashboard');
    await userEvent.click(await screen.findByRole('tab', { name: 'Dataset' }));
    const matrix = await screen.findByRole('table', { name: 'Labels that occur together' });
    const [pair] = within(matrix).getAllByRole('link', { name: '2' });
    const chosen = readAddress(pair?.getAttribute('href')?.split('/')[2]).selectedFacets;
    expect(chosen.map(({ facetName, facetValue }) => `${facetName}:${facetValue}`)).toEqual(['label:person', 'label:place']);
    expect(screen.getByText('40% of 10')).toBeVisible();
  });

  it('offers to import when there is nothing to count', async () => {
    server.use(http.get('*/api/projects/:name/corpusMetrics', () => HttpResponse.json(corpus('', 0))));
    await renderStudio('/dashboard');
    expect(await screen.findByRole('heading', { name: 'No documents yet' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Import documents' })).toBeVisible();
  });

  it('shows an error in place of the chart and retries', async () => {
    server.use(http.get('*/api/projects/:name/modelMetrics', () => errorResponse(503, 'Away')));
    await renderStudio('/dashboard');
    await userEvent.click(await screen.findByRole('tab', { name: 'Models' }));
    expect(await screen.findByRole('alert', undefined, { timeout: 15_000 })).toHaveTextContent('Unable to fetch the statistics.');
    server.use(http.get('*/api/projects/:name/modelMetrics', () => HttpResponse.json({ history: [] })));
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('No models yet')).toBeVisible();
  });

  it('counts annotations as the footer does, and tells how many of them are confirmed', async () => {
    await renderStudio('/dashboard');
    const figure = (await screen.findByText('Annotations', { selector: 'dt' })).nextElementSibling;
    expect(figure).toHaveTextContent(/^7/);
    expect(await screen.findByText('5 confirmed, in 4 documents')).toBeVisible();
  });

  it('updates live with the work of others', async () => {
    let count = 5;
    server.use(http.get('*/api/projects/:name/annotationMetrics', () => HttpResponse.json({ ...annotations, annotationCount: count })));
    await renderStudio('/dashboard');
    await userEvent.click(await screen.findByRole('tab', { name: 'Dataset' }));
    const figure = () => screen.getByText('Annotations', { selector: 'dt' }).nextElementSibling;
    await waitFor(() => expect(figure()).toHaveTextContent(/^5/));
    count = 6;
    dispatchLiveEvent({ mutation: 'annotationCreated' }, queryClient);
    await waitFor(() => expect(figure()).toHaveTextContent(/^6/));
  });
});

describe('choices', () => {
  it('use the requested value when it exists', () => {
    expect(shownTab('model', ['corpus', 'model'])).toBe('model');
    expect(shownTab('project', ['corpus'])).toBe('corpus');
    expect(shownFacet('', ['kind'], ['author', 'kind'])).toBe('kind');
    expect(shownFacet('', [], ['author'])).toBe('author');
    expect(countedLabellingToShow('', 'classification')).toBe('categories');
    expect(countedLabellingToShow('annotations', 'classification')).toBe('annotations');
  });

  it('have no link without the permission', () => {
    const links = facetSearchLinks(new Set(['seeDocuments', 'readFacet:label']));
    expect(links.documents(['label', 'person'])).toMatch(/^\/documents\//);
    expect(links.documents(['metadata.kind', 'a'])).toBeUndefined();
    expect(links.segments(['label', 'person'])).toBeUndefined();
    expect(links.words('Anna')).toBeUndefined();
  });
});
