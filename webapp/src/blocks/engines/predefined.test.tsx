/** D-011: predefined components are created by ordinary API calls, or report what is missing. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { MissingRequirementError } from '@/api/errors';
import { stepParameters, pipelineFor, PREDEFINED_LABELS, PREDEFINED_SETS } from '@/api/resources/predefined';
import { useNotificationsStore } from '@/state/notifications-store';
import { useSessionStore } from '@/state/session-store';
import { renderStudio } from '@/test/render';
import { COMPONENT_DEFAULTS, PERMISSIONS, project, server } from '@/test/server';
import { serveStudio } from '@/test/studio-server';

const AT = '*/api/projects/press';
const LATE = { timeout: 10_000 };
const mapping = [{ found: 'PERSON', label: 'person' }];
const FORM = {
  title: 'spaCy entities',
  description: '',
  schema: { type: 'object', properties: { pipeline: { enum: ['de_core', 'fr_core', 'en_core'] }, labels: {} } },
  uiSchema: {},
  defaults: { pipeline: 'de_core', labels: mapping },
};

let sent: { readonly to: string; readonly body: unknown }[];
let installed: readonly string[];
let labels: readonly string[];
let rights: readonly string[];

const keep =
  (to: string, answer: object) =>
  async ({ request }: { readonly request: Request }) => {
    sent.push({ to, body: await request.json() });
    return HttpResponse.json(answer);
  };

const open = async () => {
  await renderStudio('/labels');
  await userEvent.click(await screen.findByRole('button', { name: 'Project actions' }, LATE));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Ready-made annotators' }, LATE));
  return within(await screen.findByRole('dialog', {}, LATE));
};

serveStudio();
beforeEach(() => {
  sent = [];
  installed = ['spacy_ner'];
  labels = ['person'];
  rights = [...PERMISSIONS, 'annotateCorpus'];
  const set = () => ({
    name: 'default',
    label: 'Default',
    nature: 'sequence_labelling',
    labels: labels.map((name) => ({ name, label: name })),
  });
  server.use(
    http.get('*/api/users/:name', () => HttpResponse.json({ username: 'ana', profilename: 'Ana', permissions: rights })),
    http.get(`${AT}/_info`, () => HttpResponse.json(project('press', { lang: 'fr' }))),
    http.get(`${AT}/jobs`, () => HttpResponse.json([])),
    http.get(`${AT}/plans`, () => HttpResponse.json([])),
    http.get(`${AT}/suggesters`, () => HttpResponse.json([])),
    http.get(`${AT}/engines`, () => HttpResponse.json(['margin'])),
    http.get(`${AT}/label_sets`, () => HttpResponse.json([set()])),
    http.get(`${AT}/labels`, () => HttpResponse.json([])),
    http.get(`${AT}/annotators_by_type`, () => HttpResponse.json({})),
    http.get(`${AT}/services`, ({ request }) =>
      HttpResponse.json(new URL(request.url).searchParams.get('type') === 'annotator' ? installed.map((name) => ({ name })) : []),
    ),
    http.get(`${AT}/engine_parameters`, () => HttpResponse.json(FORM)),
    http.post(`${AT}/label_sets`, keep('label_sets', {})),
    http.post(`${AT}/labels`, keep('labels', {})),
    http.post(`${AT}/plans`, keep('plans', { name: 'spacy', triggeredJobs: [] })),
  );
  useSessionStore.getState().openProject('press');
});

