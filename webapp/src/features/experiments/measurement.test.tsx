/** A report shows how it was measured and how reliable its figures are; the form and the dialogs show it in advance. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clearSession } from '@/app/session-lifecycle';
import { useLayoutStore } from '@/state/layout-store';
import { useSessionStore } from '@/state/session-store';
import { renderStudio } from '@/test/render';
import { PERMISSIONS, project, server } from '@/test/server';

const AT = '*/api/projects/press';
const FORM = { title: 'CRF', description: '', schema: { type: 'object', properties: {} }, uiSchema: {}, defaults: {} };
const MEASUREMENT = {
  method: 'heldOut',
  unit: 'document',
  seed: 1,
  share: 0.2,
  train: { groups: 48, documents: 48, segments: 480 },
  test: { groups: 12, documents: 12, segments: 120 },
  untestedLabels: ['ship'],
  confidence: 0.95,
  resamples: 1000,
  modelInUse: { retrained: true, groups: 60, documents: 60, segments: 600 },
};
const REPORT = {
  microAvg: { f1: 0.37, precision: 0.78, recall: 0.24, roc_auc: 0.91, support: 120 },
  classes: { person: { f1: 0.5, precision: 0.7, recall: 0.4, roc_auc: 0.88, support: 60 } },
  intervals: { microAvg: { f1: [0.28, 0.47] }, classes: { person: { f1: [0.33, 0.66] } } },
  measurement: MEASUREMENT,
  trainingSize: 480,
  testSize: 120,
  accuracy: 0.3,
};
const EXPERIMENT = {
  ...{ name: 'crf', label: 'Names', engine: 'crf', parameters: {}, models: 1, timestamp: 5, duration: 1, uptodate: true, running: false },
  ...{ groupField: '', trainOnAll: true, report: REPORT, history: [] },
};
const FORECAST = {
  ...{ method: 'heldOut', groupField: '', seed: 1, share: 0.2, train: 48, test: 12, groups: 60, cautions: [] },
  fields: [{ name: 'author', values: 7 }],
};
let requested: URLSearchParams | undefined;
let saved: unknown;

beforeAll(() => server.listen({ onUnhandledRequest: 'bypass' }));
beforeEach(() => {
  requested = undefined;
  saved = undefined;
  server.use(
    http.get('*/api/ui-config', () => HttpResponse.json({})),
    http.get('*/api/users/:name', () => HttpResponse.json({ username: 'ana', permissions: [...PERMISSIONS, 'seeExperiments'] })),
    http.get(`${AT}/_info`, () => HttpResponse.json({ ...project('press'), documents: 60 })),
    http.get(`${AT}/jobs`, () => HttpResponse.json([])),
    http.get(`${AT}/label_sets`, () => HttpResponse.json([])),
    http.get(`${AT}/labels`, () => HttpResponse.json([])),
    http.get(`${AT}/experiments`, () => HttpResponse.json([EXPERIMENT])),
    http.get(`${AT}/experiments/_measurement`, ({ request }) => {
      const field = new URL(request.url).searchParams.get('groupField') ?? '';
      return HttpResponse.json(
        field === ''
          ? FORECAST
          : { ...FORECAST, groupField: field, method: 'crossValidation', folds: 5, test: 60, cautions: ['fewGroups'] },
      );
    }),
    http.get(`${AT}/engines`, () => HttpResponse.json(['crf'])),
    http.get(`${AT}/engine_parameters`, () => HttpResponse.json(FORM)),
    http.post(`${AT}/experiments/_label_hint`, () => HttpResponse.json({ labelHint: 'Names 2' })),
    http.post(`${AT}/documents/_search`, () =>
      HttpResponse.json({
        ...{ hits: [], total: { value: 60, relation: 'eq' } },
        aggregations: [
          {
            name: 'metadata.split',
            buckets: [
              { key: 'dev', doc_count: 9 },
              { key: 'test', doc_count: 12 },
            ],
          },
        ],
      }),
    ),
    http.post(`${AT}/_split_corpus`, ({ request }) => {
      requested = new URL(request.url).searchParams;
      return new HttpResponse(null, { status: 204 });
    }),
    http.post(`${AT}/experiments`, async ({ request }) => {
      saved = await request.json();
      return HttpResponse.json({ name: 'crf' });
    }),
  );
  useSessionStore.getState().openProject('press');
  useLayoutStore.getState().setDrawer('experiments', 'labels', true);
});
afterEach(() => {
  clearSession();
  server.resetHandlers();
});
afterAll(() => server.close());

