/** The vocabularies against a simulated server: lexicons, import, terms, hierarchy. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useLayoutStore } from '@/state/layout-store';
import { useSessionStore } from '@/state/session-store';
import { renderStudio } from '@/test/render';
import { errorResponse, job, PERMISSIONS, project, server } from '@/test/server';
import { serveStudio } from '@/test/studio-server';
import { pathOfTerms } from './term-address';

const AT = '*/api/projects/press';
const MAY = [...PERMISSIONS, 'seeGazetteers', 'importTerms'];
const UNESCO = {
  name: 'unesco',
  label: 'UNESCO',
  color: '#3366CC',
  terms: 4421,
  manualEditionAllowed: true,
  modifiedAt: '2026-01-02T00:00:00Z',
};
const CLOSED = { ...UNESCO, name: 'doid', label: 'Diseases', terms: 2, manualEditionAllowed: false };

let lexicons: object[];
let sent: { readonly method: string; readonly path: string; readonly body: unknown }[];

async function note(request: Request): Promise<unknown> {
  const { pathname, search } = new URL(request.url);
  const text = await request.clone().text();
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  sent.push({ method: request.method, path: `${pathname.replace('/api/projects/press', '')}${search}`, body });
  return body;
}

const permissions = (...names: string[]) =>
  http.get('*/api/users/:name', () => HttpResponse.json({ username: 'ana', profilename: 'Ana', permissions: names }));

serveStudio();
beforeEach(() => {
  lexicons = [UNESCO, CLOSED];
  sent = [];
  server.use(
    permissions(...MAY),
    http.get(`${AT}/_info`, () => HttpResponse.json(project('press', { lang: 'fr' }))),
    http.get(`${AT}/jobs`, () => HttpResponse.json([])),
    http.get(`${AT}/label_sets`, () => HttpResponse.json([])),
    http.get(`${AT}/labels`, () => HttpResponse.json([])),
    http.get(`${AT}/gazetteers`, () => HttpResponse.json([])),
    http.get(`${AT}/lexicons`, () => HttpResponse.json(lexicons)),
  );
  useSessionStore.getState().openProject('press');
  useLayoutStore.getState().setDrawer('terms', 'filters', true);
});
afterEach(() => vi.restoreAllMocks());

const press = async (name: string | RegExp, inside: HTMLElement = document.body) =>
  userEvent.click(await within(inside).findByRole('button', { name }));
const dialog = async (name: string | RegExp) => screen.findByRole('dialog', { name });
const menuOf = async (label: string) => {
  await press(`Actions on ${label}`);
  return screen.findByRole('menu', { name: `Actions on ${label}` });
};

