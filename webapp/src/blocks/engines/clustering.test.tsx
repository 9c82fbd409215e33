/** S-046, V-024, C-073: the clustering shortcut. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { CLUSTERING_TAG } from '@/api/resources/clustering';
import { defaultsWithKnownValues } from '@/api/resources/components';
import { useNotificationsStore } from '@/state/notifications-store';
import { parseTopics } from './clustering-dialog';
import { useSessionStore } from '@/state/session-store';
import { renderStudio } from '@/test/render';
import { COMPONENT_DEFAULTS, PERMISSIONS, project, errorResponse, server } from '@/test/server';
import { serveStudio } from '@/test/studio-server';

const AT = '*/api/projects/press';
const properties = {
  nr_topics: { type: 'integer', minimum: 2, maximum: 300 },
  ngram_range: {},
  source_collection: { enum: ['documents', 'segments'] },
  tokenizer: { enum: ['simple'] },
};
const FORM = {
  title: 'Topics of words',
  description: '',
  schema: { type: 'object', properties },
  uiSchema: {},
  defaults: { seed: 0, tokenizer: 'simple' },
};
const topics = {
  name: 'topics',
  label: 'Topics',
  engine: 'sklearn_topics',
  parameters: {},
  models: 0,
  timestamp: 0,
  duration: 0,
  uptodate: false,
  running: false,
  tags: [CLUSTERING_TAG],
};

let sent: { readonly what: string; readonly body: unknown }[];
let known: object[];
/** Whether each engine needs annotations. */
let engines: Readonly<Record<string, boolean>>;
let rights: readonly string[];

const button = () => screen.findByRole('button', { name: 'Find topics' }, { timeout: 10_000 });
/** Opens the dialog, which asks before it starts. */
const ask = async () => {
  await renderStudio('/experiments');
  await userEvent.click(await button());
  const dialog = await screen.findByRole('dialog', undefined, { timeout: 10_000 });
  const start = within(dialog).getByRole('button', { name: 'Find topics' });
  await waitFor(() => expect(start.hasAttribute('disabled')).toBe(false), { timeout: 10_000 });
  return { dialog, start };
};
const open = async () => {
  const { start } = await ask();
  await userEvent.click(start);
};

serveStudio();
beforeEach(() => {
  sent = [];
  known = [];
  engines = { crf: true, sklearn_topics: false };
  rights = ['seeExperiments', 'annotateCorpus'];
  server.use(
    http.get('*/api/users/:name', () =>
      HttpResponse.json({ username: 'ana', profilename: 'Ana', permissions: [...PERMISSIONS, ...rights] }),
    ),
    http.get(`${AT}/_info`, () => HttpResponse.json({ ...project('press'), documents: 1200 })),
    http.get(`${AT}/jobs`, () => HttpResponse.json([])),
    http.get(`${AT}/label_sets`, () => HttpResponse.json([])),
    http.get(`${AT}/labels`, () => HttpResponse.json([])),
    http.get(`${AT}/experiments`, () => HttpResponse.json(known)),
    http.get(`${AT}/engines`, () => HttpResponse.json(Object.keys(engines))),
    http.get(`${AT}/engine_parameters`, ({ request }) => {
      const name = new URL(request.url).searchParams.get('engine') ?? '';
      return HttpResponse.json({ ...FORM, needsLabels: engines[name] });
    }),
    http.post(`${AT}/experiments`, async ({ request }) => {
      sent.push({ what: 'create', body: await request.json() });
      return HttpResponse.json({ name: 'topics' });
    }),
    http.post(`${AT}/experiments/topics/_launch`, ({ request }) => {
      sent.push({ what: 'launch', body: new URL(request.url).search });
      return HttpResponse.json({ id: 'j', type: 'EXPERIMENT_TRAINING', status: 'STARTED' });
    }),
  );
  useSessionStore.getState().openProject('press');
});

