/** Route-level tests of the document list and the document screen, on the real router, against msw. */
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { useEditsStore } from '@/labelling-sync/edits-store';
import { addressPath, readAddress } from '@/state/search-address';
import { useLayoutStore } from '@/state/layout-store';
import { serveDocuments } from '@/test/document-screen';
import { renderStudio } from '@/test/render';
import { PERMISSIONS, project, errorResponse, server } from '@/test/server';

const TEXT = '😀 Ines spoke in Halden. The chair resigned.';
const INES = { identifier: '7', labelName: 'person', start: 2, end: 6, text: 'Ines', status: 'OK', creationMode: 'manual', version: 3 };
const DOCUMENT = {
  identifier: 'd1',
  title: 'Council',
  text: TEXT,
  version: 1,
  annotations: [INES],
  categories: [],
  sentences: [
    { start: 0, end: 23 },
    { start: 24, end: 43 },
  ],
};
const SETS = [
  {
    name: 'default',
    label: 'Default',
    nature: 'sequence_labelling',
    labels: [
      { name: 'person', label: 'Person', color: '#017D7E' },
      { name: 'place', label: 'Place', color: '#A25703' },
    ],
  },
];
const AGGREGATIONS = [
  { name: 'label', buckets: [{ key: 'person', doc_count: 12 }] },
  { name: 'split', buckets: [] },
];

let searches: URLSearchParams[] = [];
let document1: typeof DOCUMENT;

serveDocuments({ 'documents/filters': true, 'document/labels': true });
beforeEach(() => {
  searches = [];
  document1 = DOCUMENT;
  server.use(
    http.get('*/api/users/:name', () =>
      HttpResponse.json({ username: 'ana', permissions: [...PERMISSIONS, 'seeDocuments', 'seeExplore'] }),
    ),
    http.get('*/api/projects/press/label_sets', () => HttpResponse.json(SETS)),
    http.post('*/api/projects/press/documents/_search', ({ request }) => {
      searches.push(new URL(request.url).searchParams);
      const hit = {
        _id: '1',
        score: 1,
        document: DOCUMENT,
        excerpt: { start: 0, text: TEXT, highlights: [{ start: 2, end: 6 }], length: 43 },
      };
      return HttpResponse.json({ hits: [hit], total: { value: 42, relation: 'eq' }, aggregations: AGGREGATIONS });
    }),
    http.get('*/api/projects/press/documents/d1', () => HttpResponse.json(document1)),
  );
});

const stateOf = (pathname: string) => readAddress(pathname.split('/')[2]);
const last = () => searches.at(-1);
/** Selects the token after the emoji's word, `Ines`, and the next ones by keyboard. */
async function selectByKeyboard(user: ReturnType<typeof userEvent.setup>, right: number, extend = 0) {
  const text = await screen.findByRole('group', { name: 'Text of Council' }, { timeout: 8000 });
  text.focus();
  await user.keyboard('{Control>}{Home}{/Control}');
  for (let step = 0; step < right; step += 1) await user.keyboard('{ArrowRight}');
  await user.keyboard('{Shift>}');
  for (let step = 0; step <= extend; step += 1) await user.keyboard('{ArrowRight}');
  await user.keyboard('{/Shift}');
}