describe('lexicons (S-047)', () => {
  it('explain the three steps where there is none', async () => {
    lexicons = [];
    await renderStudio('/gazetteers');
    expect(await screen.findByText('No vocabulary yet')).toBeVisible();
    expect(
      screen.getAllByRole('listitem').filter(({ textContent }) => /Import a file|synchronise|Open a document/.test(textContent)),
    ).toHaveLength(3);
  });

  it('are listed with the number of their terms', async () => {
    await renderStudio('/gazetteers/lexicons');
    const row = await screen.findByRole('row', { name: /UNESCO/ });
    expect(row).toHaveTextContent('4,421');
    expect(screen.getByRole('row', { name: /Diseases/ })).toHaveTextContent('Imports only');
  });

  it('are created with a name (V-026)', async () => {
    server.use(
      http.post(`${AT}/lexicons`, async ({ request }) => {
        await note(request);
        lexicons = [...lexicons, { ...UNESCO, name: 'animals', label: 'Animals', terms: 0 }];
        return HttpResponse.json({ name: 'animals' });
      }),
    );
    await renderStudio('/gazetteers/lexicons');
    await press(/New lexicon/);
    const form = await dialog('New lexicon');
    await press('Create lexicon', form);
    expect(await within(form).findByText('Enter a name')).toBeVisible();
    expect(sent).toEqual([]);
    await userEvent.type(within(form).getByLabelText('Name of the lexicon'), ' Animals ');
    await press('Create lexicon', form);
    expect(await screen.findByRole('row', { name: /Animals/ })).toBeVisible();
    expect(sent[0]?.body).toMatchObject({ label: 'Animals', manualEditionAllowed: true });
  });

  it('are renamed by what changed only; a refused name stays in the form', async () => {
    server.use(
      http.patch(`${AT}/lexicons/unesco`, async ({ request }) => {
        await note(request);
        return errorResponse(409, 'There is one with this name');
      }),
    );
    await renderStudio('/gazetteers/lexicons');
    const menu = await menuOf('UNESCO');
    await userEvent.click(within(menu).getByRole('menuitem', { name: 'Name and colour' }));
    const form = await dialog('Edit UNESCO');
    const name = within(form).getByLabelText('Name of the lexicon');
    await userEvent.clear(name);
    await userEvent.type(name, 'Diseases');
    await press('Save changes', form);
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).toEqual({ label: 'Diseases' });
    expect(name).toHaveValue('Diseases');
    expect(await screen.findByText(/There is one with this name/)).toBeInTheDocument();
  });

  it('are cleared and deleted after a confirmation that counts the terms', async () => {
    server.use(
      http.post(`${AT}/lexicons/unesco/_clear`, async ({ request }) => {
        await note(request);
        lexicons = [{ ...UNESCO, terms: 0 }, CLOSED];
        return HttpResponse.json({ ok: true });
      }),
    );
    await renderStudio('/gazetteers/lexicons');
    const menu = await menuOf('UNESCO');
    await userEvent.click(within(menu).getByRole('menuitem', { name: 'Delete all terms' }));
    const question = await dialog(/Delete all terms of .UNESCO./);
    expect(within(question).getByRole('button', { name: 'Delete all terms' })).toBeDisabled();
    await userEvent.click(within(question).getByRole('checkbox', { name: /4,421/ }));
    await press('Delete all terms', question);
    await waitFor(() => expect(sent.map(({ path }) => path)).toEqual(['/lexicons/unesco/_clear']));
    await waitFor(async () => expect(await screen.findByRole('row', { name: /UNESCO/ })).not.toHaveTextContent('4,421'));
  });

  it('are exported in each format', async () => {
    server.use(
      http.post(`${AT}/lexicons/unesco/_export`, async ({ request }) => {
        await note(request);
        return new HttpResponse('@prefix');
      }),
    );
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:x');
    vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => undefined);
    const names: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
      names.push(this.download);
    });
    await renderStudio('/gazetteers/lexicons');
    for (const format of ['JSON', 'CSV', 'TSV', 'SKOS (Turtle)', 'OBO']) {
      const menu = await menuOf('UNESCO');
      await userEvent.click(within(menu).getByRole('menuitem', { name: format }));
      await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
    }
    await waitFor(() => expect(names).toEqual(['unesco.json', 'unesco.csv', 'unesco.tsv', 'unesco.ttl', 'unesco.obo']));
    expect(sent.map(({ path }) => path.split('=')[1])).toEqual(['json', 'csv', 'tsv', 'skos', 'obo']);
  });

  it('offer no change without the right to import terms (P-014)', async () => {
    server.use(permissions(...PERMISSIONS, 'seeGazetteers'));
    await renderStudio('/gazetteers/lexicons');
    const menu = await menuOf('UNESCO');
    expect(within(menu).queryByRole('menuitem', { name: 'Delete lexicon' })).toBeNull();
    expect(within(menu).getByRole('menuitem', { name: 'Show its terms' })).toBeVisible();
    expect(screen.queryByRole('button', { name: /Import terms/ })).toBeNull();
  });

  it('are not there without the right to see them, nor in other projects (W-008)', async () => {
    server.use(permissions(...PERMISSIONS));
    const { router } = await renderStudio('/gazetteers/lexicons');
    await waitFor(() => expect(router.state.location.pathname).toBe('/home'));
    expect(screen.queryByRole('link', { name: 'Vocabularies' })).toBeNull();
  });
});

