/** The list of documents: state and counts, rows a page, jump to a page, everything found, spelling; and validating one. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { addressPath } from '@/state/search-address';
import { serveDocuments } from '@/test/document-screen';
import { renderStudio } from '@/test/render';
import { errorResponse, PERMISSIONS, project, server } from '@/test/server';

const DOCUMENT = {
  identifier: 'd1',
  title: 'Council',
  text: 'Ines spoke.',
  version: 4,
  reviewed: true,
  length: 1234,
  annotationCount: 56,
  annotations: [],
  categories: [],
  sentences: [],
};
let searches: URLSearchParams[] = [];
let total = 3080;

serveDocuments();
beforeEach(() => {
  searches = [];
  total = 3080;
  server.use(
    http.get('*/api/users/:name', () =>
      HttpResponse.json({ username: 'ana', permissions: [...PERMISSIONS, 'seeDocuments', 'deleteDocuments', 'modifyMetadata'] }),
    ),
    http.get('*/api/projects/press/label_sets', () => HttpResponse.json([])),
    http.post('*/api/projects/press/documents/_search', ({ request }) => {
      searches.push(new URL(request.url).searchParams);
      const hits = total === 0 ? [] : [{ _id: '1', score: 1, document: DOCUMENT }];
      return HttpResponse.json({ hits, total: { value: total, relation: 'eq' }, aggregations: [] });
    }),
    http.get('*/api/projects/press/documents/d1', () => HttpResponse.json(DOCUMENT)),
  );
});

const last = () => searches.at(-1);

