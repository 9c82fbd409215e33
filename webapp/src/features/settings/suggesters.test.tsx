import { screen, waitFor, within } from '@testing-library/react';
import userEvent, { PointerEventsCheckLevel } from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clearSession } from '@/app/session-lifecycle';
import { useSessionStore } from '@/state/session-store';
import { renderStudio } from '@/test/render';
import { PERMISSIONS, project, server } from '@/test/server';

const LATE = { timeout: 8_000 };
const user = userEvent.setup({ pointerEventsCheck: PointerEventsCheckLevel.Never });
const suggester = (name: string, more: object = {}) => ({
  name,
  label: name.toUpperCase(),
  engine: 'finder',
  parameters: { learner: 'tree', learner_parameters: { depth: 3 } },
  models: 1,
  timestamp: 1_760_000_000_000,
  duration: 5,
  uptodate: true,
  running: false,
  quality: 43,
  answers: 2,
  ...more,
});
const FINDER = {
  title: 'Finder',
  description: 'Finds.',
  defaults: { learner: 'tree', learner_parameters: {} },
  schema: {
    type: 'object',
    properties: {
      learner: { type: 'string', title: 'Learner', default: 'tree', 'x-widget': 'learner' },
      learner_parameters: { type: 'object', title: 'Learner settings', 'x-parameters-of': 'learner' },
    },
  },
};
const learnerForm = (title: string, field: string, needsLabels = true) => ({
  title,
  description: '',
  defaults: { [field]: 5 },
  needsLabels,
  schema: { type: 'object', title, properties: { [field]: { type: 'integer', title: `Greatest ${field}`, default: 5, minimum: 1 } } },
});
const FORMS: Record<string, object> = {
  finder: FINDER,
  tree: learnerForm('Decision tree', 'depth'),
  net: learnerForm('Network', 'layers'),
  topics: learnerForm('Topics', 'topics', false),
};
const LINKER = { name: 'linker', title: 'Linker', description: 'Links.' };

let rows: object[] = [];
let missing: object[] = [];
let sent: { method: string; path: string; body?: unknown }[] = [];

const saveRequest = async (request: Request) => {
  const text = await request.text();
  const path = new URL(request.url).pathname.split('/suggesters')[1] ?? '';
  sent.push({ method: request.method, path, ...(text !== '' && { body: JSON.parse(text) as unknown }) });
};

beforeAll(() => server.listen({ onUnhandledRequest: 'bypass' }));
beforeEach(() => {
  rows = [suggester('first'), suggester('second', { running: true })];
  missing = [];
  sent = [];
  const base = '*/api/projects/press';
  server.use(
    http.get('*/api/users/:name', () =>
      HttpResponse.json({ username: 'ana', profilename: 'Ana', permissions: [...PERMISSIONS, 'seeSuggestersSettings'] }),
    ),
    http.get(`${base}/_info`, () => HttpResponse.json(project('press', { readOnly: false } as never))),
    http.get(`${base}/jobs`, () => HttpResponse.json([])),
    http.get(`${base}/plans`, () => HttpResponse.json([])),
    http.get(`${base}/label_sets`, () => HttpResponse.json([])),
    http.get(`${base}/suggesters`, () => HttpResponse.json(rows)),
    http.get(`${base}/suggesters/_decisions`, () =>
      HttpResponse.json([
        { name: 'first', accepted: 3, rejected: 1, acceptanceRate: 0.75 },
        { name: 'second', accepted: 0, rejected: 0 },
      ]),
    ),
    http.get(`${base}/engines`, ({ request }) =>
      HttpResponse.json(new URL(request.url).searchParams.get('type') === 'suggester' ? ['finder'] : ['net', 'topics', 'tree']),
    ),
    http.get(`${base}/unavailable_engines`, () => HttpResponse.json(missing)),
    http.get(`${base}/engine_parameters`, ({ request }) =>
      HttpResponse.json(FORMS[new URL(request.url).searchParams.get('engine') ?? ''] ?? null),
    ),
    http.get(`${base}/suggestions`, () =>
      HttpResponse.json({
        suggestions: [],
        total: { value: 9 },
        aggregations: [{ name: 'suggester', buckets: [{ key: 'second', doc_count: 7 }] }],
      }),
    ),
    http.post(`${base}/suggesters/_label_hint`, async ({ request }) =>
      HttpResponse.json({ labelHint: `${((await request.json()) as { label: string }).label} 2` }),
    ),
    http.post(`${base}/suggesters`, async ({ request }) => {
      await saveRequest(request);
      rows = [...rows, suggester('third')];
      return HttpResponse.json({ name: 'third' });
    }),
    http.post(`${base}/suggesters/:name/:act`, async ({ request }) => {
      await saveRequest(request);
      return HttpResponse.json({ ok: true });
    }),
    http.delete(`${base}/suggesters/:name`, async ({ request }) => {
      await saveRequest(request);
      rows = rows.slice(0, 1);
      return HttpResponse.json({ removedCount: 1 });
    }),
  );
  useSessionStore.getState().openProject('press');
});
afterEach(() => {
  clearSession();
  server.resetHandlers();
});
afterAll(() => server.close());

const open = async () => {
  await renderStudio('/settings/suggesters');
  await screen.findByRole('table', {}, LATE);
};
const detail = (label: string) => screen.findByRole('region', { name: label }, LATE);
const choose = async (name: string) => user.click(within(screen.getByRole('table')).getByText(name));