describe('predefined components', () => {
  it('creates the plan with the missing labels in their set, and the pipeline of the language', async () => {
    const dialog = await open();
    const create = await dialog.findByRole('button', { name: 'Create “spaCy entities”' });
    await waitFor(() => expect(create.hasAttribute('disabled')).toBe(false), LATE);
    await userEvent.click(create);
    await waitFor(() => expect(sent.at(-1)?.to).toBe('plans'), LATE);
    expect(sent).toEqual([
      { to: 'label_sets', body: { name: 'media', label: 'Media', nature: 'sequence_labelling' } },
      { to: 'labels', body: { name: 'location', label: 'Location', labelSetName: 'media' } },
      { to: 'labels', body: { name: 'organisation', label: 'Organisation', labelSetName: 'media' } },
      {
        to: 'plans',
        body: {
          label: 'spaCy entities',
          parameters: { pipeline: [{ annotator: 'spacy_ner', parameters: { pipeline: 'fr_core', labels: mapping } }] },
          tags: ['predefined-spacy_ner'],
        },
      },
    ]);
  });

  it('is disabled where a component is not installed, and names it to those who can install it', async () => {
    installed = [];
    rights = [...rights, 'createUserIn:*'];
    const dialog = await open();
    expect((await dialog.findAllByText(/Not available on this server\. .*install spaCy/u, {}, LATE)).length).toBe(2);
    expect(dialog.getByRole('button', { name: 'Create “spaCy entities”' }).hasAttribute('disabled')).toBe(true);
    expect(dialog.getByRole('button', { name: 'Create “Wikidata: health”' }).hasAttribute('disabled')).toBe(true);
  });

  it('tells others to ask an administrator, without commands', async () => {
    installed = [];
    const dialog = await open();
    expect((await dialog.findAllByText('Not available on this server. Ask an administrator.', {}, LATE)).length).toBeGreaterThan(1);
    expect(dialog.queryByText(/pip install/u)).toBeNull();
  });

  it('shows what an administrator proposes, and what it lacks', async () => {
    rights = [...rights, 'createUserIn:*'];
    const steps = [{ kind: 'annotator', name: 'own_ner' }];
    const predefined = [{ key: 'own', type: 'plan', title: 'Names of ours', labels: 'media', steps }];
    server.use(http.get('*/api/component-defaults', () => HttpResponse.json({ ...COMPONENT_DEFAULTS, predefined })));
    const dialog = await open();
    expect(await dialog.findByText(/Install or allow the component “own_ner”/u, {}, LATE)).toBeTruthy();
    expect(dialog.getByRole('button', { name: 'Create “Names of ours”' }).hasAttribute('disabled')).toBe(true);
    expect(dialog.queryByText('spaCy entities')).toBeNull();
  });

  it('E-055 names the labels that are missing to who may not create them', async () => {
    rights = rights.filter((one) => one !== 'writeLabel');
    const dialog = await open();
    const create = await dialog.findByRole('button', { name: 'Create “spaCy entities”' });
    await waitFor(() => expect(create.hasAttribute('disabled')).toBe(false), LATE);
    await userEvent.click(create);
    await waitFor(
      () =>
        expect(useNotificationsStore.getState().items).toMatchObject([
          {
            message: 'We failed to create the ready-made annotator.',
            cause: 'The project has no label Location, Organisation, and you may not create labels.',
          },
        ]),
      LATE,
    );
    expect(sent).toEqual([]);
  });

  it('creates a label set alone; existing labels stay in their set', async () => {
    labels = ['disease'];
    const dialog = await open();
    const create = await dialog.findByRole('button', { name: 'Create “Health”' });
    await waitFor(() => expect(create.hasAttribute('disabled')).toBe(false), LATE);
    await userEvent.click(create);
    await waitFor(() => expect(sent.map(({ to }) => to)).toEqual(['label_sets', 'labels', 'labels']), LATE);
  });

  it('requests the labels of a set from a knowledge base, with its minimum score, when its form has them', () => {
    const form = { schema: { properties: { minSelectorScore: {}, labels: {}, defaultLabel: {} } }, defaults: {} };
    const defaults = { labels: [{ found: 'DRUG', label: 'drug' }, ...mapping] };
    const step = { linker: true, parameters: { minSelectorScore: 0.1 } };
    expect(stepParameters({ ...form, defaults }, step, 'health')).toEqual({
      minSelectorScore: 0.1,
      labels: [{ found: 'DRUG', label: 'drug' }],
      defaultLabel: 'concept',
    });
    expect(stepParameters({ schema: {}, defaults: {} }, step, 'health')).toEqual({});
  });

  it('has its labels and sets, and does not invent a pipeline', () => {
    expect(PREDEFINED_LABELS).toEqual(['person', 'location', 'organisation', 'concept', 'disease', 'symptom', 'drug']);
    expect(Object.keys(PREDEFINED_SETS)).toEqual(['media', 'health', 'wikidata']);
    expect(pipelineFor({ schema: { properties: { pipeline: { enum: ['a_b', 'xx_c'] } } } }, 'en')).toBe('xx_c');
    expect(() => pipelineFor({ schema: {} }, 'en')).toThrow(MissingRequirementError);
  });
});