describe('the list of documents', () => {
  it('says state, annotations and length of each document', async () => {
    await renderStudio('/documents');
    const row = await screen.findByRole('row', { name: /Council/ }, { timeout: 8000 });
    for (const text of ['Validated', '56', '1,234']) expect(within(row).getByText(text)).toBeInTheDocument();
    expect(last()?.get('outputFields')).toContain('annotationCount');
    expect(last()?.get('size')).toBe('25');
  });

  it('keeps the rows a page and jumps to a page', async () => {
    const user = userEvent.setup();
    await renderStudio('/documents');
    const pages = await screen.findByRole('navigation', { name: 'Pages' }, { timeout: 8000 });
    await user.selectOptions(within(pages).getByRole('combobox', { name: 'Rows a page' }), '100');
    await waitFor(() => expect(last()?.get('size')).toBe('100'));
    const jump = await screen.findByRole('textbox', { name: 'Jump to page' });
    await user.clear(jump);
    await user.type(jump, '12{Enter}');
    await waitFor(() => expect(last()?.get('from')).toBe('1100'));
    await user.clear(screen.getByRole('textbox', { name: 'Jump to page' }));
    await user.type(screen.getByRole('textbox', { name: 'Jump to page' }), '999{Enter}');
    await waitFor(() => expect(last()?.get('from')).toBe('3000'));
  });

  it('selects everything that is found', async () => {
    const user = userEvent.setup();
    await renderStudio('/documents');
    await user.click(await screen.findByRole('checkbox', { name: 'Select Council' }, { timeout: 8000 }));
    const bar = await screen.findByRole('toolbar', { name: 'Actions on the selection' });
    await user.click(within(bar).getByRole('button', { name: 'Select all 3,080 found' }));
    expect(within(bar).getByText('3,080 selected')).toBeInTheDocument();
    await user.click(within(bar).getByRole('button', { name: 'Clear the selection' }));
    expect(screen.queryByRole('toolbar', { name: 'Actions on the selection' })).toBeNull();
  });

  it('offers what is close to a misspelled word', async () => {
    total = 0;
    server.use(
      http.post('*/api/projects/press/documents/_did_you_mean', ({ request }) => {
        const query = new URL(request.url).searchParams.get('query');
        return HttpResponse.json(query === 'deficeincy' ? { query: 'deficiency', documents: 12 } : { documents: 0 });
      }),
    );
    await renderStudio(addressPath('/documents', { query: 'deficeincy' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Did you mean “deficiency”? 12 documents' }, { timeout: 8000 }));
    await waitFor(() => expect(last()?.get('query')).toBe('deficiency'));
  });
});

describe('validating the open document', () => {
  it('V validates with the version that was read, Shift N goes to the next unfinished document', async () => {
    const sent: { identifier: string | null; match: string | null; body: unknown }[] = [];
    server.use(
      http.get('*/api/projects/press/documents/d1', () => HttpResponse.json({ ...DOCUMENT, reviewed: false })),
      http.get('*/api/projects/press/documents/d2', () => HttpResponse.json({ ...DOCUMENT, identifier: 'd2', title: 'Second' })),
      http.post('*/api/projects/press/documents/_review', async ({ request }) => {
        const identifier = new URL(request.url).searchParams.get('identifier');
        sent.push({ identifier, match: request.headers.get('if-match'), body: await request.json() });
        return HttpResponse.json({ ok: true, documentIdentifier: 'd1', reviewed: true, version: 5 });
      }),
      http.post('*/api/projects/press/documents/_next_unfinished', () =>
        HttpResponse.json({ documentIdentifier: 'd2', title: 'Second', reviewed: 1, documents: 3 }),
      ),
    );
    const user = userEvent.setup();
    await renderStudio(addressPath('/document', {}));
    await screen.findByRole('button', { name: /^Validate/ }, { timeout: 8000 });
    await user.keyboard('v');
    await waitFor(() => expect(sent).toEqual([{ identifier: 'd1', match: '"4"', body: { reviewed: true } }]));
    expect(await screen.findByRole('button', { name: /^Validated/, pressed: true })).toBeInTheDocument();
    await user.keyboard('{Shift>}N{/Shift}');
    expect(await screen.findByRole('group', { name: 'Text of Second' }, { timeout: 8000 })).toBeInTheDocument();
  });

  it('V again takes it back without a notice; two quick presses send one request', async () => {
    const sent: unknown[] = [];
    let answer: (() => void) | undefined;
    server.use(
      http.post('*/api/projects/press/documents/_review', async ({ request }) => {
        sent.push(await request.json());
        await new Promise<void>((go) => (answer = go));
        return HttpResponse.json({ ok: true, documentIdentifier: 'd1', reviewed: false, version: 5 });
      }),
    );
    const user = userEvent.setup();
    await renderStudio(addressPath('/document', {}));
    await screen.findByRole('button', { name: /^Validated/, pressed: true }, { timeout: 8000 });
    await user.keyboard('vv');
    await waitFor(() => expect(answer).toBeDefined());
    answer?.();
    expect(await screen.findByRole('button', { name: /^Validate(?!d)/, pressed: false })).toBeInTheDocument();
    expect(sent).toEqual([{ reviewed: false }]);
    expect(screen.queryByText('Document validated')).toBeNull();
  });

  it('is refused when somebody changed the document meanwhile: the new state is fetched', async () => {
    let read = 0;
    server.use(
      http.get('*/api/projects/press/documents/d1', () => HttpResponse.json({ ...DOCUMENT, reviewed: (read += 1) > 1, version: read })),
      http.post('*/api/projects/press/documents/_review', () => errorResponse(412, 'The document has changed')),
    );
    const user = userEvent.setup();
    await renderStudio(addressPath('/document', {}));
    await screen.findByRole('button', { name: /^Validate(?!d)/, pressed: false }, { timeout: 8000 });
    await user.keyboard('v');
    expect(await screen.findByText('We failed to validate the document.')).toBeInTheDocument();
    expect(await screen.findByRole('button', { name: /^Validated/, pressed: true })).toBeInTheDocument();
  });

  it.each([
    [2, 3, 'No other document is unfinished: 2 of 3 are validated'],
    [3, 3, /^All 3 documents are validated/],
  ])('Shift N says when none is left: %i of %i', async (reviewed, documents, text) => {
    server.use(http.post('*/api/projects/press/documents/_next_unfinished', () => HttpResponse.json({ reviewed, documents })));
    const user = userEvent.setup();
    const { router } = await renderStudio(addressPath('/document', {}));
    await screen.findByRole('button', { name: /^Validated/ }, { timeout: 8000 });
    const before = router.state.location.pathname;
    await user.keyboard('{Shift>}N{/Shift}');
    expect(await screen.findByText(text)).toBeInTheDocument();
    expect(router.state.location.pathname).toBe(before);
  });

  it('is not offered to readers', async () => {
    server.use(
      http.get('*/api/users/:name', () =>
        HttpResponse.json({ username: 'ana', permissions: ['seeHomepage', 'seeDocuments', 'useSearch', 'readProject:*'] }),
      ),
    );
    await renderStudio(addressPath('/document', {}));
    await screen.findByRole('group', { name: 'Text of Council' }, { timeout: 8000 });
    expect(screen.queryByRole('button', { name: /^Validate/ })).toBeNull();
  });
});

describe('who sees what', () => {
  const restricted = () =>
    http.get('*/api/projects/press/_info', () => HttpResponse.json({ ...project('press'), shared: true, segments: 3 }));

  it('says that others’ annotations are hidden, to those from whom they are', async () => {
    server.use(restricted());
    await renderStudio('/documents');
    expect(await screen.findByText(/You see your own annotations only/, {}, { timeout: 8000 })).toBeInTheDocument();
  });

  it('says nothing to those who see all', async () => {
    server.use(
      restricted(),
      http.get('*/api/users/:name', () =>
        HttpResponse.json({ username: 'ana', permissions: [...PERMISSIONS, 'seeDocuments', 'readUserAnnot:*'] }),
      ),
    );
    await renderStudio('/documents');
    await screen.findByRole('row', { name: /Council/ }, { timeout: 8000 });
    expect(screen.queryByText(/You see your own annotations only/)).toBeNull();
  });
});
