/** Bulk dialogs: their counts, texts and requests. */
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import type { ComponentType } from 'react';
import { MemoryRouter } from 'react-router';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { queryClient } from '@/api/query-client';
import { bulkSearchParams, type BulkTarget } from '@/api/resources/bulk-actions';
import { availableAnnotateScopes } from '@/blocks/engines/annotate-corpus-dialog';
import { useNotificationsStore } from '@/state/notifications-store';
import { SEARCH_DEFAULTS, type SearchAddress } from '@/state/search-address';
import { useSessionStore } from '@/state/session-store';
import { startTestI18n } from '@/test/render';
import { job, project, server } from '@/test/server';
import type { BulkDialogProps } from './bulk-dialog';
import { followAndNotify } from './bulk-job';
import { BulkMenu } from './bulk-menu';
import { CategoriseDialog } from './categorise-dialog';
import { DeleteDocumentsDialog } from './delete-documents-dialog';
import { labellingCountsByCreator, DeleteLabellingDialog } from './delete-labelling-dialog';
import { ExportDialog } from './export-dialog';
import { SetMetadataDialog } from './set-metadata-dialog';

const target = (search: Partial<SearchAddress> = {}, more: Partial<BulkTarget> = {}): BulkTarget => ({
  searchIn: 'documents',
  search: { ...SEARCH_DEFAULTS, ...search },
  selection: [],
  ...more,
});
const SEARCHED = target({ query: 'paris', selectedFacets: [{ facetName: 'label', facetValue: 'a,b', facetSelector: '-' }] });

let sent: { path: string; query: URLSearchParams; body: unknown }[] = [];

/** Counts by scope: ids, inverted, searched, everything. */
function counted(query: URLSearchParams): object {
  const documents = query.has('ids')
    ? query.getAll('ids').length
    : query.get('invertSearch') === 'true'
      ? 1200
      : query.has('query')
        ? 34
        : 1234;
  const labelling = {
    annotations: 12,
    categories: 2,
    annotationCreators: [
      { createdBy: 'ana', count: 10 },
      { createdBy: 'names', count: 2 },
    ],
    categoryCreators: [{ createdBy: 'names', count: 2 }],
  };
  return { documents, segments: documents * 2, ...(query.get('labelling') === 'true' && labelling) };
}

