/** Saved questions and judging on the screen of answers. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useLayoutStore } from '@/state/layout-store';
import { useSessionStore } from '@/state/session-store';
import { clearSession } from '@/app/session-lifecycle';
import { renderStudio } from '@/test/render';
import { errorResponse, job, PERMISSIONS, project, server } from '@/test/server';
import { questionsApi, savedQuestion, type QuestionsApi } from '@/test/saved-questions';

const OAK = 'What were the gates made of?';
const passage = (number: number, start: number) => ({
  ...{ number, segmentId: `s${String(number)}`, documentIdentifier: 'canal', documentTitle: 'The canal', start, end: start + 20 },
  ...{ text: `Passage ${String(number)}`, score: 1 / number },
});
const ANSWER = {
  ...{ resultID: 'a1', question: OAK, status: 'done', text: 'Oak.', told: true, supported: true, unsupported: [], citations: [] },
  ...{ passages: [passage(1, 40), passage(2, 80)], context: '', answerer: 'extractive_answerer', model: '', score: 0.9 },
  ...{ usage: { promptTokens: 0, answerTokens: 0, cost: 0 }, milliseconds: { search: 5, first: 6, total: 7 } },
};
const AGGREGATIONS = [{ name: 'metadata.kind', buckets: [{ key: 'report', doc_count: 7 }] }];
const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => savedQuestion(`q${String(index)}`, `Question ${String(index + 1)}?`));

let permissions: readonly string[] = [];
let api: QuestionsApi;
let sent: { readonly search: { readonly query: string; readonly filtering: object } }[] = [];

function given(questions: Parameters<typeof questionsApi>[0]): void {
  const made = questionsApi(questions);
  api = made.api;
  server.use(...made.handlers);
}

beforeAll(() => server.listen({ onUnhandledRequest: 'bypass' }));
beforeEach(() => {
  permissions = [...PERMISSIONS, 'seeQuestionAnswering', 'importDocuments', 'deleteDocuments'];
  sent = [];
  useSessionStore.setState({ projectName: 'press' });
  useLayoutStore.setState({ drawers: { 'answers/filters': true, 'answers/labels': true } });
  given([]);
  server.use(
    http.get('*/api/users/:name', () => HttpResponse.json({ username: 'ana', permissions })),
    http.get('*/api/projects/:name/_info', () => HttpResponse.json(project('press', { nature: 'question_answering' }))),
    http.get('*/api/projects/:name/label_sets', () => HttpResponse.json([])),
    http.post('*/api/projects/:name/segments/_do_search', async ({ request }) => {
      const body = (await request.json()) as (typeof sent)[number];
      sent.push(body);
      const found = { hits: [], total: { value: 2, relation: 'eq' }, aggregations: AGGREGATIONS };
      return HttpResponse.json(body.search.query === '' ? found : { ...found, answer: 'Oak.', context: '', answerDetails: ANSWER });
    }),
  );
});
afterEach(() => {
  clearSession();
  server.resetHandlers();
});
afterAll(() => server.close());

const list = () => screen.findByRole('list', { name: 'Saved questions' });
const ask = async (question: string) => {
  await userEvent.type(await screen.findByLabelText('Question'), `${question}{Enter}`);
};