describe('the report', () => {
  it('shows the test data, the training data of the deployed model, and confidence intervals', async () => {
    await renderStudio('/experiments?experiment=crf&view=report');
    expect(await screen.findByText('.28 to .47')).toBeVisible();
    expect(screen.getByText('.33 to .66')).toBeVisible();
    expect(screen.getAllByText('ROC AUC').length).toBe(2);
    expect(screen.getByText('.91')).toBeVisible();
    expect(screen.getByText(/No document is in both parts/)).toBeVisible();
    expect(screen.getByText('48 documents, 480 segments')).toBeVisible();
    expect(screen.getByText('12 documents, 120 segments')).toBeVisible();
    expect(screen.getByText('trained again on everything: 60 documents, 600 segments')).toBeVisible();
    expect(screen.getByText('1 label has no example in the test part: ship')).toBeVisible();
  });

  it('of an older training shows a warning', async () => {
    const { measurement: _gone, intervals: _neither, ...old } = REPORT;
    server.use(http.get(`${AT}/experiments`, () => HttpResponse.json([{ ...EXPERIMENT, report: old }])));
    await renderStudio('/experiments?experiment=crf&view=report');
    expect(await screen.findByText(/480 segments to learn from, 120 to test.*launch the experiment again/)).toBeVisible();
  });
});

describe('the form', () => {
  it('shows the test part, groups documents by a field, and trains on everything by default', async () => {
    await renderStudio('/experiments');
    await userEvent.click(await screen.findByRole('button', { name: /^New experiment/ }));
    const dialog = await screen.findByRole('dialog');
    expect(await within(dialog).findByText(/About 48 annotated documents to learn from, 12 to test; seed 1/)).toBeVisible();
    await userEvent.click(within(dialog).getByRole('combobox', { name: 'Keep documents together by' }));
    await userEvent.click(await screen.findByRole('option', { name: 'author' }));
    expect(await within(dialog).findByText(/nor from another with the same “author”/)).toBeVisible();
    expect(within(dialog).getByText(/the figures are rough/)).toBeVisible();
    const whole = within(dialog).getByRole('switch', { name: 'Then train on everything' });
    expect(whole).toBeChecked();
    await userEvent.click(whole);
    await userEvent.click(within(dialog).getByRole('button', { name: 'Create experiment' }));
    await waitFor(() => expect(saved).toMatchObject({ groupField: 'author', trainOnAll: false }));
  });
});

describe('the split', () => {
  const open = async () => {
    await renderStudio('/experiments');
    await userEvent.click(await screen.findByRole('button', { name: 'Split corpus' }));
    return screen.findByRole('dialog');
  };

  it('uses values of metadata', async () => {
    const dialog = await open();
    await userEvent.click(within(dialog).getByRole('radio', { name: 'By metadata' }));
    expect(within(dialog).getByRole('button', { name: 'Split' })).toBeDisabled();
    await userEvent.click(await within(dialog).findByRole('combobox', { name: 'Metadata' }));
    await userEvent.click(await screen.findByRole('option', { name: 'Split' }));
    await userEvent.click(await within(dialog).findByRole('checkbox', { name: 'test (12)' }));
    await userEvent.click(within(dialog).getByRole('button', { name: 'Split' }));
    await waitFor(() => expect(requested?.get('metadataField')).toBe('split'));
    expect(requested?.getAll('testValues')).toEqual(['test']);
    expect(requested?.get('by')).toBe('metadata');
  });

  it('uses a search, and shows its number of documents', async () => {
    server.use(http.post(`${AT}/documents/_search_and_count`, () => HttpResponse.json({ documents: 7 })));
    const dialog = await open();
    await userEvent.click(within(dialog).getByRole('radio', { name: 'By search' }));
    await userEvent.type(within(dialog).getByRole('textbox', { name: 'Search for the test documents' }), 'press');
    expect(await within(dialog).findByText('7 documents for testing, all others for training')).toBeVisible();
    await userEvent.click(within(dialog).getByRole('button', { name: 'Split' }));
    await waitFor(() => expect(requested?.get('query')).toBe('press'));
    expect(requested?.get('by')).toBe('search');
  });
});