const FORM = {
  ...{ title: 'CSV', description: '', uiSchema: {}, defaults: { preferred_form_column: '', delimiter: ',' } },
  schema: {
    type: 'object',
    properties: {
      preferred_form_column: { type: 'string', title: 'Preferred form' },
      alternative_columns: { type: 'array', items: { type: 'string' }, title: 'Other forms' },
      delimiter: { type: 'string', title: 'Delimiter' },
    },
  },
};

describe('the import of terms (D-021, R-029)', () => {
  let running: object;
  beforeEach(() => {
    running = job('j1', { status: 'STARTED', type: 'TERM_IMPORT', currentStepCount: 1, totalStepCount: 4 });
    server.use(
      http.get(`${AT}/services`, () =>
        HttpResponse.json([
          { name: 'csv_terms', metadata: { title: 'Table', extensions: 'csv_terms: csv/tsv' } },
          { name: 'skos', metadata: { title: 'SKOS', extensions: 'skos: ttl/rdf' } },
        ]),
      ),
      http.get(`${AT}/engine_parameters`, () => HttpResponse.json(FORM)),
      http.post('*/api/uploads', () => HttpResponse.json([{ id: 'u1', filename: 'animal_names.csv' }])),
      http.post(`${AT}/lexicons/_preview`, async ({ request }) => {
        await note(request);
        const result = {
          ...{ format: 'csv_terms', columns: ['nom', 'autre'], rows: [['chat', 'minet']], mapping: { alternative_columns: ['autre'] } },
          terms: [{ identifier: 'chat', preferredForm: 'chat', lexicon: '' }],
          problems: [{ place: 'row 3', message: 'It has no name', fix: 'Enter one' }],
        };
        return HttpResponse.json({ ...job('p1', { status: 'COMPLETED' }), result });
      }),
      http.post(`${AT}/lexicons`, async ({ request }) => {
        await note(request);
        return HttpResponse.json({ name: 'animal_names' });
      }),
      http.post(`${AT}/lexicons/animal_names/_load`, async ({ request }) => {
        await note(request);
        return HttpResponse.json(running);
      }),
      http.get(`${AT}/job/j1`, () => HttpResponse.json(running)),
      http.get(`${AT}/job/j1/items`, () =>
        HttpResponse.json({
          ...{ total: 1, outcomes: { imported: 1, refused: 1 } },
          items: [{ item: 'row 3', outcome: 'refused', message: 'It has no name', fix: 'Enter one' }],
        }),
      ),
    );
  });

  const dropFile = async () => {
    const form = await dialog('Import terms');
    const file = new File(['nom,autre'], 'animal_names.csv');
    await userEvent.upload(await within(form).findByLabelText(/choose/), file, { applyAccept: false });
    return form;
  };

  it('proposes importer and name, maps columns in the preview, and reports each refused row', async () => {
    await renderStudio('/gazetteers/lexicons?import');
    const form = await dropFile();
    expect(await within(form).findByLabelText('Name of the lexicon')).toHaveValue('animal names');
    expect(await within(form).findByRole('combobox', { name: /Format/ })).toHaveTextContent('Table');
    expect(await within(form).findByText(/row 3\. It has no name\. Enter one/)).toBeVisible();
    expect(within(form).getByRole('combobox', { name: /Use of column autre/ })).toHaveTextContent('Other forms');
    await userEvent.click(within(form).getByRole('combobox', { name: /Use of column nom/ }));
    await userEvent.click(await screen.findByRole('option', { name: 'Preferred form' }));
    await waitFor(() =>
      expect(sent.at(-1)?.body).toMatchObject({ importer: { format: 'csv_terms', parameters: { preferred_form_column: 'nom' } } }),
    );
    await press('Import', form);
    expect(await within(form).findByRole('button', { name: 'Stop the import' })).toBeVisible();
    expect(sent.map(({ path }) => path)).toContain('/lexicons');
    expect(sent.at(-1)).toMatchObject({
      path: '/lexicons/animal_names/_load',
      body: { files: [{ id: 'u1' }], importer: { format: 'csv_terms', parameters: { preferred_form_column: 'nom' } } },
    });
    // The report has a line for each problem; how many terms were imported is in the result.
    const result = { imported: 4408, replaced: 0, refused: 1, openRelations: 12 };
    running = { ...job('j1', { status: 'COMPLETED', type: 'TERM_IMPORT' }), result } as typeof running;
    expect(await within(form).findByRole('button', { name: 'Continue with annotators' })).toBeVisible();
    expect(await within(form).findByText('4,408')).toBeVisible();
    expect(await within(form).findByText(/It has no name/)).toBeVisible();
    expect(within(form).getByText('12 relations name terms that the lexicon does not have.')).toBeVisible();
    const counts = (outcome: string) => form.querySelector(`[data-outcome=${outcome}]`);
    expect(counts('replaced')).toHaveAttribute('data-none');
    expect(counts('refused')).not.toHaveAttribute('data-none');
  });

  it('is cancelled', async () => {
    server.use(
      http.delete(`${AT}/job/j1`, () => {
        running = job('j1', { status: 'CANCELLED', type: 'TERM_IMPORT' });
        return HttpResponse.json({ ok: true });
      }),
    );
    await renderStudio('/gazetteers/lexicons?import');
    const form = await dropFile();
    await waitFor(() => expect(within(form).getByRole('button', { name: 'Import' })).toBeEnabled());
    await press('Import', form);
    await press('Stop the import', form);
    expect(await within(form).findByRole('button', { name: 'Back to the settings' })).toBeVisible();
  });

  it('creates no second lexicon when it failed to start at first', async () => {
    let attempts = 0;
    server.use(
      http.post(`${AT}/lexicons/animal_names/_load`, () => {
        attempts += 1;
        return attempts === 1 ? errorResponse(503, 'Busy') : HttpResponse.json(running);
      }),
    );
    await renderStudio('/gazetteers/lexicons?import');
    const form = await dropFile();
    await waitFor(() => expect(within(form).getByRole('button', { name: 'Import' })).toBeEnabled());
    await press('Import', form);
    await waitFor(() => expect(attempts).toBe(1));
    await waitFor(() => expect(within(form).getByRole('button', { name: 'Import' })).toBeEnabled());
    await press('Import', form);
    expect(await within(form).findByRole('button', { name: 'Stop the import' })).toBeVisible();
    expect(sent.filter(({ path }) => path === '/lexicons')).toHaveLength(1);
  });

  it('opens from the menu of the project', async () => {
    await renderStudio('/gazetteers/settings');
    await press('Project actions');
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Import a vocabulary' }));
    expect(await dialog('Import terms')).toBeVisible();
  });
});

