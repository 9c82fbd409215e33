/** Each failed call of the experiments screen has its own title (E-043). */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clearSession } from '@/app/session-lifecycle';
import { useLayoutStore } from '@/state/layout-store';
import { useNotificationsStore } from '@/state/notifications-store';
import { useSessionStore } from '@/state/session-store';
import { renderStudio } from '@/test/render';
import { PERMISSIONS, project, errorResponse, server } from '@/test/server';

const experiment = (change: object = {}) => ({
  name: 'crf',
  label: 'Names',
  engine: 'crf',
  parameters: {},
  models: 1,
  timestamp: 5,
  duration: 1,
  uptodate: true,
  running: false,
  emailNotification: false,
  ...change,
});
const FORM = { title: 'CRF', description: '', schema: { type: 'object', properties: {} }, uiSchema: {}, defaults: {} };

const AT = '*/api/projects/press';
const broken = () => errorResponse(500, 'Broken');
const notifications = () => useNotificationsStore.getState().items.map(({ message }) => message);
/** E-012: two failures with the same cause are reported once. */
const forget = () => useNotificationsStore.getState().clear();
const press = async (name: string | RegExp, within_: HTMLElement = document.body) =>
  userEvent.click(await within(within_).findByRole('button', { name }));
const open = async (address = '/experiments?experiment=crf') => {
  useLayoutStore.getState().setDrawer('experiments', 'labels', true);
  await renderStudio(address);
  await screen.findByRole('heading', { name: 'Experiments' });
};

beforeAll(() => server.listen({ onUnhandledRequest: 'bypass' }));
beforeEach(() => {
  const permissions = [...PERMISSIONS, 'seeExperiments', 'exportModels', 'importModels', 'annotateCorpus'];
  server.use(
    http.get('*/api/ui-config', () => HttpResponse.json({ emailNotifications: true })),
    http.get('*/api/users/ana/profile', () => HttpResponse.json({ username: 'ana', profilename: 'Ana', email: 'ana@example.org' })),
    http.get('*/api/users/:name', () => HttpResponse.json({ username: 'ana', profilename: 'Ana', permissions })),
    http.get(`${AT}/_info`, () => HttpResponse.json(project('press'))),
    http.get(`${AT}/jobs`, () => HttpResponse.json([])),
    http.get(`${AT}/label_sets`, () => HttpResponse.json([])),
    http.get(`${AT}/labels`, () => HttpResponse.json([])),
    http.get(`${AT}/experiments`, () => HttpResponse.json([experiment()])),
    http.get(`${AT}/engines`, () => HttpResponse.json(['crf'])),
    http.get(`${AT}/engine_parameters`, () => HttpResponse.json(FORM)),
    http.post(`${AT}/experiments/_label_hint`, () => HttpResponse.json({ labelHint: 'Names 2' })),
  );
  useSessionStore.getState().openProject('press');
});
afterEach(() => {
  clearSession();
  server.resetHandlers();
});
afterAll(() => server.close());

