/** Route-level tests of the segment explorer, on the real router, against msw. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clearSession } from '@/app/session-lifecycle';
import { useEditsStore } from '@/labelling-sync/edits-store';
import { addressPath, readAddress } from '@/state/search-address';
import { useLayoutStore } from '@/state/layout-store';
import { useSessionStore } from '@/state/session-store';
import { renderStudio } from '@/test/render';
import { PERMISSIONS, project, server } from '@/test/server';

interface SearchRequest {
  readonly output: object;
  readonly search: {
    readonly from: number;
    readonly query: string;
    readonly filtering: { readonly selectedFacets: string[]; readonly datasetSelector: string };
  };
}

// The segment starts after 100 code points of the document and contains an emoji.
const SEGMENT = {
  identifier: '1-100',
  documentIdentifier: 'd1',
  documentTitle: 'Council',
  start: 100,
  end: 123,
  text: '😀 Ines spoke in Halden.',
  annotations: [
    { identifier: '7', labelName: 'person', start: 102, end: 106, text: 'Ines', status: 'OK', creationMode: 'manual', version: 1 },
  ],
  categories: [],
};
const SETS = [
  { name: 'default', label: 'Default', nature: 'sequence_labelling', labels: [{ name: 'person', label: 'Person', color: '#017D7E' }] },
];

let requests: SearchRequest[] = [];

beforeAll(() => server.listen({ onUnhandledRequest: 'bypass' }));
beforeEach(() => {
  requests = [];
  useEditsStore.setState({ byProject: {} });
  useLayoutStore.setState({ drawers: { 'explore/filters': true }, panels: {}, choices: {} });
  useSessionStore.setState({ projectName: 'press' });
  const answer = async ({ request }: { request: Request }) => {
    requests.push((await request.json()) as SearchRequest);
    const hits = [{ _id: '1-100', score: 1.5, segment: SEGMENT, highlights: { text: [{ start: 7, end: 12 }] } }];
    return HttpResponse.json({
      hits,
      total: { value: 30, relation: 'eq' },
      aggregations: [{ name: 'label', buckets: [{ key: 'person', doc_count: 4 }] }],
    });
  };
  server.use(
    http.get('*/api/users/:name', () =>
      HttpResponse.json({ username: 'ana', permissions: [...PERMISSIONS, 'seeDocuments', 'seeExplore', 'useHybridSearch'] }),
    ),
    http.get('*/api/projects/press/label_sets', () => HttpResponse.json(SETS)),
    http.post('*/api/projects/press/segments/_do_search', answer),
    http.post('*/api/projects/press/segments/_similar', answer),
  );
});
afterEach(() => {
  clearSession();
  server.resetHandlers();
});
afterAll(() => server.close());

const last = () => requests.at(-1)?.search;

