import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Answer } from '@/api/resources/answers';
import { useSessionStore } from '@/state/session-store';
import { renderStudio } from '@/test/render';
import { PERMISSIONS, errorResponse, server } from '@/test/server';
import { answerParts, answerWithSources } from './answer-parts';

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
    expect(parts[0]).toEqual({
      text: SENTENCE,
      unsupported: false,
      citations: [{ passage: 1, quote: SENTENCE, documentStart: 40 }],
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
  beforeAll(() => server.listen({ onUnhandledRequest: 'bypass' }));
  beforeEach(() => {
    sent = undefined;
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
    await renderStudio('/answers');
    await userEvent.type(await screen.findByLabelText('Question'), 'What were the gates made of?{Enter}');
  };

  it('asks with Enter and shows the answer with its citation', async () => {
    await ask();
    const answer = await screen.findByRole('region', { name: 'Answer' });
    expect(answer).toHaveTextContent('The gates were made of oak.');
    expect(within(answer).getByText('Pirates burned them.').tagName).toBe('MARK');
    const link = within(answer).getByRole('link', { name: 'Passage 1: The canal' });
    expect(link.getAttribute('href')).toContain('/document/');
    expect(sent).toMatchObject({
      search: { filtering: { queryFilter: '-metadata.question:true' } },
      questionAnswering: { enabled: true, query: 'What were the gates made of?' },
    });
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
    await userEvent.click(screen.getByRole('button', { name: /retry|try again/iu }));
    expect(await screen.findByRole('link', { name: 'Passage 1: The canal' })).toBeVisible();
  });

  it('keeps the question when the search fails', async () => {
    server.use(http.post('*/api/projects/:name/segments/_do_search', () => errorResponse(429, 'Too many questions')));
    await ask();
    expect(await screen.findByText('The question was not answered')).toBeVisible();
    expect(screen.getByLabelText('Question')).toHaveValue('What were the gates made of?');
  });
});