const HIT = (identifier: string, preferredForm: string, lexicon = 'unesco') => ({
  score: 1,
  term: { identifier, preferredForm, lexicon, version: 7, properties: { altForms: ['minet'] } },
  highlights: { preferredForm: [{ start: 0, end: 4 }] },
});

describe('terms (S-048, C-022)', () => {
  let queries: URLSearchParams[];
  beforeEach(() => {
    queries = [];
    server.use(
      http.post(`${AT}/lexicons/_search`, ({ request }) => {
        queries.push(new URL(request.url).searchParams);
        return HttpResponse.json({
          ...{ hits: [HIT('c1', 'chat sauvage'), HIT('d1', 'chat fever', 'doid')], total: { value: 20, relation: 'eq' }, size: 8 },
          aggregations: [
            { name: 'lexicon', buckets: [{ key: 'unesco', doc_count: 19 }] },
            { name: 'language', buckets: [{ key: 'fr', doc_count: 19 }] },
          ],
        });
      }),
      http.post(`${AT}/lexicons/:lexicon/_get_term`, () => HttpResponse.json(HIT('c1', 'chat sauvage').term)),
    );
  });
  const last = () => queries.at(-1) ?? new URLSearchParams();

  it('are found eight at a time, with highlights and facets (W-003)', async () => {
    await renderStudio('/gazetteers/terms');
    expect(await screen.findByRole('row', { name: /chat sauvage/ })).toBeVisible();
    expect(Object.fromEntries(last())).toMatchObject({ size: '8', from: '0', highlight: 'true', facet: 'true', simpleQuery: 'true' });
    expect(document.querySelector('tbody mark')).toHaveTextContent('chat');
    await userEvent.type(screen.getByRole('textbox', { name: 'Search the terms' }), 'chat{Enter}');
    await waitFor(() => expect(last().get('query')).toBe('chat'));
    await press('Next page');
    await waitFor(() => expect(last().get('from')).toBe('8'));
    await userEvent.click(await screen.findByRole('checkbox', { name: /UNESCO/ }));
    await waitFor(() => expect(last().getAll('selectedFacets')).toEqual(['+lexicon:unesco']));
    expect(last().get('from')).toBe('0');
  });

  it('are sorted, inverted and searched by the query language', async () => {
    await renderStudio('/gazetteers/terms');
    await userEvent.click(await screen.findByRole('switch', { name: 'Terms that do not match' }));
    await waitFor(() => expect(last().get('invertSearch')).toBe('true'));
    await userEvent.click(screen.getByRole('switch', { name: 'Simple query' }));
    await waitFor(() => expect(last().get('simpleQuery')).toBe('false'));
    await press(/Order:/);
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Name, Z to A' }));
    await waitFor(() => expect(last().get('sort')).toBe('-title'));
  });

  it('are restored from the address, with their lexicon', async () => {
    await renderStudio(pathOfTerms({ lexicon: 'unesco' }));
    await waitFor(() => expect(last().getAll('selectedFacets')).toEqual(['+lexicon:unesco']));
  });

  it('are edited and deleted where their lexicon allows it', async () => {
    let version: string | null = '';
    server.use(
      http.post(`${AT}/lexicons/unesco/_update_term`, async ({ request }) => {
        version = request.headers.get('If-Match');
        await note(request);
        return HttpResponse.json({});
      }),
      http.post(`${AT}/lexicons/unesco/_delete_term`, async ({ request }) => {
        await note(request);
        return new HttpResponse(null, { status: 204 });
      }),
      http.post(`${AT}/lexicons/unesco/_restore_term`, async ({ request }) => {
        await note(request);
        return HttpResponse.json({});
      }),
    );
    await renderStudio('/gazetteers/terms');
    await screen.findByRole('row', { name: /chat fever/ });
    expect(screen.queryByRole('button', { name: 'Edit chat fever' })).toBeNull();
    await press('Edit chat sauvage');
    const form = await dialog('Edit chat sauvage');
    await userEvent.type(within(form).getByLabelText(/Other forms/), '{enter}haret @fr');
    await userEvent.type(within(form).getByLabelText(/Identifier/), '-new');
    await press('Save changes', form);
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.path).toBe('/lexicons/unesco/_update_term');
    expect(sent[0]?.body).toMatchObject({ identifier: 'c1', newIdentifier: 'c1-new', properties: { altForms: ['minet', 'haret'] } });
    expect(version).toBe('"7"');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await press('Delete chat sauvage');
    await press('Delete term', await dialog(/Delete .chat sauvage./));
    await waitFor(() => expect(sent[1]).toMatchObject({ path: '/lexicons/unesco/_delete_term', body: { identifier: 'c1' } }));
    expect(await screen.findByText('“chat sauvage” was deleted')).toBeInTheDocument();
    await press('Undo');
    await waitFor(() => expect(sent[2]).toMatchObject({ path: '/lexicons/unesco/_restore_term', body: { identifier: 'c1' } }));
  });
});