describe('list of documents', () => {
  it('S-006, R-031, R-032 restores the search of the address and marks matches after an emoji', async () => {
    await renderStudio(
      addressPath('/documents', {
        query: 'ines',
        from: 20,
        selectedFacets: [{ facetName: 'label', facetValue: 'a,b', facetSelector: '-' }],
      }),
    );
    expect(await screen.findByText('42 documents')).toBeInTheDocument();
    expect(last()?.get('query')).toBe('ines');
    expect(last()?.get('from')).toBe('20');
    expect(last()?.getAll('selectedFacets')).toEqual(['-label:"a,b"']);
    expect(screen.getByText('Ines').tagName).toBe('MARK');
  });

  it('T-013, C-067 a facet click includes, then excludes; each goes back to the first page', async () => {
    const { router } = await renderStudio(addressPath('/documents', { from: 20 }));
    // V-021: the facet without buckets is not shown
    await userEvent.click(await screen.findByRole('checkbox', { name: /^Person, 12/ }));
    await waitFor(() => expect(last()?.getAll('selectedFacets')).toEqual(['+label:person']));
    expect(last()?.get('from')).toBe('0');
    expect(screen.queryByText('Training or test')).toBeNull();
    await userEvent.click(screen.getByRole('checkbox', { name: /^Person, 12/ }));
    await waitFor(() => expect(last()?.getAll('selectedFacets')).toEqual(['-label:person']));
    expect(stateOf(router.state.location.pathname).from).toBe(0);
    await router.navigate(-1);
    await waitFor(() => expect(stateOf(router.state.location.pathname).selectedFacets[0]?.facetSelector).toBe('+'));
  });

  it('W-017 the labels are in the right drawer: a click filters the documents with that label', async () => {
    useLayoutStore.setState({ drawers: { 'documents/labels': true } });
    const { router } = await renderStudio('/documents');
    expect(await screen.findByText('42 documents', {}, { timeout: 8000 })).toBeInTheDocument();
    const drawer = await screen.findByRole('complementary', { name: 'Labels' });
    const person = await within(drawer).findByRole('button', { name: /Person 12 documents/ });
    expect(within(drawer).getByRole('button', { name: /Place 0 documents/ })).toHaveAttribute('aria-pressed', 'false');
    await userEvent.click(person);
    await waitFor(() => expect(last()?.getAll('selectedFacets')).toEqual(['+label:person']));
    expect(await within(drawer).findByRole('button', { name: /Person/, pressed: true })).toBeInTheDocument();
    await userEvent.click(within(drawer).getByRole('button', { name: /Person 12 documents/ }));
    await waitFor(() => expect(stateOf(router.state.location.pathname).selectedFacets).toEqual([]));
  }, 40_000);

  it('W-017 no labels in a project for question answering', async () => {
    server.use(
      http.get('*/api/projects/press/_info', () =>
        HttpResponse.json(project('press', { nature: 'question_answering', annotations: 0, categories: 0 })),
      ),
    );
    await renderStudio('/documents');
    expect(await screen.findByText('42 documents', {}, { timeout: 8000 })).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByRole('complementary', { name: 'Labels' })).toBeNull());
  });

  it('E-054 a label that could not be added is reported, and its input is kept', async () => {
    useLayoutStore.setState({ drawers: { 'document/labels': true } });
    server.use(http.post('*/api/projects/press/labels', () => errorResponse(409, 'There is a label of this name.')));
    await renderStudio('/document');
    await userEvent.click(await screen.findByRole('button', { name: 'Add a label to Default' }, { timeout: 8000 }));
    const box = screen.getByRole('textbox', { name: 'New label' });
    await userEvent.type(box, 'Person{Enter}');
    expect(await screen.findByText('We failed to save the label.')).toBeInTheDocument();
    expect(box).toHaveValue('Person');
    expect(within(box.closest('form') as HTMLFormElement).getByRole('alert')).toHaveTextContent('There is a label of this name.');
  }, 40_000);

  it('E-053 a category that the project refuses is only logged, and kept with the reason', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const topics = {
      name: 'topics',
      label: 'Topics',
      nature: 'classification',
      labels: [{ name: 'sport', label: 'Sport', color: '#A25703' }],
    };
    server.use(
      http.get('*/api/projects/press/label_sets', () => HttpResponse.json([...SETS, topics])),
      http.post('*/api/projects/press/categories', () => errorResponse(403, 'The project is read-only')),
    );
    await renderStudio('/document');
    const drawer = await screen.findByRole('complementary', { name: 'Labels' }, { timeout: 8000 });
    await userEvent.click(await within(drawer).findByRole('button', { name: /Sport/ }));
    expect(await screen.findByRole('button', { name: '1 refused change' })).toBeInTheDocument();
    expect(warn).toHaveBeenCalledWith('The project takes no categories', expect.anything());
    expect(screen.queryByText('We failed to create the category.')).toBeNull();
    warn.mockRestore();
  }, 40_000);

  it('S-016 fetches the same results again when the address requires it', async () => {
    const { router } = await renderStudio(addressPath('/documents', { query: 'ines', from: 20 }));
    expect(await screen.findByText('42 documents')).toBeInTheDocument();
    const before = searches.length;
    await router.navigate(addressPath('/documents', { query: 'ines', from: 20, refresh: 1 }));
    await waitFor(() => expect(searches.length).toBe(before + 1));
    expect(last()?.get('from')).toBe('20');
  });

  it('E-019 an unsubmitted query with a syntax error keeps the previous results, until it is submitted', async () => {
    const LATE = { timeout: 15_000 };
    await renderStudio('/documents');
    expect(await screen.findByText('42 documents', {}, LATE)).toBeInTheDocument();
    server.use(
      http.post('*/api/projects/press/documents/_search', () =>
        errorResponse(400, 'Failed to parse query ["open]', { error: 'query_syntax' }),
      ),
    );
    const box = screen.getByLabelText('Search documents');
    await userEvent.type(box, '"open');
    await waitFor(() => expect(document.querySelector('[data-stale="true"], [aria-busy="true"]')).not.toBeNull(), LATE);
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(screen.getByText('42 documents')).toBeInTheDocument();
    expect(screen.queryByText('Your search query is incorrect (did you close the quotes?)')).toBeNull();
    await userEvent.type(box, '{Enter}');
    expect((await screen.findAllByText('Your search query is incorrect (did you close the quotes?)', {}, LATE)).length).toBeGreaterThan(0);
  }, 60_000);

  it('E-019 a query with an open quote is reported when submitted with Enter', async () => {
    server.use(
      http.post('*/api/projects/press/documents/_search', () =>
        HttpResponse.json(
          { code: 400, error: 'query_syntax', message: 'Failed to parse query ["a]', cause: 'the quote is never closed' },
          { status: 400 },
        ),
      ),
    );
    await renderStudio(addressPath('/documents', { query: '"a', explicitSubmit: true, isSimpleQueryMode: false }));
    expect((await screen.findAllByText('Your search query is incorrect (did you close the quotes?)')).length).toBeGreaterThan(0);
  });
});