describe('explore', () => {
  it('S-018, S-023, R-032 restores the address and shows its results', async () => {
    await renderStudio(addressPath('/explore', { query: 'spoke', from: 10, datasetSelector: '$inDataset' }));
    expect(await screen.findByText('30 segments')).toBeInTheDocument();
    expect(last()).toMatchObject({ query: 'spoke', from: 10, filtering: { datasetSelector: '$inDataset' } });
    const list = screen.getByRole('list', { name: 'Search results' });
    expect(within(list).getByRole('link', { name: 'Council' })).toBeInTheDocument();
    // C-060: semantic search is not offered without vectors
    expect(screen.queryByRole('radio', { name: 'Semantic' })).toBeNull();
  });

  it('T-013 excluding a facet goes back to the first page; the chip inverts it (W-016)', async () => {
    const { router } = await renderStudio(addressPath('/explore', { from: 10 }));
    const box = await screen.findByRole('checkbox', { name: /^Person, 4/ });
    box.focus();
    await userEvent.keyboard('X');
    await waitFor(() => expect(last()?.filtering.selectedFacets).toEqual(['-label:person']));
    expect(last()?.from).toBe(0);
    await userEvent.click(screen.getByRole('button', { name: /^Label: Person, excluded/ }));
    await waitFor(() => expect(last()?.filtering.selectedFacets).toEqual(['+label:person']));
    expect(readAddress(router.state.location.pathname.split('/')[2]).selectedFacets).toHaveLength(1);
  });

  it('lists relations that lead out of the segment, each with a link to its other end', async () => {
    useLayoutStore.setState({ drawers: { 'explore/labels': true } });
    const relation = { identifier: '9', version: 1, documentIdentifier: 'd1', name: 'lives in', source: '7', target: '8' };
    const ends = { sourceStart: 102, sourceText: 'Ines', targetStart: 410, targetText: 'Halden' };
    server.use(
      http.get('*/api/projects/press/relation_names', () => HttpResponse.json([{ name: 'lives in', color: '#017D7E' }])),
      http.get('*/api/projects/press/relations', () => HttpResponse.json({ relations: [{ ...relation, ...ends }] })),
    );
    const { router } = await renderStudio('/explore');
    const text = await screen.findByRole('group', { name: 'Segment of Council' });
    text.focus();
    await userEvent.keyboard('{Tab}');
    const list = await screen.findByRole('region', { name: 'With other segments' });
    await userEvent.click(within(list).getByRole('link', { name: /^lives in: Ines → Halden/ }));
    await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/document\//));
    expect(readAddress(router.state.location.pathname.split('/')[2])).toMatchObject({
      documentIdentifier: 'd1',
      highlightedSentence: 410,
      origin: 'explore',
    });
  });

  it('S-025, S-019 shows similar segments and opens the document', async () => {
    const { router } = await renderStudio('/explore');
    await userEvent.click(await screen.findByRole('button', { name: 'Similar segments' }));
    await waitFor(() =>
      expect(readAddress(router.state.location.pathname.split('/')[2])).toMatchObject({ action: '_similar', segid: '1-100' }),
    );
    await userEvent.click(screen.getByRole('button', { name: 'Open in the document' }));
    await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/document\//));
    expect(readAddress(router.state.location.pathname.split('/')[2])).toMatchObject({ documentIdentifier: 'd1', highlightedSentence: 100 });
  });

  it('W-013 showing the filters again closes the view of a segment in its document', async () => {
    server.use(
      http.get('*/api/projects/press/documents/d1', () =>
        HttpResponse.json({
          identifier: 'd1',
          title: 'Council',
          text: `${'x'.repeat(100)}${SEGMENT.text}`,
          annotations: [],
          sentences: [],
        }),
      ),
    );
    const { router } = await renderStudio(addressPath('/explore', { query: 'spoke' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Hide the filters' }));
    expect(screen.queryByRole('complementary', { name: 'Filters' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Open in the document' }));
    // The card of the segment has this heading too, and the explorer with its own button is shown until the document is
    // loaded.
    expect(await screen.findByRole('group', { name: 'Text of Council' })).toBeInTheDocument();
    expect(screen.queryByRole('complementary', { name: 'Filters' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Show the filters' }));
    expect(await screen.findByRole('complementary', { name: 'Filters' })).toBeInTheDocument();
    expect(router.state.location.pathname).toMatch(/^\/explore\//);
    const state = readAddress(router.state.location.pathname.split('/')[2]);
    expect(state).toMatchObject({ query: 'spoke', documentIdentifier: '', highlightedSentence: -1, origin: 'documents' });
  });

  it('C-020 uses the page size of the server, or the number of hits', async () => {
    let size: number | undefined = 5;
    server.use(
      http.post('*/api/projects/press/segments/_do_search', () =>
        HttpResponse.json({ hits: [{ _id: '1-100', segment: SEGMENT }], total: { value: 30, relation: 'eq' }, size }),
      ),
    );
    const { unmount } = await renderStudio('/explore');
    expect(await screen.findByText('Page 1 of 6')).toBeInTheDocument();
    unmount();
    size = undefined;
    await renderStudio('/explore');
    expect(await screen.findByText('Page 1 of 30')).toBeInTheDocument();
  });

  it('W-017 a question answering project has the label drawer once something is labelled', async () => {
    let annotations = 0;
    let hits: object[] = [{ _id: '1-100', segment: { ...SEGMENT, annotations: [] } }];
    server.use(
      http.get('*/api/projects/press/_info', () => HttpResponse.json(project('press', { nature: 'question_answering', annotations }))),
      http.post('*/api/projects/press/segments/_do_search', () => HttpResponse.json({ hits, total: { value: 1, relation: 'eq' } })),
    );
    const { unmount } = await renderStudio('/explore');
    await screen.findByText('1 segment');
    await waitFor(() => expect(screen.queryByRole('complementary', { name: 'Labels' })).toBeNull());
    unmount();
    hits = [{ _id: '1-100', segment: SEGMENT }];
    const second = await renderStudio('/explore');
    expect(await screen.findByRole('complementary', { name: 'Labels' })).toBeInTheDocument();
    second.unmount();
    [annotations, hits] = [1, [{ _id: '1-100', segment: { ...SEGMENT, annotations: [] } }]];
    await renderStudio('/explore');
    expect(await screen.findByRole('complementary', { name: 'Labels' })).toBeInTheDocument();
  });

  it('S-020 labels in a card with offsets of the document', async () => {
    const user = userEvent.setup();
    let body: { start: number; end: number; text: string } | undefined;
    server.use(
      http.post('*/api/projects/press/annotations', async ({ request }) => {
        body = (await request.json()) as typeof body;
        return HttpResponse.json({ ...SEGMENT.annotations[0], ...body, identifier: '8', version: 1 });
      }),
    );
    await renderStudio('/explore');
    (await screen.findByRole('group', { name: 'Segment of Council' })).focus();
    await user.keyboard('{Control>}{Home}{/Control}{ArrowRight}{Shift>}{ArrowRight}{/Shift}1');
    await waitFor(() => expect(body).toBeDefined());
    expect([...SEGMENT.text].slice((body?.start ?? 0) - 100, (body?.end ?? 0) - 100).join('')).toBe(body?.text);
    expect(body?.start).toBeGreaterThan(101);
    expect(await screen.findByText('All changes saved')).toBeInTheDocument();
  });

  it('C-060 searches by words and meaning where the project has vectors, and reports when it could not', async () => {
    server.use(
      http.get('*/api/projects/press/_info', () =>
        HttpResponse.json({ name: 'press', label: 'Press', description: '', lang: 'en', vectorizers: ['default'] }),
      ),
      http.post('*/api/projects/press/segments/_do_search', async ({ request }) => {
        requests.push((await request.json()) as SearchRequest);
        return HttpResponse.json({ hits: [{ _id: '1-100', segment: SEGMENT }], total: { value: 1, relation: 'eq' }, searchType: 'text' });
      }),
    );
    await renderStudio(addressPath('/explore', { query: 'spoke' }));
    const modes = await screen.findByRole('radiogroup', { name: 'Search type' });
    await waitFor(() => expect(last()).toMatchObject({ query: 'spoke', type: 'hybrid' }));
    expect(await screen.findByText('Text search only: vectors cannot be used now')).toBeInTheDocument();
    await userEvent.click(within(modes).getByText('Text'));
    await waitFor(() => expect(last()).toMatchObject({ query: 'spoke', type: 'text' }));
    expect(screen.queryByText('Text search only: vectors cannot be used now')).not.toBeInTheDocument();
  });

  it('a project whose documents have no segments says why, and offers to show each document', async () => {
    const bodies: unknown[] = [];
    let job: object[] = [];
    server.use(
      http.get('*/api/users/:name', () =>
        HttpResponse.json({ username: 'ana', permissions: [...PERMISSIONS, 'seeExplore', 'changeProjectConfig'] }),
      ),
      http.get('*/api/projects/press/_info', () => HttpResponse.json(project('press', { nature: 'classification', documents: 3080 }))),
      http.get('*/api/projects/press/jobs', () => HttpResponse.json(job)),
      http.post('*/api/projects/press/segments/_do_search', () => HttpResponse.json({ hits: [], total: { value: 0, relation: 'eq' } })),
      http.post('*/api/projects/press/segments/_recompute', async ({ request }) => {
        bodies.push(await request.json());
        job = [{ id: 'j', type: 'PROJECT_SEGMENTATION', status: 'STARTED', currentStepCount: 10, totalStepCount: 40, createdAt: 1 }];
        return HttpResponse.json(job[0]);
      }),
    );
    await renderStudio('/explore');
    expect(await screen.findByRole('heading', { name: 'The documents are not cut into segments' })).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Show each document' }));
    expect(await screen.findByRole('progressbar', { name: 'Cutting the documents' })).toHaveAttribute('aria-valuenow', '25');
    expect(bodies).toEqual([{ segmenter: { name: 'document', parameters: {}, annotationsWhole: true } }]);
  });
});