describe('saved questions', () => {
  it('W-011, C-023 the drawer begins with the filters, and with the questions once there are some', async () => {
    const { unmount } = await renderStudio('/answers');
    const tabs = await screen.findByRole('tablist', { name: 'Filters and questions' });
    expect(within(tabs).getByRole('tab', { name: 'Filters' })).toHaveAttribute('aria-selected', 'true');
    expect(await screen.findByRole('form', { name: 'Add a filter' })).toBeVisible();
    unmount();
    given([savedQuestion('oak', OAK, { judged: 3, relevant: 2, answers: ['oak'] })]);
    await renderStudio('/answers');
    expect(await screen.findByRole('tab', { name: /^Questions/ })).toHaveAttribute('aria-selected', 'true');
    const row = within(await list()).getByRole('listitem');
    expect(row).toHaveTextContent('2 relevant of 3 judged');
    expect(row).toHaveTextContent('1 known answer');
    expect(api.lists.find(({ find }) => find === '')).toMatchObject({ from: 0, size: 1000 });
  });

  it('W-011 an address opens the drawer at the questions', async () => {
    useLayoutStore.setState({ drawers: { 'answers/filters': false } });
    await renderStudio('/answers?tab=questions');
    expect(await screen.findByRole('tab', { name: 'Questions' })).toHaveAttribute('aria-selected', 'true');
    expect(await screen.findByText('No saved questions yet')).toBeVisible();
  });

  it('W-011 projects of another nature have only filters', async () => {
    server.use(http.get('*/api/projects/:name/_info', () => HttpResponse.json(project('press'))));
    await renderStudio('/answers');
    expect(await screen.findByRole('form', { name: 'Add a filter' })).toBeVisible();
    expect(screen.queryByRole('tab')).toBeNull();
  });

  it('C-027 the filter box appears above five questions, and finds on the server', async () => {
    given(numbered(5));
    const { unmount } = await renderStudio('/answers');
    await list();
    expect(screen.queryByRole('searchbox', { name: 'Filter questions' })).toBeNull();
    unmount();
    given(numbered(6));
    await renderStudio('/answers');
    await userEvent.type(await screen.findByRole('searchbox', { name: 'Filter questions' }), 'question 4');
    await waitFor(async () => expect(within(await list()).getAllByRole('listitem')).toHaveLength(1));
    expect(await screen.findByText('1 question')).toBeInTheDocument();
  });

  it('S-028 a click asks the question', async () => {
    given([savedQuestion('oak', OAK)]);
    await renderStudio('/answers');
    await userEvent.click(within(await list()).getByRole('button', { name: OAK }));
    expect(await screen.findByRole('region', { name: 'Answer' })).toHaveTextContent('Oak.');
    expect(within(await list()).getByRole('button', { name: OAK })).toHaveAttribute('aria-current', 'true');
  });

  it('D-018 a question is added with its known answers, changed, and deleted when confirmed', async () => {
    await renderStudio('/answers');
    await userEvent.click(await screen.findByRole('tab', { name: 'Questions' }));
    expect(await screen.findByText('No saved questions yet')).toBeVisible();
    await userEvent.click(screen.getAllByRole('button', { name: 'Add a question' })[0] as HTMLElement);
    const dialog = within(await screen.findByRole('dialog'));
    await userEvent.click(dialog.getByRole('button', { name: 'Add question' }));
    expect(dialog.getByText('Write a question.')).toBeVisible();
    await userEvent.type(dialog.getByRole('textbox', { name: /^Question/ }), OAK);
    await userEvent.click(dialog.getByRole('button', { name: 'Add an answer' }));
    await userEvent.type(dialog.getByRole('textbox', { name: 'Known answer 1' }), 'oak');
    await userEvent.click(dialog.getByRole('button', { name: 'Add question' }));
    expect(await screen.findByText('Question added')).toBeInTheDocument();
    expect(api.questions).toMatchObject([{ text: OAK, answers: ['oak'] }]);
    await userEvent.click(within(await list()).getByRole('button', { name: `Delete “${OAK}”` }));
    await userEvent.click(await screen.findByRole('button', { name: 'Keep question' }));
    expect(api.questions).toHaveLength(1);
    await userEvent.click(within(await list()).getByRole('button', { name: `Delete “${OAK}”` }));
    await userEvent.click(await screen.findByRole('button', { name: 'Delete question' }));
    expect(await screen.findByText('Question deleted')).toBeInTheDocument();
    expect(await screen.findByText('No saved questions yet')).toBeVisible();
  });

  it('E-036, E-039 all are deleted when confirmed; a failure is told and keeps them', async () => {
    given(numbered(2));
    server.use(http.delete('*/api/projects/:name/questions/:id', () => errorResponse(500, 'Broken')));
    await renderStudio('/answers');
    await userEvent.click(within(await list()).getByRole('button', { name: 'Delete “Question 1?”' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Delete question' }));
    expect(await screen.findByText('We failed to delete the question.')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Keep question' }));
    await userEvent.click(screen.getByRole('button', { name: 'Delete all questions' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByRole('button', { name: 'Delete 2 questions' })).toBeDisabled();
    await userEvent.click(dialog.getByRole('checkbox'));
    await userEvent.click(dialog.getByRole('button', { name: 'Delete 2 questions' }));
    expect(await screen.findByText('Questions deleted')).toBeInTheDocument();
    expect(api.questions).toEqual([]);
  });

  it('V-004, S-028 a read-only project can only ask; import needs the permission', async () => {
    given(numbered(1));
    permissions = permissions.filter((one) => one !== 'importDocuments');
    const { unmount } = await renderStudio('/answers');
    await list();
    expect(screen.getByRole('button', { name: 'Import questions' })).toBeDisabled();
    expect(screen.getByRole('button', { name: 'Delete all questions' })).toBeEnabled();
    unmount();
    permissions = [...permissions.filter((one) => one !== 'writeProject:*'), 'importDocuments'];
    await renderStudio('/answers');
    await list();
    expect(screen.getByRole('button', { name: 'Import questions' })).toBeDisabled();
    expect(screen.getByRole('button', { name: 'Delete all questions' })).toBeDisabled();
    expect(screen.queryByRole('button', { name: /^Delete “/ })).toBeNull();
  });

  describe('import (D-017)', () => {
    const choose = async () => {
      await userEvent.click(await screen.findByRole('tab', { name: 'Questions' }));
      await userEvent.click((await screen.findAllByRole('button', { name: 'Import questions' }))[0] as HTMLElement);
      const dialog = within(await screen.findByRole('dialog'));
      expect(dialog.getByRole('button', { name: 'Download a sample' })).toBeVisible();
      expect(dialog.getByRole('button', { name: 'Import' })).toBeDisabled();
      const input = document.querySelector<HTMLInputElement>('input[type=file]') as HTMLInputElement;
      await userEvent.upload(input, new File(['[]'], 'questions.json', { type: 'application/json' }));
      return dialog;
    };
    const imports = (end: Partial<ReturnType<typeof job>>) =>
      server.use(
        http.post('*/api/uploads', () => HttpResponse.json([{ id: 'u1', filename: 'questions.json' }])),
        http.post('*/api/projects/:name/questions/_import', () => HttpResponse.json(job('import', { status: 'STARTED' }))),
        http.get('*/api/projects/:name/job/import', () => HttpResponse.json(job('import', end))),
      );

    it('T-011, V-034 uploads the chosen file, imports it and closes', async () => {
      imports({ status: 'COMPLETED' });
      await renderStudio('/answers');
      const dialog = await choose();
      await userEvent.click(await dialog.findByRole('button', { name: 'Import 1 file' }));
      expect(await screen.findByText('Questions imported')).toBeInTheDocument();
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    });

    it('T-011, E-030 closes on failure too, and the notification leads back to the files', async () => {
      imports({ status: 'FAILED', statusMessage: 'No questions in the file' });
      await renderStudio('/answers');
      const dialog = await choose();
      await userEvent.click(await dialog.findByRole('button', { name: 'Import 1 file' }));
      expect(await screen.findByText('We failed to load the questions.')).toBeInTheDocument();
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      await userEvent.click(screen.getByRole('button', { name: 'Choose files again' }));
      expect(await within(await screen.findByRole('dialog')).findByText('questions.json')).toBeVisible();
    });
  });
});

describe('filters of answers', () => {
  it('W-010, W-012, W-016 facets narrow the search, and their chips toggle and remove them', async () => {
    await renderStudio('/answers');
    await userEvent.click(await screen.findByRole('button', { name: 'Kind' }));
    await userEvent.click(await screen.findByRole('checkbox', { name: /^report/ }));
    await ask(OAK);
    await screen.findByRole('region', { name: 'Answer' });
    expect(sent.at(-1)?.search.filtering).toMatchObject({ selectedFacets: ['+metadata.kind:report'] });
    await userEvent.click(await screen.findByRole('button', { name: /^Kind: report, included/ }));
    await waitFor(() => expect(sent.at(-1)?.search.filtering).toMatchObject({ selectedFacets: ['-metadata.kind:report'] }));
    await userEvent.click(screen.getByRole('button', { name: /^Remove .*report/ }));
    expect(screen.queryByRole('button', { name: /^Kind: report/ })).toBeNull();
    await userEvent.click(screen.getAllByRole('button', { name: 'Add a filter' })[0] as HTMLElement);
    expect(screen.getAllByRole('form', { name: 'Add a filter' }).length).toBeGreaterThan(1);
  });
});

describe('judging', () => {
  const grades = async (nth: number) =>
    within((await screen.findAllByRole('group', { name: 'Relevance of the passage from The canal' }))[nth] as HTMLElement);

  it('S-028 by keyboard: J goes to the passage, a digit judges it, Backspace clears it', async () => {
    given([savedQuestion('oak', OAK)]);
    await renderStudio('/answers');
    await ask(OAK);
    await grades(0);
    expect(await screen.findByText('No passage judged yet')).toBeVisible();
    await userEvent.click(screen.getByRole('heading', { name: 'Answers' }));
    await userEvent.keyboard('jj2');
    expect((await grades(1)).getByRole('button', { name: '2: Very relevant' })).toHaveAttribute('aria-pressed', 'true');
    await userEvent.keyboard('k0');
    expect(await screen.findByText('2 passages judged, 1 relevant')).toBeVisible();
    expect(screen.getAllByRole('group', { name: /^Relevance/ })[0]).toHaveFocus();
    await waitFor(() => expect(api.judgements.get('oak')).toHaveLength(2));
    await userEvent.keyboard('{Backspace}');
    await waitFor(() => expect(api.judgements.get('oak')).toMatchObject([{ documentIdentifier: 'canal', start: 80, end: 100, grade: 2 }]));
  });

  it('saves a question that is not saved by one click, then judges', async () => {
    await renderStudio('/answers');
    await ask(OAK);
    await userEvent.click((await grades(0)).getByRole('button', { name: '1: Relevant' }));
    expect(api.questions).toEqual([]);
    await userEvent.click(await screen.findByRole('button', { name: 'Save and judge' }));
    expect(await screen.findByText('1 passage judged, 1 relevant')).toBeVisible();
    expect(api.questions).toMatchObject([{ text: OAK }]);
    await waitFor(() => expect(api.judgements.get('made-0')).toMatchObject([{ start: 40, grade: 1 }]));
  });

  it('is only shown to those who may not judge; a failure is told and taken back', async () => {
    given([savedQuestion('oak', OAK)]);
    api.judgements.set('oak', [{ documentIdentifier: 'canal', start: 40, end: 60, grade: 1 }]);
    server.use(http.put('*/api/projects/:name/questions/:id/judgements', () => errorResponse(409, 'Changed')));
    const { unmount } = await renderStudio('/answers');
    await ask(OAK);
    await userEvent.click((await grades(1)).getByRole('button', { name: '3: Answers it fully' }));
    expect(await screen.findByText('We failed to judge the passage.')).toBeInTheDocument();
    await waitFor(async () => expect((await grades(1)).queryByRole('button', { pressed: true })).toBeNull());
    unmount();
    permissions = permissions.filter((one) => one !== 'writeProject:*');
    await renderStudio('/answers');
    await ask(OAK);
    expect(await screen.findByText('Relevant')).toBeVisible();
    expect(screen.queryByRole('group', { name: /^Relevance/ })).toBeNull();
  });
});
