/** S-045: experiments that compare searches, and answerers, on the saved questions. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Configuration, QualityExperiment } from '@/api/resources/ranking-experiments';
import type { SearchSettings } from '@/state/search-types';
import { decodeSearch } from '@/state/compare-address';
import { decodePathState } from '@/state/path-state';
import { SEARCH_DEFAULTS } from '@/state/search-address';
import { useSessionStore } from '@/state/session-store';
import { renderStudio } from '@/test/render';
import { errorResponse, PERMISSIONS, project, server } from '@/test/server';
import { serveStudio } from '@/test/studio-server';
import { draftOf, isComplete, numberOf, parametersOf } from './quality-draft';
import { byFigure, canBeCompared, figuresOf, searchOf, verdictOf } from './quality-rules';
import { endedWithoutReport } from './quality-state-badge';

const AT = '*/api/projects/press';
const HERE = `${AT}/ranking_experiments`;
const MAY = ['seeExperiments', 'seeSearchCompare', 'seeQuestionAnswering', 'useHybridSearch', 'seePlans', 'changeProjectConfig'];

const configuration = (key: string, settings: SearchSettings, figures: object): Configuration => ({
  ...{ key, label: key, settings, seconds: 2 },
  ...(figures as Partial<Configuration>),
});
const searching = (key: string, settings: SearchSettings, ndcg: number) =>
  configuration(key, settings, { ndcg, rr: ndcg, ap: ndcg / 2, recall5: ndcg, recall10: ndcg, ci: { ndcg: [ndcg - 0.1, ndcg + 0.1] } });
const TEXT = searching('text', { searchType: 'text' }, 0.5);
const HYBRID = searching('hybrid+fr', { searchType: 'hybrid', reranker: 'feature_reranker' }, 0.62);
const report = (configurations: readonly Configuration[], change: object = {}) => ({
  ...{ questions: 44, judged: 40, configurations, best: configurations.at(-1)?.key, baseline: configurations[0]?.key },
  comparisons: configurations.slice(1).map(({ key }) => ({ key, against: 'text', difference: 0.12, p: 0.003, better: 20, worse: 4 })),
  choice: { folds: 5, difference: 0.11, p: 0.004, significant: true },
  ...change,
});
const experiment = (change: object = {}): QualityExperiment =>
  ({
    ...{ name: 'one', label: 'First', kind: 'ranking', parameters: { ranking: {} }, running: false, uptodate: true },
    ...{ timestamp: 1_700_000_000_000, duration: 4000, favorite: false, emailNotification: false, createdBy: 'ana' },
    report: report([TEXT, HYBRID]),
    ...change,
  }) as unknown as QualityExperiment;

let known: QualityExperiment[];
let info: object;
let estimate: object;
let sent: { readonly path: string; readonly method: string; readonly body: unknown }[];

const takes = (method: 'post' | 'patch' | 'delete', path: string, answer: object = {}) =>
  http[method](`${HERE}${path}`, async ({ request }) => {
    const text = await request.text();
    sent.push({
      path: new URL(request.url).pathname.split('ranking_experiments')[1] ?? '',
      method,
      body: text === '' ? '' : JSON.parse(text),
    });
    return HttpResponse.json(answer);
  });

const component = (name: string, title: string) => ({ name, metadata: { title, description: '' } });