describe('suggesters of a project (S-042)', () => {
  it('the first is current until one is chosen', async () => {
    await open();
    const first = within(await detail('FIRST'));
    expect(await first.findByText('75% (3 of 4)')).toBeVisible();
    expect(first.getByText('Stopped')).toBeVisible();
    expect(first.getByText('.43')).toBeVisible();
    expect(await first.findByText('Decision tree')).toBeVisible();
    expect(first.getByText('Greatest depth')).toBeVisible();
    await choose('SECOND');
    const second = within(await detail('SECOND'));
    expect(second.getByText('No decision yet')).toBeVisible();
    expect(screen.queryByRole('region', { name: 'FIRST' })).toBeNull();
  });

  it('starts and stops', async () => {
    await open();
    await user.click(within(await detail('FIRST')).getByRole('button', { name: 'Start' }));
    await user.click(screen.getByRole('button', { name: 'Stop SECOND' }));
    await waitFor(() => expect(sent.map(({ path }) => path)).toEqual(['/first/_start', '/second/_stop']));
  });

  it('clones under a free name, with a form of the learner, and shows the clone', async () => {
    await open();
    await user.click(within(await detail('FIRST')).getByRole('button', { name: 'Clone' }));
    const dialog = within(await screen.findByRole('dialog'));
    const depth = await dialog.findByLabelText(/Greatest depth/, {}, LATE);
    expect(depth).toHaveValue('3');
    await user.click(dialog.getByRole('combobox', { name: 'Learner' }));
    expect((await screen.findAllByRole('option')).map(({ textContent }) => textContent)).toEqual(['Network', 'Decision tree']);
    await user.click(screen.getByRole('option', { name: 'Network' }));
    const layers = await dialog.findByLabelText(/Greatest layers/, {}, LATE);
    await user.clear(layers);
    await user.type(layers, '8');
    await user.click(dialog.getByRole('button', { name: 'Create suggester' }));
    await waitFor(() => expect(sent).toHaveLength(1), LATE);
    expect(sent[0]?.body).toEqual({
      engine: 'finder',
      label: 'FIRST 2',
      parameters: { learner: 'net', learner_parameters: { layers: 8 } },
    });
    await detail('THIRD');
  });

  it('shows the faults of the learner at its fields, and keeps what was typed', async () => {
    server.use(
      http.post('*/api/projects/press/suggesters', () =>
        HttpResponse.json(
          { error: 'invalid_input', message: 'No', details: [{ field: 'learner_parameters.depth', message: 'Too deep' }] },
          { status: 400 },
        ),
      ),
    );
    await open();
    await user.click(screen.getByRole('button', { name: /New suggester/ }));
    const dialog = within(await screen.findByRole('dialog'));
    const depth = await dialog.findByLabelText(/Greatest depth/, {}, LATE);
    await user.clear(depth);
    await user.type(depth, '99');
    await user.click(dialog.getByRole('button', { name: 'Create suggester' }));
    expect(await dialog.findByText('Too deep', {}, LATE)).toBeVisible();
    expect(dialog.getByLabelText(/Greatest depth/)).toHaveValue('99');
  });

  it('says what goes with a suggester before it is deleted', async () => {
    await open();
    await choose('SECOND');
    await user.click(within(await detail('SECOND')).getByRole('button', { name: 'Delete' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(await dialog.findByText('7 open suggestions')).toBeVisible();
    expect(dialog.getByText('its trained model')).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Delete suggester' }));
    await waitFor(() => expect(sent).toEqual([{ method: 'DELETE', path: '/second' }]));
    await detail('FIRST');
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(sent.at(-1)).toMatchObject({ method: 'POST', path: '/second/_restore' }));
  });

  it.each([
    ['who cannot set it up', undefined, 'An administrator can set it up.'],
    ['administrators', 'LINKER_ADDRESS', 'Set LINKER_ADDRESS to the address of the server that it uses, and restart.'],
  ])('C-074 an engine that the server is not set up for, for %s', async (_who, setting, fix) => {
    missing = [{ ...LINKER, ...(setting !== undefined && { setting }) }];
    rows = [suggester('first', { engine: 'linker', models: 0, quality: 0 })];
    await open();
    const first = within(await detail('FIRST'));
    expect(await first.findByText(new RegExp(`“Linker” is not available on this server\\. ${fix}`, 'u'))).toBeVisible();
    expect(first.getByText('Unavailable')).toBeVisible();
    expect(first.getByRole('button', { name: 'Start' })).toBeDisabled();
    expect(first.getByRole('button', { name: 'Edit' })).toBeDisabled();
    expect(first.getByRole('button', { name: 'Delete' })).toBeEnabled();
  });

  it('C-075 lists the predefined suggesters, closed where their engine is missing', async () => {
    missing = [{ name: 'EntityFishing', title: 'Wikidata entities', description: 'Links.' }];
    await open();
    const create = await screen.findByRole('button', { name: 'Create “Wikidata: media”' }, LATE);
    expect(create).toBeDisabled();
    expect(screen.getAllByRole('button', { name: /^Create “Wikidata/u })).toHaveLength(3);
    expect(await screen.findByText(/“Wikidata entities” is not available/u)).toBeVisible();
  });
});