describe('the hierarchy of a lexicon', () => {
  let asked: string[];
  /** A hundred thousand roots with two concepts each. */
  const pageOf = (parent: string, request: Request) => {
    const from = Number(new URL(request.url).searchParams.get('from'));
    asked.push(`${parent}:${from}`);
    const name = (index: number) => `${parent || 'root'} ${index}`;
    const terms = Array.from({ length: parent === '' ? 100 : 2 }, (_concept, index) => ({
      ...{ identifier: name(from + index), preferredForm: name(from + index), narrowerCount: parent === '' ? 2 : 0 },
    }));
    return HttpResponse.json({ terms, total: parent === '' ? 100_000 : 2 });
  };
  beforeEach(() => {
    asked = [];
    // jsdom has no layout: a viewport of 320 px.
    vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(320);
    vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(600);
    server.use(
      http.post(`${AT}/lexicons/_search`, () => HttpResponse.json({ hits: [], total: { value: 0, relation: 'eq' } })),
      http.post(`${AT}/lexicons/:lexicon/_get_term`, () => HttpResponse.json(HIT('c1', 'chat sauvage').term)),
      http.get(`${AT}/lexicons/unesco/_roots`, ({ request }) => pageOf('', request)),
      http.post(`${AT}/lexicons/unesco/_children`, async ({ request }) => {
        const { identifier } = (await request.clone().json()) as { identifier: string };
        return pageOf(identifier, request);
      }),
    );
  });

  it('loads and draws only what is looked at, and follows the keys of a tree', async () => {
    await renderStudio('/gazetteers/terms');
    await userEvent.click(await screen.findByRole('radio', { name: 'Hierarchy' }));
    const tree = await screen.findByRole('tree', { name: 'Hierarchy of UNESCO' });
    const first = await within(tree).findByRole('treeitem', { name: /root 0/ });
    expect(first).toHaveAttribute('aria-expanded', 'false');
    expect(first).toHaveAttribute('aria-setsize', '100000');
    // W-013: what the search and the filters do is said where they do not show.
    expect(screen.getByText('The hierarchy has all terms; search and filters show the list.')).toBeVisible();
    expect(within(tree).getAllByRole('treeitem').length).toBeLessThan(60);
    expect(asked).toEqual([':0']);
    fireEvent.keyDown(tree, { key: 'ArrowRight' });
    const below = await within(tree).findByRole('treeitem', { name: /root 0 0/ });
    expect(below).toHaveAttribute('aria-level', '2');
    expect(asked).toEqual([':0', 'root 0:0']);
    fireEvent.keyDown(tree, { key: 'ArrowRight' });
    expect(tree).toHaveAttribute('aria-activedescendant', below.id);
    fireEvent.keyDown(tree, { key: 'ArrowLeft' });
    fireEvent.keyDown(tree, { key: 'ArrowLeft' });
    await waitFor(() => expect(within(tree).queryByRole('treeitem', { name: /root 0 0/ })).toBeNull());
  });

  it('reports a failure and tries again', async () => {
    let broken = true;
    server.use(
      http.get(`${AT}/lexicons/unesco/_roots`, () =>
        broken
          ? errorResponse(500, 'Broken')
          : HttpResponse.json({ terms: [{ identifier: 'a', preferredForm: 'A', narrowerCount: 0 }], total: 1 }),
      ),
    );
    await renderStudio('/gazetteers/terms');
    await userEvent.click(await screen.findByRole('radio', { name: 'Hierarchy' }));
    const retry = await screen.findByRole('button', { name: /again|retry/i });
    broken = false;
    await userEvent.click(retry);
    expect(await screen.findByRole('treeitem', { name: 'A' })).toBeVisible();
  });
});

describe('settings (S-050)', () => {
  it('say which lexicons are edited by hand, and which files are read', async () => {
    server.use(
      http.get(`${AT}/services`, () => HttpResponse.json([{ name: 'skos', metadata: { title: 'SKOS', extensions: 'skos: ttl/rdf' } }])),
      http.get(`${AT}/engines`, () => HttpResponse.json([])),
      http.patch(`${AT}/lexicons/doid`, async ({ request }) => {
        await note(request);
        return HttpResponse.json({});
      }),
    );
    await renderStudio('/gazetteers/settings');
    expect(await screen.findByText('.ttl, .rdf')).toBeVisible();
    expect(await screen.findByRole('switch', { name: 'UNESCO' })).toBeChecked();
    await userEvent.click(screen.getByRole('switch', { name: 'Diseases' }));
    await waitFor(() => expect(sent).toEqual([{ method: 'PATCH', path: '/lexicons/doid', body: { manualEditionAllowed: true } }]));
  });
});
