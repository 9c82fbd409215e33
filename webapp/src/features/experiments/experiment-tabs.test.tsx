/** The tabs of the experiments: lists in a stable order with figures and progress, and the ranking of models. */
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { queryClient } from '@/api/query-client';
import { experimentKeys } from '@/api/resources/experiments';
import type { Experiment, Training } from '@/api/resources/experiments';
import { useLayoutStore } from '@/state/layout-store';
import { useSessionStore } from '@/state/session-store';
import { renderStudio } from '@/test/render';
import { PERMISSIONS, project, server } from '@/test/server';
import { serveStudio } from '@/test/studio-server';
import { compareBy } from './experiment-list';
import { Sparkline } from './report-parts';
import { lastSteps } from './experiment-state-badge';
import { findsTopics, tabOf, testedF1 } from './experiment-kinds';
import { inKnownOrder } from './experiment-order';
import { rankedModels, testedTheSameWay } from './model-ranking';
import { changeSinceLastTraining, trainingF1 } from './score-delta';

const AT = '*/api/projects/press';
const HELD_OUT = {
  ...{ method: 'heldOut', unit: 'document', seed: 1, share: 0.2, confidence: 0.95, resamples: 1000 },
  ...{ train: { groups: 8, documents: 8, segments: 80 }, test: { groups: 2, documents: 2, segments: 20 } },
};
const report = (f1: number, measurement: object = HELD_OUT) => ({
  ...{ microAvg: { f1, precision: 0.6, recall: 0.4 }, classes: {}, trainingSize: 80, testSize: 20, measurement },
  intervals: { microAvg: { f1: [f1 - 0.1, f1 + 0.1] } },
});
const training = (timestamp: number, f1: number, measurement: object = HELD_OUT) =>
  ({ timestamp, quality: Math.round(100 * f1), report: report(f1, measurement) }) as unknown as Training;
const experiment = (name: string, change: object = {}) =>
  ({
    ...{ name, label: name.toUpperCase(), engine: 'crf', parameters: {}, models: 0, timestamp: 0, duration: 1 },
    ...{ uptodate: false, running: false, history: [], ...change },
  }) as unknown as Experiment;
const trained = (name: string, f1: number, timestamp: number, change: object = {}) =>
  experiment(name, { models: 1, timestamp, uptodate: true, report: report(f1), history: [training(timestamp, f1)], ...change });

let known: Experiment[];
let job: object;
let info: object;

serveStudio();
beforeEach(() => {
  known = [];
  info = { ...project('press'), documents: 100 };
  job = { id: 'j', type: 'EXPERIMENT_TRAINING', status: 'STARTED', description: 'x', createdAt: 1, currentStepCount: 0, totalStepCount: 0 };
  server.use(
    http.get('*/api/users/:name', () => HttpResponse.json({ username: 'ana', permissions: [...PERMISSIONS, 'seeExperiments'] })),
    http.get(`${AT}/_info`, () => HttpResponse.json(info)),
    http.get(`${AT}/jobs`, () => HttpResponse.json([])),
    http.get(`${AT}/job/j`, () => HttpResponse.json(job)),
    http.get(`${AT}/label_sets`, () => HttpResponse.json([])),
    http.get(`${AT}/labels`, () => HttpResponse.json([])),
    http.get(`${AT}/engines`, () => HttpResponse.json(['crf'])),
    http.get(`${AT}/engine_parameters`, () =>
      HttpResponse.json({ title: 'CRF', description: '', schema: { type: 'object', properties: {} }, uiSchema: {}, defaults: {} }),
    ),
    http.get(`${AT}/experiments`, () => HttpResponse.json(known)),
    http.get(`${AT}/experiments/_measurement`, () =>
      HttpResponse.json({
        method: 'heldOut',
        groupField: '',
        seed: 1,
        share: 0.2,
        train: 48,
        test: 12,
        groups: 60,
        cautions: [],
        fields: [],
      }),
    ),
    http.get(`${AT}/_split_corpus`, () => HttpResponse.json({ train: 3346, test: 836, neither: 214, facts: { by: 'random', seed: 1 } })),
  );
  useSessionStore.getState().openProject('press');
  useLayoutStore.getState().setDrawer('experiments', 'labels', true);
});