serveStudio();
beforeEach(() => {
  known = [];
  sent = [];
  info = { ...project('press', { nature: 'question_answering' }), vectorizers: ['default'] };
  estimate = { questions: 40, configurations: 2, searches: 80, answers: 0, calls: 0, limited: false, needed: 5, most: 48 };
  server.use(
    http.get('*/api/users/:name', () => HttpResponse.json({ username: 'ana', permissions: [...PERMISSIONS, ...MAY] })),
    http.get(`${AT}/_info`, () => HttpResponse.json(info)),
    http.get(`${AT}/jobs`, () => HttpResponse.json([])),
    http.get(`${AT}/label_sets`, () => HttpResponse.json([])),
    http.get(`${AT}/labels`, () => HttpResponse.json([])),
    http.get(`${AT}/engines`, () => HttpResponse.json([])),
    http.get(`${AT}/experiments`, () => HttpResponse.json([])),
    http.get(`${AT}/plans`, () => HttpResponse.json([])),
    http.get(`${AT}/vectorizers`, () => HttpResponse.json({ vectorizations: [], vectorizers: [] })),
    http.get(`${AT}/services`, ({ request }) =>
      HttpResponse.json(
        new URL(request.url).searchParams.get('type') === 'reranker'
          ? [component('feature_reranker', 'Words and ranks')]
          : [component('extractive_answerer', 'Sentences of the documents')],
      ),
    ),
    http.get(HERE, () => HttpResponse.json(known)),
    http.post(`${HERE}/_estimate`, () => HttpResponse.json(estimate)),
    http.get(`${HERE}/one/questions`, () =>
      HttpResponse.json({
        total: 40,
        questions: [
          {
            identifier: 'q1',
            text: 'Who wrote it?',
            difference: 0.4,
            known: ['Ada'],
            figures: { text: { ndcg: 0.2, f1: 0 }, 'hybrid+fr': { ndcg: 0.6 }, model: { f1: 0.8 } },
            answers: { text: '', model: 'Ada Lovelace' },
          },
        ],
      }),
    ),
    takes('post', '', { name: 'new' }),
    takes('post', '/:name/_launch', { id: 'j' }),
    takes('post', '/:name/_make_default', {}),
    takes('delete', '/one', {}),
  );
  useSessionStore.getState().openProject('press');
});

const open = (search = '', language = 'en') => renderStudio(`/experiments${search}`, language);

describe('the tabs', () => {
  it('of a project for questions begin with search quality; without questions they say what is missing (R-022)', async () => {
    estimate = { ...estimate, questions: 2 };
    await open();
    expect(await screen.findByText(/5 judged questions are needed, 2 are there/)).toBeVisible();
    expect(screen.getByRole('tab', { name: 'Search quality 0' })).toHaveAttribute('aria-selected', 'true');
    expect(screen.getByRole('link', { name: 'Open the questions' })).toHaveAttribute('href', '/answers?tab=questions');
    expect(screen.getByText('No search quality measured yet')).toBeVisible();
    await userEvent.click(screen.getByRole('tab', { name: 'Answer quality 0' }));
    expect(await screen.findByText('No answer quality measured yet')).toBeVisible();
    await userEvent.click(screen.getByRole('tab', { name: 'Models 0' }));
    expect(await screen.findByText('No experiment yet')).toBeVisible();
  });

  it('of another project are there once questions were judged', async () => {
    info = project('press');
    await open();
    expect(await screen.findByRole('tab', { name: 'Search quality 0' })).toHaveAttribute('aria-selected', 'false');
    expect(screen.getByText('No experiment yet')).toBeVisible();
  });
});

describe('the dialog', () => {
  it('creates and launches what is chosen, after telling how much that is', async () => {
    await open();
    await userEvent.click(await screen.findByRole('button', { name: /New experiment/ }));
    const dialog = await screen.findByRole('dialog', { name: 'New search quality experiment' });
    expect(within(dialog).getByRole('textbox', { name: /Name/ })).toHaveValue('Search quality 1');
    await userEvent.click(within(dialog).getByRole('checkbox', { name: 'Hybrid' }));
    await userEvent.click(within(dialog).getByRole('checkbox', { name: '0.5' }));
    await userEvent.click(within(dialog).getByRole('checkbox', { name: 'Words and ranks' }));
    expect(await within(dialog).findByText('2 configurations on 40 judged questions: 80 searches.')).toBeVisible();
    await userEvent.click(within(dialog).getByRole('button', { name: 'Create and launch' }));
    await waitFor(() => expect(sent.map(({ path }) => path)).toEqual(['', '/new/_launch']));
    expect(sent[0]?.body).toMatchObject({
      ...{ kind: 'ranking', label: 'Search quality 1', emailNotification: false },
      parameters: {
        ranking: { searchTypes: ['text', 'hybrid'], vectorWeights: [0.5], rerankers: ['', 'feature_reranker'], learned: false, folds: 5 },
      },
    });
  });

  it('offers no semantic search without vectors, and keeps what was typed when it is refused', async () => {
    info = project('press', { nature: 'question_answering' });
    server.use(
      http.post(HERE, () =>
        errorResponse(400, 'No', { details: [{ field: 'parameters.ranking.rerankers', message: 'Unknown reranker' }] }),
      ),
    );
    await open();
    await userEvent.click(await screen.findByRole('button', { name: /New experiment/ }));
    const dialog = await screen.findByRole('dialog');
    expect(within(dialog).getByRole('checkbox', { name: 'Hybrid' })).toBeDisabled();
    expect(within(dialog).getByRole('link', { name: 'Compute them in the settings' })).toHaveAttribute('href', '/settings/search');
    const name = within(dialog).getByRole('textbox', { name: /Name/ });
    await userEvent.clear(name);
    expect(within(dialog).getByText('Enter a name')).toBeVisible();
    await userEvent.type(name, 'Mine');
    await userEvent.click(await within(dialog).findByRole('button', { name: 'Create only' }));
    expect(await within(dialog).findByText('Unknown reranker')).toBeVisible();
    expect(name).toHaveValue('Mine');
  });
});

