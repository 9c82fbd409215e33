/** What people say about answers, and the saved questions made from it. */
import { call, client, MERGE_PATCH, type Schemas } from '@/api/client';
import { idempotencyHeader } from '@/api/idempotency';
import { projectPathParams } from '@/api/path-params';
import type { Answer } from './answers';

export type Feedback = Schemas['FeedbackRead'];
export type Verdict = Feedback['verdict'];

const citedNumbers = ({ citations }: Answer): ReadonlySet<number> => new Set(citations.map(({ passage }) => passage));

export function giveFeedback(projectName: string, answer: Answer, verdict: Verdict): Promise<Feedback> {
  const cited = citedNumbers(answer);
  const passages = answer.passages.map(({ number, documentIdentifier, start, end }) => ({
    documentIdentifier,
    start,
    end,
    cited: cited.has(number),
  }));
  const { question, text, answerer } = answer;
  const body = { question, answer: text, answerer, verdict, comment: '', passages };
  const options = { params: projectPathParams(projectName), body, headers: idempotencyHeader() };
  return call(client.POST('/projects/{projectName}/answers/_feedback', options));
}

const feedbackParams = (projectName: string, feedbackId: string) => ({ params: { path: { projectName, feedbackId } } });

export const changeFeedback = (projectName: string, id: string, body: Schemas['FeedbackPatch']): Promise<Feedback> =>
  call(
    client.PATCH('/projects/{projectName}/answers/_feedback/{feedbackId}', { ...feedbackParams(projectName, id), body, ...MERGE_PATCH }),
  );

export const deleteFeedback = (projectName: string, id: string): Promise<unknown> =>
  call(client.DELETE('/projects/{projectName}/answers/_feedback/{feedbackId}', feedbackParams(projectName, id)));

/** A saved question from an answer: if it is right, with it as known answer; unless it is wrong, with its cited passages as relevant. */
export async function saveAsQuestion(projectName: string, answer: Answer, verdict: Verdict): Promise<{ readonly identifier: string }> {
  const cited = citedNumbers(answer);
  const relevant = verdict === 'wrong' ? [] : answer.passages.filter(({ number }) => cited.has(number));
  const body = {
    question: answer.question,
    answers: verdict === 'right' && answer.text !== '' ? [answer.text] : [],
    passages: relevant.map(({ documentIdentifier, start, end }) => ({ documentIdentifier, start, end, grade: 1 })),
  };
  const options = { params: projectPathParams(projectName), body } as never;
  return (await call(client.POST('/projects/{projectName}/questions/_from_answer' as never, options))) as { readonly identifier: string };
}
