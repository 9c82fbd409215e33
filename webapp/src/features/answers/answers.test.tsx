import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Answer } from '@/api/resources/answers';
import { useSessionStore } from '@/state/session-store';
import { readAddress } from '@/state/search-address';
import { renderStudio } from '@/test/render';
import { PERMISSIONS, errorResponse, server } from '@/test/server';
import { dispatchLiveEvent } from '@/api/live-connection';
import { queryClient } from '@/api/query-client';
import { answerParts, answerWithSources } from './answer-parts';
import { useThreadStore } from './thread-store';

const SENTENCE = '😀 The gates were made of oak.';
const ANSWER: Answer = {
  resultID: 'a1',
  question: 'What were the gates made of?',
  status: 'done',
  text: `${SENTENCE} Pirates burned them.`,
  told: true,
  supported: false,
  unsupported: [{ start: 30, end: 50 }],
  citations: [{ passage: 1, start: 0, end: 29, quote: SENTENCE, answerStart: 0, answerEnd: 29 }],
  passages: [
    { number: 1, segmentId: 's', documentIdentifier: 'canal', documentTitle: 'The canal', start: 40, end: 69, text: SENTENCE, score: 1 },
  ],
  context: `[1] ${SENTENCE}`,
  answerer: 'extractive_answerer',
  model: '',
  score: 0.9,
  usage: { promptTokens: 0, answerTokens: 0, cost: 0 },
  milliseconds: { search: 5, first: 6, total: 7 },
} as Answer;
/** The facets of all segments are asked for too. */
const isQuestion = (body: unknown) => (body as { readonly questionAnswering?: unknown }).questionAnswering !== undefined;
const found = (answer: Partial<Answer> = {}) => ({
  hits: [],
  total: { value: 1, relation: 'eq' },
  answer: ANSWER.text,
  context: ANSWER.context,
  answerDetails: { ...ANSWER, ...answer },
});

describe('the parts of an answer', () => {
  it('are the whole text, cut at code points', () => {
    const parts = answerParts(ANSWER);
    expect(parts.map(({ text }) => text).join('')).toBe(ANSWER.text);
    expect(answerParts({ ...ANSWER, text: 'Oak [1]. [22]', citations: [], unsupported: [] })[0]?.text).toBe('Oak.');
    expect(parts[0]).toEqual({
      text: SENTENCE,
      unsupported: false,
      citations: [{ passage: 1, quote: SENTENCE, start: 0, end: 29, documentStart: 40, documentEnd: 69 }],
    });
    expect(parts.filter(({ unsupported }) => unsupported).map(({ text }) => text)).toEqual(['Pirates burned them.']);
  });

  it('are copied with their sources', () => {
    expect(answerWithSources(ANSWER)).toContain(`${SENTENCE} [1]`);
    expect(answerWithSources(ANSWER)).toContain('[1] The canal: ');
  });

  it('leave out citations of passages that are not there', () => {
    expect(answerParts({ ...ANSWER, passages: [] }).flatMap(({ citations }) => citations)).toEqual([]);
  });
});

