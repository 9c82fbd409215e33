/** The plans screen, against msw, and its rules. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Plan } from '@/api/resources/plans';
import { clearSession } from '@/app/session-lifecycle';
import { encodePathState } from '@/state/path-state';
import { useSessionStore } from '@/state/session-store';
import { renderStudio } from '@/test/render';
import { PERMISSIONS, server } from '@/test/server';
import { parseCondition, parseApplyToPath, parseRules, rulesToCondition } from './condition-rule-conversion';
import {
  toPlanDraft,
  groupPlans,
  stepKindsFor,
  withItemMoved,
  toPlanParameters,
  tagsOfCopy,
  tagsKeepingType,
  tagsForActivation,
  planTypesFor,
} from './plan-rules';

const plan = (name: string, more: Partial<Plan> = {}): Plan => ({
  name,
  label: name,
  parameters: { pipeline: [] },
  tags: [],
  favorite: false,
  isActive: false,
  type: 'conversion',
  modifiedAt: '2026-01-02T00:00:00Z',
  modifiedBy: 'ana',
  version: 3,
  ...more,
});

const SHEETS = plan('sheets', {
  label: 'Sheets',
  parameters: { converter: { name: 'csv', parameters: { delimiter: ';' } }, pipeline: [] },
  tags: ['mine', 'project-conversion', 'active-conversion'],
  favorite: true,
  isActive: true,
});
const OTHER = plan('other', {
  label: 'Other',
  parameters: { converter: { name: 'gone' }, pipeline: [] },
  problem: 'There is no converter named gone',
});
const CHAIN = plan('chain', { label: 'Chain', type: 'annotation', parameters: { pipeline: [{ annotator: 'model' }] } });

let plans: Plan[] = [];
let sent: { method: string; path: string; body: unknown; match: string | null }[] = [];
let refusal: unknown = null;

beforeAll(() => server.listen({ onUnhandledRequest: 'bypass' }));
beforeEach(() => {
  plans = [OTHER, SHEETS, CHAIN];
  sent = [];
  refusal = null;
  useSessionStore.setState({ projectName: 'press' });
  const note = async (request: Request) => {
    const text = await request.text();
    const path = new URL(request.url).pathname.split('/press/')[1] ?? '';
    sent.push({ method: request.method, path, body: text === '' ? null : JSON.parse(text), match: request.headers.get('If-Match') });
    return refusal === null ? HttpResponse.json({ name: 'made', triggeredJobs: [] }) : HttpResponse.json(refusal, { status: 400 });
  };
  const titles: Record<string, [string, string][]> = {
    converter: [
      ['csv', 'Sheets and tables'],
      ['txt', 'Plain text'],
    ],
    segmenter: [['document', 'Whole document']],
  };
  server.use(
    http.get('*/api/users/:name', () =>
      HttpResponse.json({
        username: 'ana',
        permissions: [...PERMISSIONS, 'seePlans', 'changeProjectConfig', 'annotateCorpus', 'writeProject:press'],
      }),
    ),
    http.get('*/api/projects/press/_info', () =>
      HttpResponse.json({ name: 'press', label: 'Press', lang: 'en', nature: 'sequence_labelling', readOnly: false, documents: 3 }),
    ),
    http.get('*/api/projects/press/plans', () => HttpResponse.json(plans)),
    http.get('*/api/projects/press/labels', () => HttpResponse.json([{ name: 'person', label: 'Person', color: '#123456' }])),
    http.get('*/api/projects/press/jobs', () => HttpResponse.json([])),
    http.get('*/api/projects/press/annotators_by_type', () =>
      HttpResponse.json({ learner: [{ name: 'model', label: 'People', engine: 'crf' }], gazetteer: [], suggester: [], plan: [] }),
    ),
    http.get('*/api/projects/press/services', ({ request }) => {
      const kind = new URL(request.url).searchParams.get('type') ?? '';
      return HttpResponse.json((titles[kind] ?? []).map(([name, title]) => ({ name, metadata: { title, description: '' } })));
    }),
    http.post('*/api/projects/press/plans', ({ request }) => note(request)),
    http.patch('*/api/projects/press/plans/:plan', ({ request }) => note(request)),
    http.post('*/api/projects/press/plans/:plan/_restore', ({ request }) => note(request)),
    http.delete('*/api/projects/press/plans/:plan', ({ request }) => note(request)),
  );
});
afterEach(() => {
  clearSession();
  server.resetHandlers();
});
afterAll(() => server.close());