describe('the report', () => {
  it('says which configuration is best and whether that is chance, and makes it the default', async () => {
    known = [experiment()];
    await open('?tab=search&measured=one&view=report');
    const winner = await screen.findByRole('region', { name: 'Best configuration' });
    expect(await within(winner).findByText('Hybrid · reranker: Words and ranks')).toBeVisible();
    expect(within(winner).getByText('.11 more nDCG@10 than Text. This is hardly chance (p = .004).')).toBeVisible();
    await userEvent.click(within(winner).getByRole('button', { name: 'Make it the default' }));
    const dialog = await screen.findByRole('dialog', { name: 'Change how this project searches?' });
    expect(dialog).toHaveTextContent('NowTextFrom now onHybrid · reranker: Words and ranks');
    expect(dialog).toHaveTextContent('To go back: Settings, Search, Reset.');
    info = { ...info, searchDefaults: HYBRID.settings };
    await userEvent.click(within(dialog).getByRole('button', { name: 'Make it the default' }));
    expect(await within(winner).findByText(/It is the default of this project/)).toBeVisible();
    expect(sent).toEqual([{ path: '/one/_make_default', method: 'post', body: { configuration: 'hybrid+fr' } }]);
  });

  it('shows every figure with its interval, best first, and differences in words (C-076)', async () => {
    known = [experiment()];
    await open('?tab=search&measured=one&view=report');
    const chart = await screen.findByRole('region', { name: 'Configurations' });
    const lines = within(chart).getAllByRole('listitem');
    expect(lines[0]).toHaveTextContent('.62.52 to .72');
    expect(lines[1]).toHaveTextContent('Text');
    expect(screen.getByText('Clearly better')).toBeVisible();
    expect(screen.getByText('20 / 4')).toBeVisible();
    await userEvent.click(within(chart).getByRole('button', { name: 'Show Configurations as a table' }));
    const heads = within(chart)
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent);
    expect(heads.filter((text) => !text?.includes('bound'))).toEqual([
      ...['Configuration', 'nDCG@10', 'Reciprocal rank', 'Average precision', 'Recall@5', 'Recall@10', 'Time'],
    ]);
  });

  it('leads from a question to both searches side by side', async () => {
    known = [experiment()];
    await open('?tab=search&measured=one&view=report');
    const link = await screen.findByRole('link', { name: 'Compare the searches: Who wrote it?' });
    const row = screen.getByText('Who wrote it?').closest('tr');
    expect(row).toHaveTextContent('.60.20+.40');
    const path = link.getAttribute('href')?.replace('/compare-search/', '');
    const { explore1, explore2 } = decodePathState(path, { explore1: '', explore2: '' });
    expect(decodeSearch(explore1, SEARCH_DEFAULTS)).toMatchObject({
      query: 'Who wrote it?',
      searchType: 'hybrid',
      reranker: 'feature_reranker',
    });
    expect(decodeSearch(explore2, SEARCH_DEFAULTS)).toMatchObject({ searchType: 'text', reranker: '' });
  });

  it('of answers shows known and given answers', async () => {
    const answerer = (key: string, f1: number) =>
      configuration(
        key,
        { answerer: key === 'text' ? 'extractive_answerer' : 'model' },
        { f1, em: f1 / 2, toldRight: 8, toldWrong: 2, notToldRight: 1, notToldWrong: 3 },
      );
    known = [experiment({ kind: 'answers', parameters: { answers: {} }, report: report([answerer('text', 0.4), answerer('model', 0.7)]) })];
    await open('?tab=answers&measured=one&view=report');
    expect(await screen.findByText('Known: Ada')).toBeVisible();
    expect(screen.getByText('Ada Lovelace')).toBeVisible();
    expect(screen.getByText('not told')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Ask: Who wrote it?' })).toHaveAttribute(
      'href',
      expect.stringMatching(/^\/answers\/e/) as unknown as string,
    );
    expect(screen.getByRole('region', { name: 'Answered or not' })).toHaveTextContent('model: 9 right of 14');
  });

  it('of one configuration compares nothing', async () => {
    known = [experiment({ report: report([TEXT], { comparisons: [] }) })];
    await open('?tab=search&measured=one&view=report');
    expect(await screen.findByText(/It is the only configuration/)).toBeVisible();
    expect(screen.queryByText('Clearly better')).toBeNull();
    expect(screen.queryByRole('columnheader', { name: 'A − B' })).toBeNull();
  });

  it('tells why a learned ranking is not used', async () => {
    const learned = { weights: { text: 0.8, vector: -0.2 }, used: false, reason: 'fewQuestions', difference: null };
    known = [experiment({ report: report([TEXT, HYBRID], { learned }) })];
    await open('?tab=search&measured=one&view=report');
    const panel = await screen.findByRole('region', { name: 'Learned ranking' });
    expect(panel).toHaveTextContent('too few questions are judged');
    expect(panel).toHaveTextContent('Meaning−0.2');
  });
});

