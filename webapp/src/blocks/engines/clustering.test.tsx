/** S-046, V-024, C-073: the clustering shortcut. */
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { CLUSTERING_TAG } from '@/api/resources/clustering';
import { defaultsWithKnownValues } from '@/api/resources/components';
import { useNotificationsStore } from '@/state/notifications-store';
import { useSessionStore } from '@/state/session-store';
import { renderStudio } from '@/test/render';
import { COMPONENT_DEFAULTS, PERMISSIONS, project, errorResponse, server } from '@/test/server';
import { serveStudio } from '@/test/studio-server';

const AT = '*/api/projects/press';
const properties = {
  nr_topics: {},
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
const open = async () => {
  await renderStudio('/experiments');
  await waitFor(async () => expect((await button()).hasAttribute('disabled')).toBe(false), { timeout: 10_000 });
  await userEvent.click(await button());
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
    http.get(`${AT}/_info`, () => HttpResponse.json(project('press'))),
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

  it('V-024 is disabled while the first clustering runs', async () => {
    known = [{ ...topics, running: true, jobId: 'j' }];
    await renderStudio('/experiments');
    const found = await button();
    await waitFor(() => expect(found.getAttribute('title')).toContain('Finding topics has started'));
    expect(found.hasAttribute('disabled')).toBe(true);
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