const headings = () =>
  screen
    .getAllByRole('heading')
    .filter(({ tagName }) => tagName === 'H2' || tagName === 'H3')
    .map(({ tagName, textContent }) => `${tagName.slice(1)} ${textContent}`);

describe('the plans screen', () => {
  it('R-018 lists plans in groups, the active one first, and shows what cannot run', async () => {
    void renderStudio('/plans');
    const conversion = await screen.findByRole('region', { name: 'Conversion' });
    await within(conversion).findByText('Sheets and tables');
    const rows = within(conversion).getAllByRole('row').slice(1);
    expect(rows.map((row) => within(row).getAllByText(/^(Sheets|Other)$/)[0]?.textContent)).toEqual(['Sheets', 'Other']);
    expect(within(rows[0] as HTMLElement).getByText('Active')).toBeTruthy();
    expect(within(rows[1] as HTMLElement).getByText('Not working')).toBeTruthy();
    expect(headings()).toEqual(['2 Annotation pipelines', '2 Project configuration', '3 Conversion', '3 Segmentation']);
    expect(await screen.findByText('People')).toBeTruthy();
  });

  it('R-031 opens the plan of the address; deactivating removes both tags', async () => {
    const user = userEvent.setup();
    void renderStudio(`/plans/${encodePathState({ name: 'sheets' }, { name: '' })}`);
    await user.click(await screen.findByRole('button', { name: 'Deactivate' }));
    const dialog = await screen.findByRole('dialog');
    await user.click(within(dialog).getByRole('button', { name: 'Deactivate' }));
    await waitFor(() => expect(sent).toEqual([{ method: 'PATCH', path: 'plans/sheets', body: { tags: ['mine'] }, match: '3' }]));
  });

  it('sets favourites and deletes; E-046 a failure has its title', async () => {
    const user = userEvent.setup();
    void renderStudio(`/plans/${encodePathState({ name: 'other' }, { name: '' })}`);
    refusal = { code: 400, message: 'Not now' };
    await user.click(await screen.findByRole('button', { name: 'Favourite: Other' }));
    await waitFor(() => expect(sent[0]).toMatchObject({ method: 'PATCH', path: 'plans/other', body: { favorite: true } }));
    expect(await screen.findByText('We failed to change the plan.')).toBeTruthy();
    refusal = { code: 400, message: 'It has to stay' };
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    await user.click(await screen.findByRole('button', { name: 'Delete plan' }));
    await waitFor(() => expect(sent[1]).toMatchObject({ method: 'DELETE', path: 'plans/other' }));
    expect(await screen.findByText('We failed to delete the plan.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });

  it('a deleted plan is brought back by its notice', async () => {
    const user = userEvent.setup();
    void renderStudio(`/plans/${encodePathState({ name: 'other' }, { name: '' })}`);
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    await user.click(await screen.findByRole('button', { name: 'Delete plan' }));
    expect(await screen.findByText('“Other” was deleted')).toBeTruthy();
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(sent.at(-1)).toMatchObject({ method: 'POST', path: 'plans/other/_restore' }));
  });
});

describe('plans that answer questions', () => {
  const SHORT = plan('short', {
    label: 'Short answers',
    type: 'question-answerer',
    tags: ['active-question-answerer'],
    isActive: true,
    parameters: { pipeline: [{ questionAnswerer: 'sentences', parameters: { sentences: 2 } }] },
  });
  const inQuestionProject = () =>
    server.use(
      http.get('*/api/projects/press/_info', () =>
        HttpResponse.json({ name: 'press', label: 'Press', lang: 'en', nature: 'question_answering', readOnly: false, documents: 3 }),
      ),
    );

  it('S-051, C-078 come last, in a part of their own, in projects of that nature', async () => {
    inQuestionProject();
    void renderStudio('/plans');
    await screen.findByRole('heading', { name: 'Answerers' });
    expect(headings()).toEqual([
      '2 Annotation pipelines',
      '2 Project configuration',
      '3 Conversion',
      '3 Segmentation',
      '3 Vectors',
      '2 Question answering',
      '3 Search parameters',
      '3 Context of answers',
      '3 Answerers',
    ]);
    const last = screen.getByRole('region', { name: 'Answerers' });
    expect(within(last).getByRole('button', { name: 'New answerer plan' })).toBeVisible();
    expect(screen.queryByText(/cannot be created/)).toBeNull();
  });

  it('S-052 are activated, never run on a text or the corpus; activating says what it replaces', async () => {
    const user = userEvent.setup();
    inQuestionProject();
    plans = [SHORT, { ...SHORT, name: 'long', label: 'Long answers', tags: [], isActive: false }];
    void renderStudio(`/plans/${encodePathState({ name: 'long' }, { name: '' })}`);
    await user.click(await screen.findByRole('button', { name: 'Activate' }));
    expect(screen.queryByRole('button', { name: 'Test' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Annotate corpus' })).toBeNull();
    const dialog = await screen.findByRole('dialog');
    expect(within(dialog).getByText(/replaces the active plan for new questions/)).toBeVisible();
    await user.click(within(dialog).getByRole('button', { name: 'Activate' }));
    await waitFor(() => expect(sent.at(-1)).toMatchObject({ path: 'plans/long', body: { tags: ['active-question-answerer'] } }));
  });

  it('S-051 a new one has one step, which another component replaces, and can be active at once', async () => {
    const user = userEvent.setup();
    inQuestionProject();
    const wide = vi.spyOn(window, 'matchMedia').mockImplementation(
      (media) =>
        ({
          matches: media.includes('min-width'),
          media,
          addEventListener: () => undefined,
          removeEventListener: () => undefined,
        }) as never,
    );
    onTestFinished(() => wide.mockRestore());
    server.use(
      http.post('*/api/projects/press/plans/_label_hint', () => HttpResponse.json({ labelHint: 'Answerer' })),
      http.post('*/api/projects/press/processors/_default', () => HttpResponse.json([])),
      http.get('*/api/projects/press/services', ({ request }) =>
        HttpResponse.json(
          new URL(request.url).searchParams.get('type') === 'questionAnswerer'
            ? [
                { name: 'sentences', metadata: { title: 'Best sentences', description: 'Cites' } },
                { name: 'model', metadata: { title: 'Language model', description: 'Writes' } },
                { name: 'idle', metadata: { title: 'Far model', description: 'Writes', state: 'optional' } },
              ]
            : [],
        ),
      ),
      http.get('*/api/projects/press/engine_parameters', () =>
        HttpResponse.json({
          schema: { type: 'object', properties: { sentences: { type: 'integer', title: 'Sentences', minimum: 1 } } },
          defaults: { sentences: 3 },
          title: 'Best sentences',
          description: '',
        }),
      ),
    );
    void renderStudio(
      `/plans/${encodePathState({ name: '', edit: 'create', type: 'question-answerer' }, { name: '', edit: '', type: '' })}`,
    );
    await screen.findByText('No component yet. Choose one from the list, or press A.');
    await user.click(screen.getByRole('button', { name: 'Create plan' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Choose a component');
    expect(sent).toEqual([]);
    expect(screen.getByRole('button', { name: 'Add Far model' })).toBeDisabled();
    await user.click(screen.getByRole('button', { name: 'Add Language model' }));
    await user.click(screen.getByRole('button', { name: 'Add Best sentences' }));
    expect(screen.queryByRole('button', { name: /Choose component/ })).toBeNull();
    expect(screen.queryByRole('tab', { name: 'When and where' })).toBeNull();
    const field = await screen.findByLabelText('Sentences');
    await user.clear(field);
    await user.type(field, '5');
    await user.click(screen.getByRole('switch', { name: /Activate it immediately/ }));
    expect(screen.getByText('It answers every new question. Earlier answers stay as they are.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Create plan' }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).toEqual({
      label: 'Answerer',
      parameters: { pipeline: [{ questionAnswerer: 'sentences', parameters: { sentences: 5 } }] },
      tags: ['active-question-answerer'],
    });
  });
});

describe('each failure has its title', () => {
  const FAILURE = { code: 400, message: 'It cannot be' };

  it('E-046 the list', async () => {
    server.use(http.get('*/api/projects/press/plans', () => HttpResponse.json(FAILURE, { status: 400 })));
    void renderStudio('/plans');
    expect(await screen.findByText('Unable to fetch the plans.')).toBeTruthy();
  });

  it('E-046 a plan named by the address; the others are listed', async () => {
    server.use(
      http.get('*/api/projects/press/plans', () => HttpResponse.json([])),
      http.get('*/api/projects/press/plans/gone', () =>
        HttpResponse.json({ code: 404, message: 'There is no plan gone in this project' }, { status: 404 }),
      ),
    );
    void renderStudio(`/plans/${encodePathState({ name: 'gone' }, { name: '' })}`);
    expect(await screen.findByText('Unable to fetch the plan.')).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'Conversion' })).toBeTruthy();
  });
});

describe('rules of plans', () => {
  it('S-052 keeps the order of the groups and hides types by nature', () => {
    expect(planTypesFor('question_answering')).toContain('vectorization');
    expect(planTypesFor('question_answering').slice(-3)).toEqual(['search-params-builder', 'rag-context-builder', 'question-answerer']);
    expect(planTypesFor('classification')).toEqual(['annotation', 'conversion', 'segmentation']);
    const own = plan('v', { type: 'vectorization' });
    expect(groupPlans([own, SHEETS], 'classification').map(({ type }) => type)).toEqual([
      'annotation',
      'conversion',
      'segmentation',
      'vectorization',
    ]);
  });

  it('C-079, T-030 sets the tags', () => {
    expect(tagsKeepingType('conversion', { pipeline: [{ annotator: 'a' }] }, ['x'])).toEqual(['x', 'conversion']);
    expect(tagsKeepingType('conversion', { pipeline: [{ processor: 'a' }] }, ['active-conversion'])).toEqual(['active-conversion']);
    expect(tagsKeepingType('conversion', { pipeline: [{ segmenter: 'a' }] }, ['x'])).toEqual(['x']);
    expect(tagsKeepingType('annotation', { pipeline: [{ annotator: 'a' }] }, [])).toEqual([]);
    expect(tagsForActivation({ tags: ['a', 'project-conversion'], type: 'conversion' }, true)).toEqual([
      'a',
      'project-conversion',
      'active-conversion',
    ]);
    expect(tagsForActivation(SHEETS, false)).toEqual(['mine']);
    expect(tagsOfCopy(SHEETS)).toEqual(['mine']);
  });

  it('S-055 preserves a formatter, which is no step', () => {
    const parameters = { formatter: { name: 'csv' }, pipeline: [{ annotator: 'model', parameters: {} }] };
    expect(toPlanParameters(toPlanDraft('annotation', parameters))).toEqual(parameters);
    expect(stepKindsFor('annotation')).not.toContain('formatter');
  });

  it('moves steps within the list only', () => {
    expect(withItemMoved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a']);
    expect(withItemMoved(['a', 'b'], 1, 2)).toEqual(['b', 'a'].reverse());
    expect(withItemMoved(['a', 'b'], 0, -1)).toEqual(['a', 'b']);
  });

  it.each([
    [{ metadata: { name: 'lang' } }],
    [{ metadata: { name: 'lang', value: 'en' } }],
    [{ not: { category: 'sport' } }],
    [{ and: [{ annotation: 'person' }, { not: { text: 'draft' } }] }],
    [{ or: [{ category: 'a' }, { category: 'b' }] }],
  ])('C-081 reads and writes the condition %j', (condition) => {
    const rules = parseRules(condition);
    expect(rules === null ? null : rulesToCondition(rules)).toEqual(condition);
  });

  it('C-081 returns null for conditions that rules cannot express', () => {
    expect(parseRules({ and: [{ or: [{ text: 'a' }, { text: 'b' }] }, { text: 'c' }] })).toBeNull();
    expect(parseRules({ odd: 1 })).toBeNull();
    expect(parseCondition('{"text": "a"}')).toEqual({ text: 'a' });
    expect(parseCondition('[1]')).toBeNull();
    expect(parseApplyToPath('annotations[person]')).toEqual({ kind: 'label', label: 'person' });
    expect(parseApplyToPath('odd')).toEqual({ kind: 'free', label: '' });
  });
});