describe('the drawer', () => {
  it('deletes after a confirmation', async () => {
    known = [experiment()];
    await open('?tab=search&measured=one');
    await userEvent.click(await screen.findByRole('button', { name: 'Delete' }));
    const dialog = await screen.findByRole('dialog', { name: 'Delete “First”?' });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Delete experiment' }));
    await waitFor(() => expect(sent).toEqual([{ path: '/one', method: 'delete', body: '' }]));
  });
});

describe('rules', () => {
  it('sort, name and compare configurations', () => {
    expect(byFigure([TEXT, configuration('none', {}, {}), HYBRID], 'ndcg').map(({ key }) => key)).toEqual(['hybrid+fr', 'text', 'none']);
    expect(figuresOf('ranking', report([TEXT]) as never)).toEqual(['ndcg', 'rr', 'ap', 'recall5', 'recall10']);
    expect([0.1, -0.1].map((difference) => verdictOf({ difference, p: 0.01 }))).toEqual(['better', 'worse']);
    expect([verdictOf({ difference: 0.1, p: 0.05 }), verdictOf({ difference: 0, p: 1 })]).toEqual(['unclear', 'same']);
    expect(canBeCompared(TEXT.settings, HYBRID.settings)).toBe(true);
    expect(canBeCompared(TEXT.settings, TEXT.settings)).toBe(false);
    expect(canBeCompared(TEXT.settings, { searchType: 'hybrid', rerankerParameters: { weights: {} } })).toBe(false);
    expect(searchOf({}, 'a')).toMatchObject({
      query: 'a',
      searchType: 'text',
      selectedFacets: [{ facetName: 'metadata.question', facetSelector: '-' }],
    });
  });

  it('keep what is typed, and send numbers within their bounds only', () => {
    const draft = draftOf('ranking', undefined, 'Name');
    expect(isComplete('ranking', draft)).toBe(true);
    expect(isComplete('ranking', { ...draft, searchTypes: [] })).toBe(false);
    const wrong = { ...draft, numbers: { ...draft.numbers, folds: '1.5' } };
    expect([numberOf('ranking', wrong, 'folds'), isComplete('ranking', wrong)]).toEqual([null, false]);
    expect(isComplete('answers', wrong)).toBe(true);
    expect(parametersOf('answers', draft)).toEqual({
      answers: { answerers: [''], maxCost: 0, maxQuestions: 1000, maxCalls: 200, callsPerMinute: 30, seed: 0 },
    });
  });

  it('find the run that ended without a report', () => {
    const job = (status: string, createdAt: number, code = 'start.measureSearches') =>
      ({ id: 'j', status, createdAt, description: 'Measuring First', said: { description: { code, values: {} } } }) as never;
    const one = experiment({ timestamp: 5 });
    expect(endedWithoutReport(one, [job('FAILED', 3), job('CANCELLED', 9)])?.status).toBe('CANCELLED');
    expect(endedWithoutReport(one, [job('FAILED', 9), job('COMPLETED', 10)])).toBeUndefined();
    expect(endedWithoutReport(one, [job('FAILED', 9, 'start.train')])).toBeUndefined();
    expect(endedWithoutReport(experiment({ running: true }), [job('FAILED', 9)])).toBeUndefined();
  });
});