beforeAll(() => server.listen({ onUnhandledRequest: 'bypass' }));
beforeEach(async () => {
  sent = [];
  await startTestI18n();
  queryClient.clear();
  useNotificationsStore.setState({ items: [] });
  useSessionStore.setState({
    projectName: 'press',
    permissions: new Set(['writeProject:*', 'modifyMetadata', 'annotateCorpus', 'deleteDocuments', 'exportDocuments', 'seeProjectJobs']),
  });
  server.use(
    http.post('*/api/projects/press/:kind/:action', async ({ request, params }) => {
      const { searchParams: query, pathname } = new URL(request.url);
      if (params['action'] === '_search_and_count') return HttpResponse.json(counted(query));
      if (params['action'] === '_search')
        return HttpResponse.json({ aggregations: [{ name: 'metadata.year', buckets: [{ key: '1', doc_count: 3 }] }] });
      const text = await request.text();
      sent.push({ path: pathname.replace(/.*press\//, ''), query, body: text === '' ? null : (JSON.parse(text) as unknown) });
      if (params['action'] === '_search_and_export') return HttpResponse.json([]);
      return HttpResponse.json(job('b1', { status: 'STARTED' }));
    }),
    http.get('*/api/projects/press', () => HttpResponse.json(project('press'))),
    http.get('*/api/projects/press/job/b1', () =>
      HttpResponse.json(job('b1', { undoable: true, description: 'Deleting 34 documents', result: { documents: 34 } })),
    ),
    http.get('*/api/projects/press/services', () => HttpResponse.json([{ name: 'csv', metadata: { title: 'CSV' } }])),
    http.get('*/api/projects/press/label_sets', () =>
      HttpResponse.json([
        { name: 'topics', nature: 'classification', exclusiveClasses: true, labels: [{ name: 'sport', label: 'Sport' }] },
      ]),
    ),
  );
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

function open(Dialog: ComponentType<BulkDialogProps>, on: BulkTarget) {
  let closed = false;
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <Dialog project="press" target={on} onClose={() => (closed = true)} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return { user: userEvent.setup(), isClosed: () => closed };
}

describe('scopes', () => {
  it('C-072 sends the search, its inverse, everything or the ticked hits', () => {
    const facets = { selectedFacets: ['-label:"a,b"'] };
    expect(bulkSearchParams(SEARCHED, 'currentSearch')).toEqual({ searchIn: 'documents', query: 'paris', simpleQuery: true, ...facets });
    expect(bulkSearchParams(SEARCHED, 'invertSearch')).toMatchObject({ query: 'paris', invertSearch: true, ...facets });
    expect(bulkSearchParams(SEARCHED, 'wholeDocuments')).toEqual({ searchIn: 'documents' });
    const segments = target({ datasetSelector: '$inDataset' }, { searchIn: 'segments', selection: ['1-0', '2-9'] });
    expect(bulkSearchParams(segments, 'selection')).toEqual({ searchIn: 'segments', ids: ['1-0', '2-9'] });
    expect(bulkSearchParams(segments, 'currentSearch')).toMatchObject({ datasetSelector: '$inDataset' });
  });

  it('V-017 without a search only all documents can be chosen', async () => {
    open(DeleteDocumentsDialog, target());
    expect(await screen.findByRole('radio', { name: /All documents/ })).toBeChecked();
    expect(screen.getByRole('radio', { name: /^Results of the current search/ })).toBeDisabled();
    expect(screen.getByRole('radio', { name: /^Everything except/ })).toBeDisabled();
    expect(screen.queryByRole('radio', { name: /selected/ })).toBeNull();
  });
});

describe('annotation', () => {
  it('V-016 the dataset only with collaborative annotation, the search only where there is one', () => {
    expect(availableAnnotateScopes(false, false)).toEqual(['wholeCorpus']);
    expect(availableAnnotateScopes(true, false)).toEqual(['wholeCorpus', 'dataset']);
    expect(availableAnnotateScopes(true, true)).toEqual(['wholeCorpus', 'dataset', 'currentSearch']);
  });
});

describe('deletion', () => {
  it('V-002 shows the count, requires the confirmation again for another scope, and sends the search', async () => {
    const { user, isClosed } = open(DeleteDocumentsDialog, SEARCHED);
    const verb = await screen.findByRole('button', { name: 'Delete 34 documents' });
    expect(verb).toBeDisabled();
    await user.click(screen.getByRole('checkbox'));
    expect(verb).toBeEnabled();
    await user.click(screen.getByRole('radio', { name: /Everything except/ }));
    expect(await screen.findByRole('button', { name: 'Delete 1,200 documents' })).toBeDisabled();
    await user.click(screen.getByRole('checkbox', { name: 'Yes, delete 1,200 documents' }));
    await user.click(screen.getByRole('button', { name: 'Delete 1,200 documents' }));
    await waitFor(() => expect(isClosed()).toBe(true));
    expect(sent[0]?.path).toBe('documents/_search_and_delete');
    expect(sent[0]?.query.get('invertSearch')).toBe('true');
  });

  it('D-013, V-025 needs a creator and the confirmation; on segments it deletes on the segments', async () => {
    const { user, isClosed } = open(DeleteLabellingDialog, target({ query: 'paris' }, { searchIn: 'segments' }));
    const verb = await screen.findByRole('button', { name: 'Delete labelling' });
    expect(screen.queryByRole('checkbox', { name: /^Yes/ })).toBeNull();
    await user.click(await screen.findByRole('checkbox', { name: 'names' }));
    expect(screen.getByText(/^Deletes 2 annotations, 2 categories for everybody/)).toBeInTheDocument();
    expect(verb).toBeDisabled();
    await user.click(screen.getByRole('checkbox', { name: 'Yes, delete this work' }));
    await user.click(verb);
    await waitFor(() => expect(isClosed()).toBe(true));
    expect(sent[0]?.path).toBe('segments/_search_and_delete_labelling');
    expect(sent[0]?.query.getAll('createdBy')).toEqual(['names']);
  });

  it('sums the counts of a creator, largest first', () => {
    const count = { documents: 1, annotationCreators: [{ createdBy: 'a', count: 1 }], categoryCreators: [{ createdBy: 'b', count: 3 }] };
    expect(labellingCountsByCreator(count)).toEqual([
      { name: 'b', annotations: 0, categories: 3 },
      { name: 'a', annotations: 1, categories: 0 },
    ]);
  });
});

describe('metadata and categories', () => {
  it('S-013, V-018 sets a value, or removes it with an empty one', async () => {
    const { user } = open(SetMetadataDialog, target({}, { selection: ['5'] }));
    await user.click(await screen.findByRole('button', { name: 'Year' }));
    expect(await screen.findByRole('button', { name: 'Set on 1 document' })).toBeDisabled();
    await user.click(screen.getByRole('radio', { name: 'Remove a value' }));
    await user.click(screen.getByRole('button', { name: 'Remove from 1 document' }));
    await waitFor(() => expect(sent[0]?.body).toEqual({ name: 'year', value: '' }));
    expect(sent[0]?.query.getAll('ids')).toEqual(['5']);
  });

  it('explains that an exclusive set allows one category', async () => {
    const { user } = open(CategoriseDialog, SEARCHED);
    await user.click(await screen.findByRole('combobox', { name: 'Category' }));
    await user.click(await screen.findByRole('option', { name: 'Sport' }));
    expect(await screen.findByText(/its label set allows only one/)).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Categorise 34 documents' }));
    await waitFor(() => expect(sent[0]?.body).toEqual({ labelName: 'sport', add: true }));
  });
});

describe('export', () => {
  it('S-012 a large one is a job', async () => {
    server.use(http.post('*/api/projects/press/documents/_search_and_count', () => HttpResponse.json({ documents: 9000 })));
    const { user } = open(ExportDialog, SEARCHED);
    expect(await screen.findByText(/A job writes 9,000 documents/)).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Export 9,000 documents' }));
    await waitFor(() => expect(sent[0]?.path).toBe('documents/_search_and_export_async'));
  });
});

describe('after the job', () => {
  it('offers to undo when it has ended', async () => {
    await followAndNotify(job('b1', { status: 'STARTED' }));
    const [told] = useNotificationsStore.getState().items;
    expect(told).toMatchObject({ type: 'success', link: '/jobs', message: 'Deleting 34 documents: done, 34 documents changed' });
    let undone = '';
    server.use(
      http.post('*/api/projects/press/job/:id/_undo', ({ params }) => {
        undone = String(params['id']);
        return HttpResponse.json(job('u1', { result: { undone: 30, kept: 4 } }));
      }),
    );
    told?.action?.run();
    await waitFor(() => expect(undone).toBe('b1'));
    await waitFor(() =>
      expect(useNotificationsStore.getState().items.at(-1)).toMatchObject({ type: 'warning', message: '30 changes undone' }),
    );
  });

  it('T-006 a read-only project can only be exported', async () => {
    useSessionStore.setState({ permissions: new Set(['exportDocuments', 'deleteDocuments', 'modifyMetadata']) });
    render(
      <QueryClientProvider client={queryClient}>
        <BulkMenu project="press" target={SEARCHED} />
      </QueryClientProvider>,
    );
    await userEvent.click(screen.getByRole('button', { name: 'Actions' }));
    expect((await screen.findAllByRole('menuitem')).map((entry) => entry.textContent)).toEqual(['Export…']);
  });
});