describe('the clustering shortcut', () => {
  it('S-046 creates the experiment with the settings of C-073 that the engine knows, and launches it', async () => {
    await open();
    await waitFor(() => expect(sent.map(({ what }) => what)).toEqual(['create', 'launch']));
    expect(sent[0]?.body).toEqual({
      engine: 'sklearn_topics',
      label: 'Topics',
      parameters: { seed: 0, tokenizer: 'simple', nr_topics: 20, ngram_range: [1, 3], source_collection: 'documents' },
      tags: ['clustering-shortcut'],
    });
    expect(sent[1]?.body).toBe('?annotateCorpus=true');
  });

  it('C-073 uses BERTopic where it is installed, with all its settings', async () => {
    engines = { crf: true, sklearn_topics: false, BERTopic: false };
    await open();
    await waitFor(() => expect(sent[0]?.body).toMatchObject({ engine: 'BERTopic' }));
    const { parameters } = COMPONENT_DEFAULTS.clustering;
    const all = Object.fromEntries(Object.keys(parameters).map((name) => [name, {}]));
    expect(defaultsWithKnownValues({ schema: { properties: all }, defaults: {} }, parameters)).toEqual({
      tokenizer: 'spacy',
      stopwords: true,
      lemma: true,
      ngram_range: [1, 3],
      nr_topics: 20,
      scope: 'all',
      source_collection: 'documents',
    });
  });

  it('takes the learner and the settings that an administrator chose', async () => {
    const clustering = { learners: ['missing', 'own_topics'], parameters: { nr_topics: 5, unknown: 1 } };
    server.use(http.get('*/api/component-defaults', () => HttpResponse.json({ ...COMPONENT_DEFAULTS, clustering })));
    engines = { sklearn_topics: false, own_topics: false };
    await open();
    const parameters = { seed: 0, tokenizer: 'simple', nr_topics: 5 };
    await waitFor(() => expect(sent[0]?.body).toMatchObject({ engine: 'own_topics', parameters }));
  });

  it('S-046 uses the experiment again that is there', async () => {
    known = [topics];
    await open();
    await waitFor(() => expect(sent).toEqual([{ what: 'launch', body: '?annotateCorpus=true' }]));
  });

  it('only produces the report for users who may not annotate', async () => {
    rights = ['seeExperiments'];
    known = [topics];
    await open();
    await waitFor(() => expect(sent).toEqual([{ what: 'launch', body: '?annotateCorpus=false' }]));
  });

  it('asks for the number of topics and says what is written before anything starts', async () => {
    const { dialog, start } = await ask();
    const number = within(dialog).getByRole('textbox', { name: 'Number of topics' });
    expect(number).toHaveValue('20');
    expect(within(dialog).getByText(/Up to 20 labels are added to the project. 1,200 documents can get a category./)).toBeVisible();
    expect(sent).toEqual([]);
    await userEvent.clear(number);
    await userEvent.type(number, '1');
    expect(within(dialog).getByText('Use a whole number from 2 to 300')).toBeVisible();
    expect(start).toBeDisabled();
    await userEvent.clear(number);
    await userEvent.type(number, '7');
    expect(within(dialog).getByText(/Up to 7 labels/)).toBeVisible();
    await userEvent.click(start);
    await waitFor(() => expect(sent.map(({ what }) => what)).toEqual(['create', 'launch']));
    expect(sent[0]?.body).toMatchObject({ parameters: { nr_topics: 7 } });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('changes the number of the experiment that is there, and writes nothing on request', async () => {
    known = [{ ...topics, parameters: { nr_topics: 12, seed: 3 } }];
    server.use(
      http.patch(`${AT}/experiments/topics`, async ({ request }) => {
        sent.push({ what: 'change', body: await request.json() });
        return HttpResponse.json(topics);
      }),
    );
    const { dialog, start } = await ask();
    const number = within(dialog).getByRole('textbox', { name: 'Number of topics' });
    expect(number).toHaveValue('12');
    await userEvent.clear(number);
    await userEvent.type(number, '30');
    await userEvent.click(within(dialog).getByRole('switch', { name: 'Write the topics as categories' }));
    expect(within(dialog).getByText(/Nothing is written into the project/)).toBeVisible();
    await userEvent.click(start);
    await waitFor(() =>
      expect(sent).toEqual([
        { what: 'change', body: { parameters: { nr_topics: 30, seed: 3 } } },
        { what: 'launch', body: '?annotateCorpus=false' },
      ]),
    );
  });

  it('parses whole numbers only', () => {
    const range = { least: 2, most: 300 };
    expect(['20', ' 2 ', '300'].map((text) => parseTopics(text, range))).toEqual([20, 2, 300]);
    expect(['', '1', '301', '2.5', 'x'].map((text) => parseTopics(text, range))).toEqual(Array(5).fill(undefined));
  });

  it('V-024 cannot start while the first clustering runs', async () => {
    known = [{ ...topics, running: true, jobId: 'j' }];
    await renderStudio('/experiments');
    await userEvent.click(await button());
    const dialog = await screen.findByRole('dialog', undefined, { timeout: 10_000 });
    expect(await within(dialog).findByText(/Topics are already being searched for/)).toBeVisible();
    expect(within(dialog).getByRole('button', { name: 'Find topics' })).toBeDisabled();
    expect(within(dialog).getByRole('button', { name: 'Stop' })).toBeEnabled();
  });

  it('E-055 shows what is missing, and what to do', async () => {
    engines = { crf: true };
    await open();
    await waitFor(() =>
      expect(useNotificationsStore.getState().items).toMatchObject([
        {
          message: 'We failed to find topics.',
          cause: 'No installed engine that you may use finds topics.',
          fix: expect.stringContaining('administrator') as unknown,
        },
      ]),
    );
    expect(sent).toEqual([]);
  });

  it('shows why the server does not launch it', async () => {
    known = [topics];
    server.use(http.post(`${AT}/experiments/topics/_launch`, () => errorResponse(409, 'It is already being trained')));
    await open();
    await waitFor(() => expect(useNotificationsStore.getState().items).toMatchObject([{ message: 'We failed to find topics.' }]));
  });
});