describe('E-043 each failure has its title', () => {
  it('the list', async () => {
    server.use(http.get(`${AT}/experiments`, broken));
    await open('/experiments');
    expect(await screen.findByText('Unable to fetch the experiments.')).toBeTruthy();
  });

  it('an experiment named by the address', async () => {
    server.use(http.get(`${AT}/experiments/gone`, () => errorResponse(404, 'There is no experiment gone')));
    await open('/experiments?experiment=gone');
    await waitFor(() => expect(notifications()).toEqual(['Unable to fetch the experiment.']));
  });

  it.each([
    ['favourite', 'We failed to change the favourite.', () => press('Favourite: Names')],
    [
      'e-mail',
      'We failed to change the email notification.',
      async () => userEvent.click(await screen.findByRole('switch', { name: 'Email me when it ends' })),
    ],
    [
      'edit',
      'We failed to change the experiment.',
      async () => {
        await press('Edit');
        const dialog = await screen.findByRole('dialog');
        await userEvent.type(await within(dialog).findByRole('textbox'), '!');
        await press('Save changes', dialog);
      },
    ],
  ])('%s', async (_what, title, act) => {
    server.use(http.patch(`${AT}/experiments/crf`, broken));
    await open();
    await act();
    await waitFor(() => expect(notifications()).toEqual([title]));
  });

  it('create, and the proposed name', async () => {
    server.use(http.post(`${AT}/experiments`, broken), http.post(`${AT}/experiments/_label_hint`, broken));
    await open('/experiments');
    await press(/^New experiment/);
    const dialog = await screen.findByRole('dialog');
    await waitFor(() => expect(notifications()).toEqual(['Unable to propose a name.']));
    forget();
    await press('Create experiment', dialog);
    await waitFor(() => expect(notifications()).toEqual(['We failed to create the experiment.']));
  });

  it.each([
    ['engines', 'Unable to fetch the engines.', http.get(`${AT}/engines`, broken)],
    ['engine_parameters', 'Unable to fetch the parameters of the engine.', http.get(`${AT}/engine_parameters`, broken)],
  ])('the form: %s', async (_what, title, handler) => {
    server.use(handler);
    await open('/experiments');
    await press(/^New experiment/);
    expect(await within(await screen.findByRole('dialog')).findByText(title)).toBeTruthy();
  });

  it('launch', async () => {
    server.use(http.post(`${AT}/experiments/crf/_launch`, broken));
    await open();
    await press('Launch');
    await press('Launch', await screen.findByRole('dialog'));
    await waitFor(() => expect(notifications()).toEqual(['We failed to launch the experiment.']));
  });

  it('stop', async () => {
    server.use(
      http.get(`${AT}/experiments`, () => HttpResponse.json([experiment({ running: true })])),
      http.post(`${AT}/experiments/crf/_cancel`, broken),
    );
    await open();
    await press('Stop');
    await waitFor(() => expect(notifications()).toEqual(['We failed to stop the experiment.']));
  });

  it('delete', async () => {
    server.use(http.delete(`${AT}/experiments/crf`, broken));
    await open();
    await press('Delete');
    await press('Delete experiment', await screen.findByRole('dialog'));
    await waitFor(() => expect(notifications()).toEqual(['We failed to delete the experiment.']));
  });

  it('split', async () => {
    server.use(http.post(`${AT}/_split_corpus`, broken));
    await open('/experiments');
    await press('Split corpus');
    await press(/^Split/, await screen.findByRole('dialog'));
    await waitFor(() => expect(notifications()).toEqual(['We failed to split the corpus.']));
  });

  it('export of models, and their deletion', async () => {
    let asked = '';
    server.use(
      http.post(`${AT}/_export_models`, ({ request }) => {
        asked = new URL(request.url).search;
        return broken();
      }),
      http.delete(`${AT}/models`, broken),
    );
    await open();
    await press('Models');
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Export the model of “Names”' }));
    await waitFor(() => expect(notifications()).toEqual(['Unable to download the models.']));
    expect(asked).toBe('?experiments=crf');
    forget();
    await press('Models');
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete all models' }));
    await press('Delete all models', await screen.findByRole('dialog'));
    await waitFor(() => expect(notifications()).toEqual(['We failed to delete the models.']));
  });
});

describe('import of models', () => {
  const choose = async () => {
    await open();
    const input = await waitFor(() => {
      const found = document.querySelector<HTMLInputElement>('input[type=file]');
      expect(found).not.toBeNull();
      return found as HTMLInputElement;
    });
    await userEvent.upload(input, new File(['x'], 'models.zip', { type: 'application/zip' }));
  };
  beforeEach(() => server.use(http.post('*/api/uploads', () => HttpResponse.json([{ id: 'u1', filename: 'models.zip' }]))));

  it('E-043 a failure has its title', async () => {
    server.use(http.post(`${AT}/_load_models`, () => errorResponse(400, 'The archive is damaged')));
    await choose();
    await waitFor(() => expect(notifications()).toEqual(['We failed to load the models.']));
  });

  it('E-037 reports loaded and refused models separately', async () => {
    server.use(http.post(`${AT}/_load_models`, () => HttpResponse.json({ configs: ['A', 'B'], ignored: ['Names'], models: 2 })));
    await choose();
    await waitFor(() => expect(notifications().toSorted()).toEqual(['1 experiment was ignored', '2 experiments imported']));
  });
});