const names = async (table: string) => {
  const rows = within(await screen.findByRole('table', { name: table })).getAllByRole('row');
  return rows.slice(1).map((row) => within(row).getAllByRole('cell')[1]?.querySelector('span')?.textContent);
};

describe('the order of the rows', () => {
  it('is that of creation, newest first, whatever happens to them', () => {
    const rows = [experiment('a'), trained('b', 0.5, 9), experiment('c', { favorite: true })];
    expect(inKnownOrder(rows, []).map(({ name }) => name)).toEqual(['c', 'b', 'a']);
    expect(inKnownOrder(rows, ['a', 'b']).map(({ name }) => name)).toEqual(['c', 'a', 'b']);
    expect([...rows].sort(compareBy('f1')).map(({ name }) => name)).toEqual(['a', 'c', 'b']);
    expect([...rows].sort(compareBy('trained')).map(({ name }) => name)).toEqual(['a', 'c', 'b']);
  });

  it('does not change when a training ends, also after the user sorted', async () => {
    known = [trained('a', 0.7, 5), trained('b', 0.5, 9), trained('c', 0.3, 7)];
    await renderStudio('/experiments');
    expect(await names('Experiments')).toEqual(['C', 'B', 'A']);
    const refresh = async () => act(() => queryClient.invalidateQueries({ queryKey: experimentKeys.all }));
    known = [trained('a', 0.1, 99), trained('b', 0.5, 9), trained('c', 0.3, 7)];
    await refresh();
    await screen.findByText('.10');
    expect(await names('Experiments')).toEqual(['C', 'B', 'A']);
    await userEvent.click(screen.getByRole('button', { name: 'F1' }));
    expect(await names('Experiments')).toEqual(['A', 'C', 'B']);
    known = [trained('a', 0.9, 100), trained('b', 0.5, 9), trained('c', 0.3, 7)];
    await refresh();
    await screen.findByText('.90');
    expect(await names('Experiments')).toEqual(['A', 'C', 'B']);
    await userEvent.click(screen.getByRole('button', { name: 'F1' }));
    expect(await names('Experiments')).toEqual(['A', 'B', 'C']);
  });
});

describe('a row', () => {
  it('shows the step and the percentage of its training', async () => {
    known = [experiment('a', { running: true, jobId: 'j' })];
    job = { ...job, currentStepCount: 48, totalStepCount: 100, statusMessage: 'Training · pass 12 of 50' };
    await renderStudio('/experiments');
    expect(await screen.findByText('48%')).toBeVisible();
    expect(screen.getByText('pass 12 of 50')).toHaveAttribute('title', 'Training · pass 12 of 50');
    await userEvent.click(screen.getByText('A'));
    expect(await screen.findByText('Training · pass 12 of 50')).toBeVisible();
    expect(lastSteps('Saving the model')).toBe('Saving the model');
    expect(screen.getAllByRole('progressbar', { name: 'Training' })[0]).toHaveAttribute('aria-valuenow', '48');
  });

  it('compares F1 to the training before, and says when both were measured differently', async () => {
    known = [trained('a', 0.87, 9, { history: [training(9, 0.87), training(5, 0.85), training(1, 0.2)] })];
    await renderStudio('/experiments');
    const delta = await screen.findByText('+.02');
    expect(delta).toHaveAttribute('title', expect.stringMatching(/^since the training of .*\(\.85\)$/) as unknown as string);
    const change = changeSinceLastTraining([training(9, 0.5), training(5, 0.6, { ...HELD_OUT, method: 'project' })], trainingF1);
    expect(change?.difference).toBeCloseTo(-0.1);
    expect(change?.comparable).toBe(false);
  });
});