describe('questions (R-025)', () => {
  let sent: unknown;
  beforeAll(() => {
    Element.prototype.scrollIntoView = () => undefined; // jsdom has none
    server.listen({ onUnhandledRequest: 'bypass' });
  });
  beforeEach(() => {
    sent = undefined;
    sessionStorage.clear();
    useThreadStore.setState({ threads: {} });
    useSessionStore.setState({ projectName: 'press' });
    server.use(
      http.get('*/api/users/:name', () =>
        HttpResponse.json({ username: 'ana', profilename: 'Ana', permissions: [...PERMISSIONS, 'seeQuestionAnswering', 'useSearch'] }),
      ),
      http.get('*/api/projects/:name/label_sets', () => HttpResponse.json([])),
      http.post('*/api/projects/:name/segments/_do_search', async ({ request }) => {
        sent = await request.json();
        return HttpResponse.json(found());
      }),
    );
  });
  afterEach(() => server.resetHandlers());
  afterAll(() => server.close());

  const ask = async () => {
    const { router } = await renderStudio('/answers');
    await userEvent.type(await screen.findByLabelText('Question'), 'What were the gates made of?{Enter}');
    return router;
  };

  it('asks with Enter and shows the answer with its citation', async () => {
    await ask();
    const answer = await screen.findByRole('region', { name: 'Answer' });
    expect(answer).toHaveTextContent('The gates were made of oak.');
    expect(within(answer).getByText('Pirates burned them.').tagName).toBe('MARK');
    const link = within(answer).getByRole('link', { name: 'Passage 1: The canal' });
    const address = readAddress(link.getAttribute('href')?.split('/')[2]);
    expect(address).toMatchObject({ documentIdentifier: 'canal', highlightedSentence: 40, highlightedEnd: 69 });
    expect(sent).toMatchObject({
      search: { filtering: { queryFilter: '-metadata.question:true' } },
      questionAnswering: { enabled: true, query: 'What were the gates made of?' },
    });
    expect((sent as { search: object }).search, 'the default search of the project decides').not.toHaveProperty('type');
  });

  it('says that the documents do not answer', async () => {
    server.use(
      http.post('*/api/projects/:name/segments/_do_search', () =>
        HttpResponse.json(found({ text: '', told: false, supported: true, unsupported: [], citations: [] })),
      ),
    );
    await ask();
    expect(await screen.findByText('The documents do not answer this question.')).toBeVisible();
  });

  it('shows the error of the answerer and the part that arrived, and asks again', async () => {
    let count = 0;
    const error = { code: 'unavailable', message: 'The language model stopped', cause: 'It ended', fix: 'Ask again' };
    server.use(
      http.post('*/api/projects/:name/segments/_do_search', async ({ request }) => {
        if (!isQuestion(await request.json())) return HttpResponse.json(found());
        count += 1;
        return HttpResponse.json(
          count === 1 ? found({ status: 'failed', text: 'The gates', citations: [], unsupported: [], error }) : found(),
        );
      }),
    );
    await ask();
    expect(await screen.findByText('The question was not answered')).toBeVisible();
    expect(screen.getByRole('region', { name: 'Answer' })).toHaveTextContent('The gates');
    const failure = screen.getByRole('alert');
    for (const text of ['It ended', 'Ask again', 'unavailable']) expect(failure).toHaveTextContent(text);
    expect(failure).not.toHaveTextContent('server');
    await userEvent.click(screen.getByRole('button', { name: /retry|try again/iu }));
    expect(await screen.findByRole('link', { name: 'Passage 1: The canal' })).toBeVisible();
  });

  it('keeps the question when the search fails', async () => {
    server.use(http.post('*/api/projects/:name/segments/_do_search', () => errorResponse(429, 'Too many questions')));
    await ask();
    expect(await screen.findByText('The question was not answered')).toBeVisible();
    expect(screen.getByRole('heading', { name: 'What were the gates made of?' })).toBeVisible();
  });

  const receive = (part: Partial<Answer>, resultID = 'a1') =>
    act(() => dispatchLiveEvent({ mutation: 'answer', user: 'ana', arg: { resultID, answerDetails: part } }, queryClient));
  const RUNNING: Partial<Answer> = { status: 'running', text: '', citations: [], unsupported: [] };

  it('shows an answer that grows, with its citations at the end (S-027, T-014)', async () => {
    let query = '';
    server.use(
      http.post('*/api/projects/:name/segments/_do_search', ({ request }) => {
        query = new URL(request.url).search;
        return HttpResponse.json(found(RUNNING));
      }),
    );
    await ask();
    expect(await screen.findByText('Reading the passages…')).toBeVisible();
    expect(query).toBe('?asyncAnswer=true');
    receive({ status: 'running', text: 'The gates were' });
    const answer = screen.getByRole('region', { name: 'Answer' });
    expect(answer).toHaveTextContent('The gates were');
    receive({ status: 'running', text: 'The' });
    expect(answer, 'an older event is ignored').toHaveTextContent('The gates were');
    expect(screen.queryByRole('button', { name: 'Right' })).toBeNull();
    const { status, text, citations, unsupported } = ANSWER;
    receive({ status, text, citations, unsupported });
    expect(await screen.findByRole('link', { name: 'Passage 1: The canal' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Right' })).toBeVisible();
  });

  it('keeps the part that came when it is stopped', async () => {
    let stopped = false;
    server.use(
      http.post('*/api/projects/:name/segments/_do_search', () =>
        HttpResponse.json(found({ ...RUNNING, resultID: 's1', text: 'The gates' })),
      ),
      http.post('*/api/projects/:name/answers/s1/_stop', () => {
        stopped = true;
        return HttpResponse.json({ ...ANSWER, ...RUNNING });
      }),
    );
    await ask();
    await userEvent.click(await screen.findByRole('button', { name: 'Stop' }));
    expect(await screen.findByText('You stopped the answer here.')).toBeVisible();
    expect(screen.getByRole('region', { name: 'Answer' })).toHaveTextContent('The gates');
    await waitFor(() => expect(stopped).toBe(true));
    receive({ status: 'running', text: 'The gates were made' }, 's1');
    expect(screen.queryByText('The gates were made')).toBeNull();
  });

  it('stops an answer on the server that it announces after Stop (T-014)', async () => {
    let respond: () => void = () => undefined;
    let stopped = '';
    server.use(
      http.post('*/api/projects/:name/segments/_do_search', async () => {
        await new Promise<void>((resolve) => (respond = resolve));
        return HttpResponse.json(found({ ...RUNNING, resultID: 'late' }));
      }),
      http.post('*/api/projects/:name/answers/:id/_stop', ({ params }) => {
        stopped = String(params['id']);
        return new HttpResponse(null, { status: 204 });
      }),
    );
    await ask();
    await userEvent.click(await screen.findByRole('button', { name: 'Stop' }));
    expect(await screen.findByText('Stopped. Ask again for an answer.')).toBeVisible();
    respond();
    await waitFor(() => expect(stopped).toBe('late'));
    expect(screen.getByText('Stopped. Ask again for an answer.')).toBeVisible();
  });

  it('asks for the state of an answer when the live connection is down', async () => {
    server.use(
      http.post('*/api/projects/:name/segments/_do_search', () => HttpResponse.json(found({ ...RUNNING, resultID: 'p1' }))),
      http.get('*/api/projects/:name/answers/p1', () => HttpResponse.json({ ...ANSWER, resultID: 'p1' })),
    );
    await ask();
    expect(await screen.findByRole('link', { name: 'Passage 1: The canal' }, { timeout: 3000 })).toBeVisible();
  });

  it('keeps the thread, and sends it with a follow-up question', async () => {
    let count = 0;
    server.use(
      http.post('*/api/projects/:name/segments/_do_search', async ({ request }) => {
        count += 1;
        sent = await request.json();
        return HttpResponse.json(found({ resultID: `a${String(count)}` }));
      }),
    );
    const router = await ask();
    await screen.findByRole('region', { name: 'Answer' });
    await userEvent.type(screen.getByLabelText('Follow-up question'), 'And who made them?{Enter}');
    await screen.findByRole('heading', { name: 'And who made them?' });
    await waitFor(() => expect(screen.getAllByRole('region', { name: 'Answer' })).toHaveLength(2));
    expect(sent).toMatchObject({
      questionAnswering: { query: 'And who made them?', history: [{ question: 'What were the gates made of?', answer: ANSWER.text }] },
    });
    cleanup();
    useThreadStore.setState({ threads: JSON.parse(sessionStorage.getItem('annotarium.threads') ?? '{}') as never });
    await renderStudio(router.state.location.pathname);
    await waitFor(() => expect(screen.getAllByRole('region', { name: 'Answer' })).toHaveLength(2));
    expect(count, 'a reload asks again').toBe(2);
  });

  it('stores what people say, with a comment, and takes it back', async () => {
    const calls: unknown[] = [];
    const stored = { id: '7', verdict: 'wrong', comment: '', passages: [], questionIdentifier: null };
    server.use(
      http.post('*/api/projects/:name/answers/_feedback', async ({ request }) => {
        calls.push(await request.json());
        return HttpResponse.json(stored);
      }),
      http.patch('*/api/projects/:name/answers/_feedback/7', async ({ request }) => {
        calls.push(await request.json());
        return HttpResponse.json({ ...stored, comment: 'Iron!' });
      }),
      http.delete('*/api/projects/:name/answers/_feedback/7', () => new HttpResponse(null, { status: 204 })),
    );
    await ask();
    await userEvent.click(await screen.findByRole('button', { name: 'Wrong' }));
    await userEvent.type(await screen.findByLabelText(/^Comment/u), 'Iron!');
    await userEvent.click(screen.getByRole('button', { name: 'Save comment' }));
    await screen.findByRole('button', { name: 'Comment saved' });
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByRole('button', { name: 'Right' })).toBeVisible();
    expect(calls).toMatchObject([
      { verdict: 'wrong', passages: [{ documentIdentifier: 'canal', start: 40, end: 69, cited: true }] },
      { comment: 'Iron!' },
    ]);
  });

  it('finds passages only, when no answer is wanted', async () => {
    const hit = {
      _id: 's',
      score: 1,
      segment: { documentIdentifier: 'canal', documentTitle: 'The canal', start: 0, end: 5, text: 'Gates' },
    };
    await ask();
    server.use(
      http.post('*/api/projects/:name/segments/_do_search', async ({ request }) => {
        sent = await request.json();
        return HttpResponse.json({ hits: [hit], total: { value: 1, relation: 'eq' }, context: 'Gates' });
      }),
    );
    await userEvent.click(screen.getByRole('switch', { name: 'Generate an answer' }));
    expect(await screen.findByRole('link', { name: 'The canal' })).toBeVisible();
    expect(sent).toMatchObject({ questionAnswering: { enabled: false, contextOnly: true } });
  });
});
