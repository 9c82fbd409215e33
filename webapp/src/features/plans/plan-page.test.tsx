/** The page of a plan, against msw: components, steps, form, unsaved changes, trial. */
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Plan } from '@/api/resources/plans';
import { clearSession } from '@/app/session-lifecycle';
import { encodePathState } from '@/state/path-state';
import { useSessionStore } from '@/state/session-store';
import { writeStored } from '@/state/storage';
import { renderStudio } from '@/test/render';
import { PERMISSIONS, server } from '@/test/server';

const DEFAULTS = { name: '', edit: '', type: '' };
const addressOf = (state: Partial<typeof DEFAULTS>) => `/plans/${encodePathState(state, DEFAULTS)}`;

const stored = (name: string, more: Partial<Plan> = {}): Plan => ({
  name,
  label: name,
  parameters: { pipeline: [] },
  tags: [],
  favorite: false,
  isActive: false,
  type: 'annotation',
  modifiedAt: '2026-01-02T00:00:00Z',
  modifiedBy: 'ana',
  version: 3,
  ...more,
});

const SHEETS = stored('sheets', {
  label: 'Sheets',
  type: 'conversion',
  parameters: { converter: { name: 'csv', parameters: { delimiter: ';' } }, pipeline: [] },
  tags: ['mine', 'project-conversion', 'active-conversion'],
  isActive: true,
});
const CHAIN = stored('chain', {
  label: 'Chain',
  parameters: { pipeline: [{ annotator: 'model' }, { segmenter: 'document' }, { processor: 'merge', disabled: true }] },
});
const SCHEMA = { type: 'object', properties: { delimiter: { type: 'string', title: 'Delimiter', default: ',' } } };
const COMPONENTS: Record<string, Record<string, unknown>[]> = {
  converter: [{ name: 'csv', title: 'Sheets and tables', description: 'Reads CSV' }],
  segmenter: [{ name: 'document', title: 'Whole document', languages: 'en,fr' }],
  processor: [
    { name: 'merge', title: 'Merge spans' },
    { name: 'linker', title: 'Linker', state: 'unavailable', reason: 'no such module' },
  ],
};

let plans: Plan[] = [];
let sent: { method: string; path: string; body: unknown; match: string | null }[] = [];
let refusal: unknown = null;

beforeAll(() => server.listen({ onUnhandledRequest: 'bypass' }));
beforeEach(() => {
  plans = [SHEETS, CHAIN];
  sent = [];
  refusal = null;
  writeStored('planDrafts', null);
  useSessionStore.setState({ projectName: 'press' });
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (media) => ({ media, matches: /min-width/.test(media), addEventListener: vi.fn(), removeEventListener: vi.fn() }) as never,
  );
  const note = async (request: Request) => {
    const path = new URL(request.url).pathname.split('/press/')[1] ?? '';
    sent.push({ method: request.method, path, body: await request.json(), match: request.headers.get('If-Match') });
    return refusal === null ? HttpResponse.json({ name: 'made', triggeredJobs: [] }) : HttpResponse.json(refusal, { status: 400 });
  };
  server.use(
    http.get('*/api/users/:name', () =>
      HttpResponse.json({ username: 'ana', permissions: [...PERMISSIONS, 'seePlans', 'changeProjectConfig', 'writeProject:press'] }),
    ),
    http.get('*/api/projects/press/_info', () =>
      HttpResponse.json({ name: 'press', label: 'Press', lang: 'en', nature: 'sequence_labelling', readOnly: false, documents: 3 }),
    ),
    http.get('*/api/projects/press/plans', () => HttpResponse.json(plans)),
    http.get('*/api/projects/press/labels', () => HttpResponse.json([{ name: 'person', label: 'Person', color: '#123456' }])),
    http.get('*/api/projects/press/label_sets', () => HttpResponse.json([])),
    http.get('*/api/projects/press/jobs', () => HttpResponse.json([])),
    http.get('*/api/projects/press/annotators_by_type', () =>
      HttpResponse.json({ learner: [{ name: 'model', label: 'People', engine: 'crf' }], gazetteer: [], suggester: [], plan: [] }),
    ),
    http.get('*/api/projects/press/services', ({ request }) => {
      const query = new URL(request.url).searchParams;
      expect(query.get('includeUnavailable')).toBe('true');
      return HttpResponse.json((COMPONENTS[query.get('type') ?? ''] ?? []).map(({ name, ...metadata }) => ({ name, metadata })));
    }),
    http.get('*/api/projects/press/engine_parameters', ({ request }) => {
      const csv = new URL(request.url).searchParams.get('engine') === 'csv';
      const schema = csv ? SCHEMA : { type: 'object', properties: {} };
      return HttpResponse.json({ schema, uiSchema: {}, defaults: csv ? { delimiter: ',' } : {}, title: '', description: '' });
    }),
    http.post('*/api/projects/press/plans/_label_hint', async ({ request }) =>
      HttpResponse.json({ labelHint: `${((await request.json()) as { label: string }).label} 2` }),
    ),
    http.post('*/api/projects/press/processors/_default', () => HttpResponse.json([])),
    http.post('*/api/projects/press/plans', ({ request }) => note(request)),
    http.patch('*/api/projects/press/plans/:plan', ({ request }) => note(request)),
  );
});
afterEach(() => {
  vi.restoreAllMocks();
  clearSession();
  server.resetHandlers();
});
afterAll(() => server.close());