describe('the tabs', () => {
  it('separate clusters from models, and the address keeps the tab', async () => {
    known = [trained('a', 0.7, 5), experiment('t', { engine: 'topics', findsTopics: true })];
    const { router } = await renderStudio('/experiments');
    expect(await names('Experiments')).toEqual(['A']);
    await userEvent.click(screen.getByRole('tab', { name: 'Clusters 1' }));
    expect(await names('Clusters')).toEqual(['T']);
    expect(router.state.location.search).toContain('tab=clusters');
    expect(screen.queryByText('The corpus is not split.')).toBeNull();
  });

  it('open with the kind of the experiment that the address names', () => {
    const topics = experiment('t', { report: { topics: [] } });
    expect([tabOf(null, topics), tabOf(null, experiment('a')), tabOf('ranking', topics), tabOf('odd', undefined)]).toEqual([
      'clusters',
      'models',
      'ranking',
      'models',
    ]);
    expect([findsTopics(topics), testedF1(topics), testedF1(experiment('a'))]).toEqual([true, undefined, undefined]);
  });

  it('rank the tested models by F1, and say when the order is rough', async () => {
    known = [trained('a', 0.5, 5), trained('b', 0.7, 9), experiment('c'), experiment('t', { models: 1, findsTopics: true, quality: 90 })];
    await renderStudio('/experiments?tab=ranking');
    const panel = await screen.findByRole('tabpanel');
    const items = await within(panel).findAllByRole('button', { name: /^[12]/ });
    expect(items.map((item) => item.textContent)).toEqual([expect.stringContaining('B'), expect.stringContaining('A')]);
    expect(items[0]).toHaveTextContent('F1 .70');
    expect(items[0]).toHaveTextContent('.60 to .80');
    expect(items[0]).toHaveTextContent('20 segments');
    expect(screen.getByText(/not all tested on the same documents/)).toBeVisible();
    await userEvent.click(items[1] as HTMLElement);
    expect(await screen.findByRole('button', { name: 'Open report' })).toBeVisible();
    const alike = known
      .slice(0, 2)
      .map((one) => ({ ...one, report: report(0.5, { ...HELD_OUT, method: 'project' }) }) as unknown as Experiment);
    expect(testedTheSameWay(rankedModels(alike))).toBe(true);
  });
});

describe('the banner of the split', () => {
  it('shows the numbers of each training and leads to the split', async () => {
    known = [trained('a', 0.7, 5)];
    await renderStudio('/experiments');
    expect(await screen.findByText(/now about 48 to learn from and 12 to test/)).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Split the corpus' }));
    expect(await screen.findByRole('dialog', { name: 'Split corpus' })).toBeVisible();
  });

  it('shows the sizes of the parts, and offers to add what came later', async () => {
    known = [trained('a', 0.7, 5)];
    info = { ...info, hasSplit: true };
    await renderStudio('/experiments');
    expect(await screen.findByText('3,346 documents to learn from, 836 set aside to test.')).toBeVisible();
    expect(screen.getByText(/214 documents were added later/)).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Add them to the split' }));
    const dialog = await screen.findByRole('dialog', { name: 'Split corpus' });
    await waitFor(() => expect(within(dialog).getByRole('switch', { name: /Only documents/ })).toBeChecked());
  });
});

describe('last trainings', () => {
  it('has the first training as well', () => {
    const { rerender } = render(<Sparkline history={[]} />);
    expect(screen.queryByRole('img')).toBeNull();
    rerender(<Sparkline history={[training(1, 0.43)]} />);
    expect(screen.getByRole('img', { name: '1 training, F1 .43' }).querySelector('circle')).toHaveAttribute('cx', '61');
    rerender(<Sparkline history={[training(2, 0.5), training(1, 0.43)]} />);
    expect(screen.getByRole('img', { name: '2 trainings, last F1 .50' })).toBeInTheDocument();
  });
});
