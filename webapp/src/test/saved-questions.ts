/** An API of saved questions for tests, with judgements in memory. */
import { http, HttpResponse } from 'msw';
import type { Judgement, SavedQuestion } from '@/api/resources/questions';

export const savedQuestion = (identifier: string, text: string, change: Partial<SavedQuestion> = {}): SavedQuestion => ({
  identifier,
  text,
  answers: [],
  judged: 0,
  relevant: 0,
  ...change,
});

export interface QuestionsApi {
  questions: SavedQuestion[];
  readonly judgements: Map<string, Judgement[]>;
  /** Sizes and starts of the lists that were asked for. */
  readonly lists: { readonly from: number; readonly size: number; readonly find: string }[];
}

const PATH = '*/api/projects/:project/questions';
const isAt = (one: Judgement, other: Judgement) => one.start === other.start && one.documentIdentifier === other.documentIdentifier;

/** Handlers of the calls, and what they keep. */
export function questionsApi(questions: readonly SavedQuestion[] = []) {
  const api: QuestionsApi = { questions: [...questions], judgements: new Map(), lists: [] };
  const judged = (id: unknown) => api.judgements.get(String(id)) ?? [];
  const counted = (one: SavedQuestion): SavedQuestion => {
    const found = judged(one.identifier);
    return found.length === 0 ? one : { ...one, judged: found.length, relevant: found.filter(({ grade }) => grade > 0).length };
  };
  const handlers = [
    http.get(PATH, ({ request }) => {
      const query = new URL(request.url).searchParams;
      const [from, size, find] = [Number(query.get('from') ?? 0), Number(query.get('size') ?? 10), query.get('find') ?? ''];
      api.lists.push({ from, size, find });
      const found = api.questions.filter(({ text }) => text.toLowerCase().includes(find.toLowerCase()));
      return HttpResponse.json({ questions: found.slice(from, from + size).map(counted), total: found.length });
    }),
    http.post(PATH, async ({ request }) => {
      const body = (await request.json()) as { text: string; answers: string[] };
      const made = savedQuestion(`made-${String(api.questions.length)}`, body.text, { answers: body.answers });
      api.questions.push(made);
      return HttpResponse.json(made);
    }),
    http.patch(`${PATH}/:id`, async ({ request, params }) => {
      const body = (await request.json()) as Partial<SavedQuestion>;
      api.questions = api.questions.map((one) => (one.identifier === params['id'] ? { ...one, ...body } : one));
      return HttpResponse.json(api.questions.find(({ identifier }) => identifier === params['id']));
    }),
    http.delete(`${PATH}/:id`, ({ params }) => {
      api.questions = api.questions.filter(({ identifier }) => identifier !== params['id']);
      return HttpResponse.json({ status: 'OK' });
    }),
    http.post(`${PATH}/_delete_all`, () => {
      const deleted = api.questions.length;
      api.questions = [];
      return HttpResponse.json({ deleted });
    }),
    http.get(`${PATH}/:id/judgements`, ({ params }) => HttpResponse.json(judged(params['id']))),
    http.put(`${PATH}/:id/judgements`, async ({ request, params }) => {
      const given = (await request.json()) as Judgement;
      api.judgements.set(String(params['id']), [...judged(params['id']).filter((one) => !isAt(one, given)), given]);
      return HttpResponse.json(given);
    }),
    http.post(`${PATH}/:id/judgements/_delete`, async ({ request, params }) => {
      const given = (await request.json()) as Judgement;
      const rest = judged(params['id']).filter((one) => !isAt(one, given));
      api.judgements.set(String(params['id']), rest);
      return HttpResponse.json({ status: 'OK' });
    }),
  ];
  return { api, handlers };
}
