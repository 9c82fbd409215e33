/** The comparison in a project with saved questions: asking them in both searches, judging, figures. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clearSession } from '@/app/session-lifecycle';
import { COMPARE_DEFAULTS, comparePath, decodeSearch } from '@/state/compare-address';
import { useLayoutStore } from '@/state/layout-store';
import { decodePathState } from '@/state/path-state';
import { SEARCH_DEFAULTS } from '@/state/search-address';
import { useSessionStore } from '@/state/session-store';
import { renderStudio } from '@/test/render';
import { questionsApi, savedQuestion, type QuestionsApi } from '@/test/saved-questions';
import { job, PERMISSIONS, project, server } from '@/test/server';
import { verdictOf } from './figure-texts';

const COMPARISON = {
  judged: 6,
  overall: [
    { name: 'ndcg', means: [0.4, 0.7], difference: 0.3, ci: [0.1, 0.5], p: 0.012 },
    { name: 'rr', means: [0.5, 0.5], difference: 0, ci: [0, 0], p: 1 },
  ],
  perQuestion: [
    {
      identifier: 'q1',
      text: 'Who built it?',
      figures: [
        { ndcg: 0.9, rr: 1 },
        { ndcg: 0.4, rr: 0.5 },
      ],
      difference: -0.5,
    },
    {
      identifier: 'q2',
      text: 'When?',
      figures: [
        { ndcg: 0, rr: 0 },
        { ndcg: 0.8, rr: 1 },
      ],
      difference: 0.8,
    },
  ],
};
let api: QuestionsApi;
let searched: { readonly search: { readonly query: string; readonly filtering: { readonly filters: unknown } } }[] = [];
let compared: unknown;

beforeAll(() => server.listen({ onUnhandledRequest: 'bypass' }));
beforeEach(() => {
  searched = [];
  const made = questionsApi([savedQuestion('oak', 'What were the gates made of?')]);
  api = made.api;
  useSessionStore.setState({ projectName: 'press' });
  useLayoutStore.setState({ drawers: { 'compare-search/filters': true } });
  server.use(
    ...made.handlers,
    http.get('*/api/users/:name', () =>
      HttpResponse.json({ username: 'ana', permissions: [...PERMISSIONS, 'seeSearchCompare', 'importDocuments'] }),
    ),
    http.get('*/api/projects/:name/_info', () => HttpResponse.json(project('press', { nature: 'question_answering' }))),
    http.get('*/api/projects/:name/label_sets', () => HttpResponse.json([])),
    http.post('*/api/projects/:name/segments/_do_search', async ({ request }) => {
      searched.push((await request.json()) as (typeof searched)[number]);
      const segment = { identifier: 's', documentIdentifier: 'canal', documentTitle: 'The canal', start: 0, end: 9, text: 'Oak gates' };
      return HttpResponse.json({ hits: [{ _id: 's', segment }], total: { value: 1, relation: 'eq' }, size: 10 });
    }),
    http.post('*/api/projects/:name/ranking_experiments/_compare', async ({ request }) => {
      compared = await request.json();
      return HttpResponse.json(COMPARISON);
    }),
  );
});
afterEach(() => {
  clearSession();
  server.resetHandlers();
});
afterAll(() => server.close());

const measure = async () => {
  const view = await renderStudio(comparePath({ ...SEARCH_DEFAULTS, query: 'wing' }, { ...SEARCH_DEFAULTS, query: 'wing' }));
  await userEvent.click(await screen.findByRole('radio', { name: 'Saved questions' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Measure both searches' }));
  return view;
};
const queries = (pathname: string) => {
  const { explore1, explore2 } = decodePathState(pathname.split('/')[2], COMPARE_DEFAULTS);
  return [explore1, explore2].map((text) => decodeSearch(text, SEARCH_DEFAULTS).query);
};

describe('saved questions in the comparison', () => {
  it('S-028, W-011 a question is searched in both, without saved questions, and its results are judged', async () => {
    const { router } = await renderStudio('/compare-search');
    await userEvent.click(await screen.findByRole('button', { name: 'What were the gates made of?' }));
    const results = within(await screen.findByRole('list', { name: 'Results of search B' }));
    expect(queries(router.state.location.pathname)).toEqual(Array(2).fill('What were the gates made of?'));
    expect(searched.at(-1)?.search.filtering.filters).toEqual([
      { field: 'metadata.question', value: 'true', filterSelector: 'must_not', filterType: 'query' },
    ]);
    await userEvent.click(await results.findByRole('button', { name: '1: Relevant' }));
    await waitFor(() => expect(api.judgements.get('oak')).toMatchObject([{ documentIdentifier: 'canal', start: 0, end: 9, grade: 1 }]));
    const other = within(screen.getByRole('list', { name: 'Results of search A' }));
    expect(await other.findByRole('button', { name: '1: Relevant', pressed: true })).toBeVisible();
  });

  it('measures both searches on all judged questions, and opens one of them in both', async () => {
    const { router } = await measure();
    const overall = within(await screen.findByRole('table', { name: 'Figures of both searches' }));
    expect(overall.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
      'FigureABDifferenceMore than chance?',
      'nDCG@10.40.70+.30difference larger than chance: p = .012',
      'Reciprocal rank.50.500no difference',
    ]);
    expect(compared).toMatchObject({ searches: [{ query: '', type: 'text' }, { query: '' }] });
    expect(screen.getByRole('img', { name: 'Questions by better search: B 1, A 1, equal 0' })).toBeInTheDocument();
    const questions = within(screen.getByRole('table', { name: 'Questions with the difference of both searches' }));
    const names = () => questions.getAllByRole('link').map(({ textContent }) => textContent);
    expect(names()).toEqual(['When?', 'Who built it?']);
    await userEvent.click(questions.getByRole('button', { name: 'Difference' }));
    expect(names()).toEqual(['Who built it?', 'When?']);
    await userEvent.click(questions.getByRole('link', { name: 'When?' }));
    expect(queries(router.state.location.pathname)).toEqual(['When?', 'When?']);
    expect(await screen.findByRole('list', { name: 'Results of search A' })).toBeVisible();
  });

  it('follows the job that measures many questions', async () => {
    server.use(
      http.post('*/api/projects/:name/ranking_experiments/_compare', () => HttpResponse.json({ jobId: 'measure' })),
      http.get('*/api/projects/:name/job/measure', () => HttpResponse.json({ ...job('measure'), result: COMPARISON })),
    );
    await measure();
    expect(await screen.findByText('6 judged questions')).toBeVisible();
  });

  it('tells that nothing is judged yet', async () => {
    const said = { message: { code: 'none.judgedQuestions', text: 'No question has a passage', values: {} } };
    server.use(
      http.post('*/api/projects/:name/ranking_experiments/_compare', () =>
        HttpResponse.json({ code: 400, message: 'No question has a passage', said }, { status: 400 }),
      ),
    );
    await measure();
    expect(await screen.findByRole('heading', { name: 'No judged questions yet' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Ask and judge' })).toHaveAttribute('href', '/answers?tab=questions');
  });

  it('fewer than five judged questions tell no difference from chance', () => {
    expect(verdictOf({ difference: 0.3, p: 0.01 }, 4)).toBe('tooFew');
    expect(verdictOf({ difference: 0.3, p: 0.01 }, 5)).toBe('larger');
    expect(verdictOf({ difference: 0.3, p: 0.05 }, 5)).toBe('chance');
    expect(verdictOf({ difference: 0, p: 1 }, 9)).toBe('same');
  });
});