type User = ReturnType<typeof userEvent.setup>;
const choose = async (user: User, box: HTMLElement, name: string) => {
  await user.click(box);
  await user.click(await screen.findByRole('option', { name }));
};
const stepNames = () =>
  within(screen.getByRole('region', { name: 'Steps' }))
    .getAllByRole('listitem')
    .map((one) => one.getAttribute('aria-label'));
const openChain = async () => {
  void renderStudio(addressOf({ name: 'chain', edit: 'edit' }));
  await screen.findByRole('listitem', { name: 'Step 1: People' });
};
const panel = () => screen.getByRole('region', { name: 'Selected step' });

describe('the page of a plan', () => {
  it('opens from the drawer and lists only kinds with a component, broken ones last', async () => {
    const user = userEvent.setup();
    const { router } = await renderStudio(addressOf({ name: 'chain' }));
    await user.click(await screen.findByRole('button', { name: 'Edit' }));
    const list = await screen.findByRole('region', { name: 'Components' });
    await within(list).findByRole('region', { name: 'Processors' });
    expect(
      within(list)
        .getAllByRole('heading', { level: 3 })
        .map((one) => one.textContent),
    ).toEqual(['Annotators1', 'Processors2', 'Segmenters1']);
    expect(within(list).getByRole('button', { name: 'Add Linker' })).toBeDisabled();
    expect(within(list).getByText('broken')).toBeVisible();
    expect(within(list).getByText('en fr')).toBeVisible();
    await user.type(within(list).getByLabelText('Find a component'), 'merge');
    expect(within(list).queryByRole('region', { name: 'Segmenters' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Back to the plans' }));
    expect(await screen.findByRole('heading', { name: 'Plans', level: 1 })).toBeVisible();
    expect(router.state.location.pathname).toBe(addressOf({ name: 'chain' }));
  });

  it('moves, adds and removes steps by keyboard, which keeps the focus, and undoes it', async () => {
    const user = userEvent.setup();
    await openChain();
    screen.getByRole('button', { name: 'Step 2: Whole document' }).focus();
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
    expect(stepNames()).toEqual(['Step 1: Whole document', 'Step 2: People', 'Step 3: Merge spans']);
    expect(screen.getByRole('button', { name: 'Step 1: Whole document' })).toHaveFocus();
    expect(screen.getByText('1 unsaved change')).toBeVisible();
    await user.keyboard('{ArrowDown}{Delete}');
    expect(stepNames()).toEqual(['Step 1: Whole document', 'Step 2: Merge spans']);
    expect(screen.getByRole('button', { name: 'Step 2: Merge spans' })).toHaveFocus();
    await user.keyboard('{Control>}z{/Control}{Control>}z{/Control}');
    expect(stepNames()).toEqual(['Step 1: People', 'Step 2: Whole document', 'Step 3: Merge spans']);
    await user.click(screen.getByRole('button', { name: 'Add Merge spans' }));
    expect(stepNames()).toEqual(['Step 1: People', 'Step 2: Merge spans', 'Step 3: Whole document', 'Step 4: Merge spans']);
    await user.keyboard('{Control>}s{/Control}');
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]).toMatchObject({
      method: 'PATCH',
      path: 'plans/chain',
      match: '3',
      body: { parameters: { pipeline: [{ annotator: 'model' }, { processor: 'merge' }, { segmenter: 'document' }, { disabled: true }] } },
    });
    expect(await screen.findByText('All changes saved')).toBeVisible();
  });

  it('T-030 a copy has its own name and neither tag; a refused copy stays on the page', async () => {
    const user = userEvent.setup();
    void renderStudio(addressOf({ name: 'sheets', edit: 'clone' }));
    await waitFor(() => expect(screen.getByLabelText('Name')).toHaveValue('Sheets 2'));
    refusal = { code: 400, message: 'Not now' };
    await user.click(screen.getByRole('button', { name: /^Create plan/ }));
    expect(await screen.findByText('We failed to create the plan.'), 'E-046').toBeTruthy();
    expect(screen.getByLabelText('Name')).toHaveValue('Sheets 2');
    [refusal, sent] = [null, []];
    await user.click(screen.getByRole('button', { name: /^Create plan/ }));
    const body = { label: 'Sheets 2', parameters: SHEETS.parameters, tags: ['mine'] };
    await waitFor(() => expect(sent).toEqual([{ method: 'POST', path: 'plans', body, match: null }]));
  });

  it('a new plan requires its component; it can be activated immediately', async () => {
    const user = userEvent.setup();
    void renderStudio('/plans');
    await user.click(await screen.findByRole('button', { name: 'New conversion plan' }));
    await user.click(await screen.findByRole('button', { name: /^Create plan/ }));
    expect(await within(panel()).findByText('Choose a component')).toBeVisible();
    expect(sent).toEqual([]);
    await choose(user, within(panel()).getByRole('combobox', { name: 'Converter' }), 'Sheets and tables');
    const field = await within(panel()).findByLabelText('Delimiter');
    await user.clear(field);
    await user.type(field, ';');
    expect(await screen.findByText('Delimiter: ;')).toBeVisible();
    await user.click(screen.getByRole('switch', { name: 'Activate it at once' }));
    await user.click(screen.getByRole('button', { name: /^Create plan/ }));
    await waitFor(() =>
      expect(sent[0]?.body).toEqual({
        label: 'Conversion 2',
        parameters: { converter: { name: 'csv', parameters: { delimiter: ';' } }, pipeline: [] },
        tags: ['active-conversion'],
      }),
    );
  });

  it('shows server errors at the step and its field', async () => {
    const user = userEvent.setup();
    await openChain();
    refusal = {
      code: 400,
      message: 'The plan cannot be kept',
      details: [{ field: 'pipeline.1.condition.metadata.name', message: 'Name the metadata' }],
    };
    await user.click(screen.getByRole('button', { name: 'Step 2: Whole document' }));
    await user.click(within(panel()).getByRole('tab', { name: 'When and where' }));
    await choose(user, within(panel()).getByRole('combobox', { name: 'When' }), 'Under conditions');
    await user.click(screen.getByRole('button', { name: /^Save plan/ }));
    expect(await within(panel()).findByText('Name the metadata')).toBeVisible();
    expect(within(panel()).getByRole('tab', { name: 'When and where (1)' })).toBeVisible();
    expect(within(screen.getByRole('region', { name: 'Steps' })).getByText('Name the metadata')).toBeVisible();
  });

  it('keeps unsaved changes over a reload, and discards them on request', async () => {
    const user = userEvent.setup();
    await openChain();
    screen.getByRole('button', { name: 'Step 1: People' }).focus();
    await user.keyboard('{Delete}');
    await user.click(screen.getByRole('button', { name: 'Back to the plans' }));
    expect(await screen.findByText('Unsaved changes')).toBeVisible();
    cleanup();
    void renderStudio(addressOf({ name: 'chain', edit: 'edit' }));
    expect(await screen.findByText('1 unsaved change')).toBeVisible();
    expect(screen.queryByRole('listitem', { name: 'Step 1: People' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Discard' }));
    expect(await screen.findByRole('listitem', { name: 'Step 1: People' })).toBeVisible();
  });

  it('tells when somebody else saved the plan, and keeps the changes', async () => {
    const user = userEvent.setup();
    await openChain();
    screen.getByRole('button', { name: 'Step 1: People' }).focus();
    await user.keyboard('{Delete}');
    plans = [SHEETS, { ...CHAIN, version: 4 }];
    refusal = { code: 412, message: 'The plan was changed by somebody else' };
    await user.click(screen.getByRole('button', { name: /^Save plan/ }));
    expect(await screen.findByText(/Somebody else saved this plan/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Keep my changes' }));
    [refusal, sent] = [null, []];
    await user.click(screen.getByRole('button', { name: /^Save plan/ }));
    await waitFor(() => expect(sent[0]?.match).toBe('4'));
  });

  it('edits the plan as JSON; what is not valid changes nothing', async () => {
    const user = userEvent.setup();
    await openChain();
    await user.click(screen.getByRole('radio', { name: 'JSON' }));
    const field = screen.getByLabelText('Plan as JSON');
    await user.clear(field);
    expect(await screen.findByText('This text is not valid. Nothing changes until it is.')).toBeVisible();
    expect(screen.getByText('All changes saved')).toBeVisible();
    await user.click(field);
    await user.paste('{"pipeline": [{"processor": "merge"}]}');
    await user.click(screen.getByRole('radio', { name: 'Steps' }));
    expect(stepNames()).toEqual(['Step 1: Merge spans']);
  });
});

const TRIAL = {
  text: 'Ana met Bo.',
  cut: false,
  items: [
    { id: 0, kind: 'annotation', labelName: 'person', start: 0, end: 3, text: 'Ana' },
    { id: 1, kind: 'annotation', labelName: 'person', start: 8, end: 10, text: 'Bo' },
    { id: 2, kind: 'category', labelName: 'news', score: 0.8 },
  ],
  start: { seconds: 0.002, items: [], count: 0, segments: [[0, 11]], segmentCount: 1 },
  steps: [
    { state: 'done', seconds: 0.31, loadingSeconds: 1.2, added: [0, 1], removed: [], addedCount: 2, removedCount: 0, keptCount: 0 },
    { state: 'done', seconds: 0.01, added: [2], removed: [1], addedCount: 1, removedCount: 1, keptCount: 1 },
    { state: 'off' },
  ],
};

describe('a trial', () => {
  it('S-056 shows what each step added and removed, with its time', async () => {
    const user = userEvent.setup();
    let asked: unknown;
    server.use(
      http.post('*/api/projects/press/plans/_try', async ({ request }) => {
        asked = await request.json();
        return HttpResponse.json(TRIAL);
      }),
    );
    await openChain();
    const test = screen.getByRole('region', { name: 'Test' });
    await user.type(within(test).getByLabelText('Text'), 'Ana met Bo.');
    await user.keyboard('{Control>}{Enter}{/Control}');
    const steps = await within(test).findByRole('list', { name: 'Results by step' });
    expect(asked).toMatchObject({ text: 'Ana met Bo.', parameters: { pipeline: [{ annotator: 'model' }, {}, {}] } });
    expect(within(steps).getByRole('button', { name: /1 People.*\+2.*0\.3/ })).toBeVisible();
    expect(within(steps).getByRole('button', { name: /3 Merge spans.*Off/ })).toBeVisible();
    await user.click(within(steps).getByRole('button', { name: /2 Whole document/ }));
    expect(within(test).getByText('After step 2')).toBeVisible();
    expect(within(test).getByText('−1 removed')).toBeVisible();
    expect(within(test).getByRole('list', { name: 'Categories' })).toHaveTextContent('news');
    await user.click(within(test).getByRole('radio', { name: 'JSON' }));
    expect(JSON.parse(String(within(test).getByLabelText('Result as JSON').textContent))).toMatchObject({
      annotations: [{ labelName: 'person', start: 0, end: 3 }],
      categories: [{ labelName: 'news' }],
    });
    await user.type(within(test).getByLabelText('Text'), '!');
    expect(within(test).getByText('Out of date')).toBeVisible();
  });

  it('is offered in the drawer, for the stored plan; a failure keeps the text', async () => {
    const user = userEvent.setup();
    let asked: unknown;
    server.use(
      http.post('*/api/projects/press/plans/_try', async ({ request }) => {
        asked = await request.json();
        return HttpResponse.json({ code: 400, message: 'No' }, { status: 400 });
      }),
    );
    void renderStudio(addressOf({ name: 'chain' }));
    await user.click(await screen.findByRole('button', { name: 'Test' }));
    const dialog = await screen.findByRole('dialog', { name: 'Test Chain' });
    const field = within(dialog).getByLabelText('Text');
    await user.clear(field);
    await user.type(field, 'Ana.');
    await user.click(within(dialog).getByRole('button', { name: /^Run/ }));
    expect(await within(dialog).findByText('We failed to test the plan.')).toBeVisible();
    expect(asked).toEqual({ plan: 'chain', text: 'Ana.' });
    expect(field).toHaveValue('Ana.');
  });
});
