import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clearSession } from '@/app/session-lifecycle';
import { renderStudio } from '@/test/render';
import { job, PERMISSIONS, errorResponse, server } from '@/test/server';
import { flattenParameters } from './flatten-parameters';

const JOBS = [
  job('run', { status: 'STARTED', type: 'EXPERIMENT_TRAINING', description: 'Training names', createdBy: 'lea', createdAt: 3 }),
  job('bad', {
    status: 'FAILED',
    description: 'Import of a.zip',
    statusMessage: 'Out of memory',
    completedAt: 1_700_000_041_000,
    createdAt: 2,
  }),
  job('all', {
    status: 'COMPLETED',
    type: 'PROJECTS_INDEXING',
    description: 'Index of everything',
    project: '',
    projectLabel: '',
    createdAt: 1,
  }),
];

beforeAll(() => server.listen({ onUnhandledRequest: 'bypass' }));
beforeEach(() =>
  server.use(
    http.get('*/api/users/:name', () =>
      HttpResponse.json({ username: 'ana', profilename: 'Ana', permissions: [...PERMISSIONS, 'seeGlobalJobs'] }),
    ),
    http.get('*/api/jobs', () => HttpResponse.json(JOBS)),
  ),
);
afterEach(() => {
  clearSession();
  server.resetHandlers();
});
afterAll(() => server.close());

const shown = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent ?? '');

describe('all jobs (R-009)', () => {
  it('are shown without an open project; newest first, with project, creator and state', async () => {
    const { router } = await renderStudio('/globalJobs');
    await screen.findByText('Training names');
    expect(router.state.location.pathname).toBe('/globalJobs');
    expect(document.title).toBe('Annotarium - All jobs');
    expect(shown().map((text) => /Training names|Import of a|Index of everything/.exec(text)?.[0])).toEqual([
      'Training names',
      'Import of a',
      'Index of everything',
    ]);
    expect(shown()[0]).toMatch(/Press.*Running.*lea/);
    expect(shown()[2]).toContain('outside projects');
    expect(screen.getByText('1 failed')).toBeVisible();
    expect(screen.getAllByRole('link', { name: 'Press' })[0]).toHaveAttribute('href', '/openProject/press/jobs');
  });

  it('are filtered by state and by text', async () => {
    await renderStudio('/globalJobs');
    await screen.findByText('Training names');
    await userEvent.click(screen.getByRole('radio', { name: 'Failed' }));
    expect(shown()).toHaveLength(1);
    await userEvent.click(screen.getByRole('radio', { name: 'All' }));
    await userEvent.type(screen.getByLabelText('Find a job'), 'INDEXING OF all');
    expect(shown()).toHaveLength(1);
    await userEvent.type(screen.getByLabelText('Find a job'), 'zzz');
    expect(await screen.findByText('No jobs match')).toBeVisible();
  });

  it('can be stopped by every user who sees them, whatever their project', async () => {
    let stopped = '';
    server.use(
      http.delete('*/api/jobs/:id', ({ params }) => {
        stopped = String(params['id']);
        return HttpResponse.json(job('run', { status: 'CANCELLED' }));
      }),
    );
    await renderStudio('/globalJobs');
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(stopped).toBe('run'));
  });

  it('show an error in place of the list', async () => {
    server.use(http.get('*/api/jobs', () => errorResponse(500, 'Broken')));
    await renderStudio('/globalJobs');
    expect(await screen.findByRole('alert')).toHaveTextContent('Unable to fetch the jobs.');
  });

  it('are hidden without the permission', async () => {
    server.use(http.get('*/api/users/:name', () => HttpResponse.json({ username: 'ana', profilename: 'Ana', permissions: PERMISSIONS })));
    const { router } = await renderStudio('/globalJobs');
    await screen.findByRole('heading', { name: 'Projects' });
    expect(router.state.location.pathname).toBe('/home');
  });
});

describe('parameters of a job (B-004)', () => {
  it('are flattened, with `train` and `suggest` parts labelled', async () => {
    const parameters = {
      engine: 'margin',
      overwrite: true,
      train: { learner: 'crf', iterations: 50, features: { affixes: [2, 3] } },
      suggest: { minimum_score: 0.3 },
      converters: { csv: { delimiter: ';' } },
      empty: '',
      nothing: null,
      none: [],
    };
    expect(flattenParameters(parameters)).toEqual([
      { name: 'engine', part: null, value: 'margin' },
      { name: 'overwrite', part: null, value: true },
      { name: 'learner', part: 'train', value: 'crf' },
      { name: 'iterations', part: 'train', value: 50 },
      { name: 'features.affixes', part: 'train', value: [2, 3] },
      { name: 'minimum_score', part: 'suggest', value: 0.3 },
      { name: 'converters.csv.delimiter', part: null, value: ';' },
    ]);
    server.use(http.get('*/api/jobs', () => HttpResponse.json([job('one', { type: 'TRAIN_AND_SUGGEST', parameters } as object)])));
    await renderStudio('/globalJobs');
    await userEvent.click(await screen.findByText('Job one'));
    const title = await screen.findByRole('heading', { name: 'Parameters' });
    const list = within(title.parentElement as HTMLElement);
    const told = list.getAllByRole('term').map((term) => `${term.textContent}: ${term.nextElementSibling?.textContent}`);
    expect(told).toEqual([
      'engine: margin',
      'replace its earlier results: Yes',
      'learner (train): crf',
      'iterations (train): 50',
      'features affixes (train): 2, 3',
      'minimum score (suggest): 0.3',
      'converters csv delimiter: ;',
    ]);
  });
});