describe('one document', () => {
  it('S-007, C-021 fetches the document at its position, one per page', async () => {
    const { router } = await renderStudio(addressPath('/document', { from: 11, query: 'x' }));
    expect(await screen.findByText('Document 12 of 42')).toBeInTheDocument();
    expect(last()?.get('size')).toBe('1');
    await userEvent.click(screen.getByRole('button', { name: 'Next document' }));
    await waitFor(() => expect(stateOf(router.state.location.pathname)).toMatchObject({ from: 12, query: 'x' }));
  });

  it('S-007 moves to the last and the first document, and stops there', async () => {
    const { router } = await renderStudio(addressPath('/document', { from: 40 }));
    const move = async (name: string, from: number) => {
      await userEvent.click(await screen.findByRole('button', { name }));
      await waitFor(() => expect(stateOf(router.state.location.pathname).from).toBe(from));
      expect(await screen.findByText(`Document ${String(from + 1)} of 42`)).toBeInTheDocument();
    };
    const closed = () =>
      ['First document', 'Previous document', 'Next document', 'Last document'].filter((name) =>
        screen.getByRole('button', { name }).hasAttribute('disabled'),
      );
    await move('Next document', 41);
    expect(closed()).toEqual(['Next document', 'Last document']);
    await move('First document', 0);
    expect(closed()).toEqual(['First document', 'Previous document']);
    await move('Last document', 41);
    await move('Previous document', 40);
    expect(closed()).toEqual([]);
  });

  it('S-014, S-016 after a deletion the position is requested until the document is no longer in the results', async () => {
    const removed = vi.fn();
    let left = 2;
    server.use(
      http.get('*/api/users/:name', () =>
        HttpResponse.json({ username: 'ana', permissions: [...PERMISSIONS, 'seeDocuments', 'deleteDocuments', 'writeProject:*'] }),
      ),
      http.delete('*/api/projects/press/documents/d1', () => {
        removed();
        return HttpResponse.json({ ok: true });
      }),
      http.get('*/api/projects/press/documents/d2', () => HttpResponse.json({ ...DOCUMENT, identifier: 'd2', title: 'Harbour' })),
      http.post('*/api/projects/press/documents/_search', ({ request }) => {
        searches.push(new URL(request.url).searchParams);
        const gone = removed.mock.calls.length > 0 && (left -= 1) < 0;
        const hit = { _id: '1', score: 1, document: { identifier: gone ? 'd2' : 'd1', title: gone ? 'Harbour' : 'Council' } };
        return HttpResponse.json({ hits: [hit], total: { value: 42, relation: 'eq' } });
      }),
    );
    const { router } = await renderStudio(addressPath('/document', { from: 5 }));
    await userEvent.click(await screen.findByRole('button', { name: 'More actions' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete document' }));
    const dialog = await screen.findByRole('dialog', { name: 'Delete “Council”?' });
    await userEvent.click(within(dialog).getByRole('checkbox'));
    await userEvent.click(within(dialog).getByRole('button', { name: 'Delete document' }));
    expect(await screen.findByText('Document deleted')).toBeInTheDocument();
    expect(removed).toHaveBeenCalledOnce();
    await waitFor(() => expect(stateOf(router.state.location.pathname)).toMatchObject({ from: 5, deletedIdentifier: 'd1' }));
    expect(await screen.findByRole('group', { name: 'Text of Harbour' }, { timeout: 8000 })).toBeInTheDocument();
    expect(left).toBeLessThan(0);
  }, 20_000);

  it('S-008, T-015 shows a new annotation immediately and sends code points', async () => {
    const user = userEvent.setup();
    const sent: unknown[] = [];
    let answer: (() => void) | undefined;
    server.use(
      http.post('*/api/projects/press/annotations', async ({ request }) => {
        sent.push(await request.json());
        expect(request.headers.get('Idempotency-Key')).toMatch(/.{16}/);
        await new Promise<void>((go) => (answer = go));
        return HttpResponse.json({ ...INES, identifier: '8', labelName: 'place', start: 16, end: 22, text: 'Halden', version: 1 });
      }),
    );
    await renderStudio('/document');
    await screen.findByRole('heading', { name: 'Council' });
    await selectByKeyboard(user, 3);
    await user.keyboard('2');
    expect(await screen.findByText('Saving')).toBeInTheDocument();
    const body = sent[0] as { start: number; end: number; text: string };
    expect([...TEXT].slice(body.start, body.end).join('')).toBe(body.text);
    expect(body).toMatchObject({ labelName: 'place', status: 'OK', creationMode: 'manual', documentIdentifier: 'd1' });
    expect(body.start).toBeGreaterThan(1);
    answer?.();
    expect(await screen.findByText('All changes saved')).toBeInTheDocument();
  });

  it('keeps what could not be saved and sends the same again on Retry', async () => {
    const user = userEvent.setup();
    const keys: (string | null)[] = [];
    server.use(
      http.post('*/api/projects/press/annotations', ({ request }) => {
        keys.push(request.headers.get('Idempotency-Key'));
        return keys.length === 1
          ? errorResponse(500, 'disk full')
          : HttpResponse.json({ ...INES, identifier: '8', start: 7, end: 12, text: 'spoke', version: 1 });
      }),
    );
    await renderStudio('/document');
    await selectByKeyboard(user, 1);
    await user.keyboard('1');
    expect(await screen.findByText('Not saved')).toBeInTheDocument();
    expect(screen.getByText('We failed to create the annotation.')).toBeInTheDocument();
    expect(screen.getByText('This annotation is not saved yet. It is not lost.')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: '1 refused change' }));
    const refused = await screen.findByRole('dialog', { name: 'Changes refused by the server' });
    expect(within(refused).getByText('disk full')).toBeInTheDocument();
    await user.click(within(refused).getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('All changes saved')).toBeInTheDocument();
    expect(keys[1]).toBe(keys[0]);
  });

  it('shows both states when somebody else changed the annotation, and takes the present one', async () => {
    const user = userEvent.setup();
    const versions: (string | null)[] = [];
    server.use(
      http.patch('*/api/projects/press/annotations/7', ({ request }) => {
        versions.push(request.headers.get('If-Match'));
        document1 = { ...DOCUMENT, annotations: [{ ...INES, labelName: 'place', version: 4 }] };
        return HttpResponse.json(
          { code: 412, message: 'changed', details: [{ current: { ...INES, labelName: 'place', version: 4 } }] },
          { status: 412 },
        );
      }),
    );
    await renderStudio('/document');
    const text = await screen.findByRole('group', { name: 'Text of Council' });
    text.focus();
    await user.keyboard('{Tab}n');
    const dialog = await screen.findByRole('dialog', { name: 'Somebody else changed this annotation' });
    expect(within(dialog).getByText('Rejected')).toBeInTheDocument();
    expect(within(dialog).getAllByText('Place').length).toBeGreaterThan(0);
    await user.click(within(dialog).getByRole('button', { name: 'Keep the current one' }));
    expect(versions).toEqual(['"3"']);
    expect(await screen.findByText('All changes saved')).toBeInTheDocument();
    await waitFor(() => expect(screen.getByRole('button', { name: /Place.*1 annotation/ })).toBeInTheDocument());
  });

  it('C-032 hides the categories of sentences below the chosen score', async () => {
    const topics = [{ name: 'sport', label: 'Sport', color: '#A25703' }];
    const guess = { identifier: '11', labelName: 'sport', creationMode: 'automatic', score: 0.4 };
    const given = { identifier: '12', labelName: 'sport', creationMode: 'manual', status: 'OK' };
    const confirmed: unknown[] = [];
    const [first, second] = DOCUMENT.sentences;
    const sentences = [
      { ...first, categories: [guess] },
      { ...second, categories: [given] },
    ];
    server.use(
      http.get('*/api/projects/press/label_sets', () =>
        HttpResponse.json([...SETS, { name: 'topics', label: 'Topics', nature: 'classification', labels: topics }]),
      ),
      http.get('*/api/projects/press/documents/d1', () => HttpResponse.json({ ...DOCUMENT, sentences })),
      http.get('*/api/projects/press/_preferences', () => HttpResponse.json({ hotkeys: { sport: 'w' } })),
      http.patch('*/api/projects/press/categories/11', async ({ request }) => {
        confirmed.push(await request.json());
        return HttpResponse.json({ ...guess, status: 'OK', version: 2 });
      }),
    );
    await renderStudio('/document');
    const text = await screen.findByRole('group', { name: 'Text of Council' }, { timeout: 8000 });
    const shown = () => text.querySelectorAll('.ann-category').length;
    await waitFor(() => expect(shown()).toBe(2));
    await userEvent.click(screen.getByRole('button', { name: 'Choose the annotations to show' }));
    const dialog = await screen.findByRole('dialog', { name: 'Annotations to show' });
    const lowest = within(dialog).getByRole('textbox', { name: 'Minimum score' });
    expect(lowest).toHaveValue('1');
    expect(within(dialog).getByRole('textbox', { name: 'Maximum share of sentences' })).toHaveValue('100');
    await userEvent.clear(lowest);
    await userEvent.click(within(dialog).getByRole('button', { name: 'Show' }));
    expect(within(dialog).getByText('Use a whole number from 1 to 100')).toBeInTheDocument();
    await userEvent.type(lowest, '50');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Show' }));
    await waitFor(() => expect(shown()).toBe(1));
    // The key of a label assigns it to the sentence, whether the mouse or the keyboard opened the box.
    await userEvent.click(within(text).getByRole('button', { name: 'Categories of sentence 1' }));
    await userEvent.keyboard('w');
    await waitFor(() => expect(confirmed).toEqual([{ status: 'OK' }]));
  });

  it('shows who changed a relation meanwhile', async () => {
    await renderStudio('/document');
    await screen.findByRole('group', { name: 'Text of Council' }, { timeout: 8000 });
    const relation = { identifier: '9', version: 2, name: 'left', source: '7', target: '8', modifiedDate: new Date().toISOString() };
    const edit = { id: '9', kind: 'changeLink' as const, state: 'conflict' as const, documentIdentifier: 'd1', patch: { name: 'right' } };
    const current = { ...relation, createdBy: 'ana', modifiedBy: 'wim' };
    act(() => useEditsStore.getState().update('press', () => [{ ...edit, idempotencyKey: 'k', createdAt: 0, current } as never]));
    const dialog = await screen.findByRole('dialog', { name: 'Somebody else changed this relation' });
    expect(within(dialog).getByText(/^wim changed it/)).toBeInTheDocument();
    expect(within(dialog).getByText('left')).toBeInTheDocument();
    expect(within(dialog).getByText('right')).toBeInTheDocument();
  });

  it('removes with an undo action, which restores', async () => {
    const user = userEvent.setup();
    const calls: string[] = [];
    server.use(
      http.delete('*/api/projects/press/annotations/7', () => {
        calls.push('delete');
        return HttpResponse.json({ ok: true });
      }),
      http.post('*/api/projects/press/annotations/7/_restore', () => {
        calls.push('restore');
        return HttpResponse.json({ ...INES, version: 5 });
      }),
    );
    await renderStudio('/document');
    (await screen.findByRole('group', { name: 'Text of Council' })).focus();
    await user.keyboard('{Tab}{Delete}');
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(calls).toEqual(['delete', 'restore']));
    expect(await screen.findByRole('button', { name: /Person.*1 annotation/ }, { timeout: 20_000 })).toBeInTheDocument();
  }, 40_000);

  it('T-006 a read-only project offers no changes', async () => {
    server.use(
      http.get('*/api/users/:name', () =>
        HttpResponse.json({ username: 'ana', permissions: ['seeDocuments', 'useSearch', 'seeHomepage', 'deleteDocuments'] }),
      ),
    );
    await renderStudio('/document');
    await screen.findByText('Document 1 of 42');
    expect(await screen.findByText('Read-only')).toBeInTheDocument();
    fireEvent.click(screen.getByRole('button', { name: 'More actions' }));
    expect(screen.queryByText('Delete document')).toBeNull();
  });

  it.each([
    ['with the right', {}, [], true],
    ['without the right to change labels', {}, ['writeLabel'], false],
    ['in a read-only project', { readOnly: true }, ['writeProject:*'], false],
    ['in a project without documents', { documents: 0 }, [], false],
  ] as const)('V-033 offers to add a label: %s', async (_, change, without, offered) => {
    server.use(
      http.get('*/api/projects/:name/_info', () => HttpResponse.json(project('press', change))),
      http.get('*/api/users/:name', () =>
        HttpResponse.json({
          username: 'ana',
          permissions: [...PERMISSIONS, 'seeDocuments'].filter((one) => !(without as readonly string[]).includes(one)),
        }),
      ),
    );
    await renderStudio(addressPath('/document', { documentIdentifier: 'd1' }));
    expect(await screen.findByRole('button', { name: 'Default' }, { timeout: 8000 })).toBeInTheDocument();
    if (offered) expect(await screen.findByRole('button', { name: 'Add a label to Default' })).toBeInTheDocument();
    else await waitFor(() => expect(screen.queryByRole('button', { name: 'Add a label to Default' })).toBeNull());
  });
});
