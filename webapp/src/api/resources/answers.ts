/** Questions to the corpus: a search of segments whose answer follows in live events (S-027, T-014). */
import { queryOptions, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { call, client, type Schemas } from '@/api/client';
import { ApiError } from '@/api/errors';
import { onLiveEvent } from '@/api/live-connection';
import type { AnswersAddress } from '@/state/answers-address';
import { useLiveStore } from '@/state/live-store';
import { facetToJson } from './search';
import type { SegmentHits } from './segments';

/** Offsets are code points: those of citations in the text of a passage and of the answer, those of passages in the document. */
export type Answer = Schemas['AnswerRead'];
export type AnswerPassage = Schemas['AnswerPassage'];
/** A saved question that is nearly the same. */
export interface KnownAnswer {
  readonly identifier: string;
  readonly question: string;
  readonly answers: readonly string[];
  readonly score: number;
}
export type AnsweredSearch = SegmentHits & { readonly context?: string; readonly answerDetails?: Answer };
/** A question of a thread that was asked before. */
export interface EarlierExchange {
  readonly question: string;
  readonly answer: string;
}

/** Filter of the search: saved questions are documents with `metadata.question`. */
const WITHOUT_QUESTIONS = '-metadata.question:true';
/** Between two questions for a running answer, milliseconds: slowly while live events should bring it. */
const POLL_MS = 800;
const POLL_LIVE_MS = 4000;
const LATEST_EXCHANGES = 6;
const LONGEST_ANSWER = 5000;

export const isRunning = (found: AnsweredSearch | undefined): boolean => found?.answerDetails?.status === 'running';

function requestBody(asked: AnswersAddress, earlier: readonly EarlierExchange[]): object {
  const history = earlier.slice(-LATEST_EXCHANGES).map(({ question, answer }) => ({ question, answer: answer.slice(0, LONGEST_ANSWER) }));
  return {
    output: { returnHits: true, facets: true, highlight: true },
    search: {
      query: asked.query,
      // Without a type, the plan or the default search of the project decides.
      ...(asked.searchType !== 'text' && { type: asked.searchType }),
      ...(asked.reranker !== '' && { reranker: asked.reranker }),
      ...(asked.vectorizer !== '' && { vector: { vectorizer: asked.vectorizer } }),
      filtering: {
        queryFilter: asked.excludeQuestions ? WITHOUT_QUESTIONS : '',
        selectedFacets: asked.selectedFacets.map(facetToJson),
        filters: asked.filters,
      },
    },
    questionAnswering: {
      enabled: asked.answer,
      contextOnly: !asked.answer,
      query: asked.query,
      ...(asked.answer && asked.answerer !== '' && { generator: asked.answerer }),
      ...(asked.searchKnownAnswer && { searchKnownAnswer: true }),
      ...(history.length > 0 && { history }),
    },
  };
}

async function askQuestion(projectName: string, asked: AnswersAddress, earlier: readonly EarlierExchange[]): Promise<AnsweredSearch> {
  const params = { path: { projectName }, query: { asyncAnswer: true } };
  const options = { params, body: requestBody(asked, earlier) as never };
  return (await call(client.POST('/projects/{projectName}/segments/_do_search', options))) as unknown as AnsweredSearch;
}

const answerRequest = (projectName: string, resultId: string) => ({ params: { path: { projectName, resultId } } });

/** Events may come before the response that tells their resultID. */
const eventsBeforeResponse = new Map<string, Partial<Answer>>();
const MOST_EVENTS = 20;

/** Which of two states of an answer is later: one that has ended, else the longer one. */
function laterAnswer(known: Answer, given: Partial<Answer>): Answer {
  if (known.status !== 'running') return known;
  const isLater = given.status !== 'running' || (given.text ?? '').length >= known.text.length;
  return isLater ? { ...known, ...given } : known;
}

const withAnswer = (found: AnsweredSearch, given: Partial<Answer>): AnsweredSearch =>
  found.answerDetails === undefined ? found : { ...found, answerDetails: laterAnswer(found.answerDetails, given) };

/** The present state of a running answer; unchanged while the server cannot be reached. */
async function refreshed(projectName: string, found: AnsweredSearch): Promise<AnsweredSearch> {
  const answer = found.answerDetails;
  if (answer?.status !== 'running') return found;
  try {
    return withAnswer(
      found,
      await call(client.GET('/projects/{projectName}/answers/{resultId}', answerRequest(projectName, answer.resultID))),
    );
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 0 || error.status >= 500) return found;
    return withAnswer(found, { status: 'failed', error: { code: String(error.status), message: error.message } });
  }
}

async function stopOnServer(projectName: string, found: AnsweredSearch): Promise<void> {
  const resultID = found.answerDetails?.resultID;
  if (resultID === undefined) return;
  await call(client.POST('/projects/{projectName}/answers/{resultId}/_stop', answerRequest(projectName, resultID)));
}

export const answerKeys = { of: (project: string) => ['answers', project] as const };

interface AnswerQuery {
  readonly project: string;
  readonly asked: AnswersAddress;
  readonly earlier: readonly EarlierExchange[];
  /** What was answered before the page was loaded again. */
  readonly stored: () => AnsweredSearch | undefined;
}

/** The answer to a question. It is asked once: a later fetch only asks for the state of a running answer. */
export const answerQuery = ({ project, asked, earlier, stored }: AnswerQuery) =>
  queryOptions({
    queryKey: [...answerKeys.of(project), asked] as QueryKey,
    queryFn: async ({ signal, client: queries, queryKey }): Promise<AnsweredSearch> => {
      const known = queries.getQueryData<AnsweredSearch>(queryKey) ?? stored();
      if (known !== undefined) return refreshed(project, known);
      // Not aborted with `signal`: the server would go on, and only the response tells which answer to stop.
      const found = await askQuestion(project, asked, earlier);
      if (signal.aborted && isRunning(found)) await stopOnServer(project, found).catch(() => undefined);
      const event = eventsBeforeResponse.get(found.answerDetails?.resultID ?? '');
      return event === undefined ? found : withAnswer(found, event);
    },
    enabled: project !== '' && asked.query !== '',
    refetchInterval: ({ state }) => isRunning(state.data) && (useLiveStore.getState().status === 'live' ? POLL_LIVE_MS : POLL_MS),
    staleTime: Infinity,
    retry: false,
    meta: { silent: true },
  });

/** Applies live events of answers; returns the function that ends it. */
export function followAnswers(queries: QueryClient): () => void {
  return onLiveEvent((event, name) => {
    if (name !== 'answer') return;
    const { resultID, answerDetails } = (event.arg ?? {}) as { readonly resultID?: string; readonly answerDetails?: Partial<Answer> };
    if (resultID === undefined || answerDetails === undefined) return;
    eventsBeforeResponse.delete(resultID);
    eventsBeforeResponse.set(resultID, answerDetails);
    for (const old of [...eventsBeforeResponse.keys()].slice(0, -MOST_EVENTS)) eventsBeforeResponse.delete(old);
    queries.setQueriesData<AnsweredSearch>({ queryKey: ['answers'] }, (found) =>
      found?.answerDetails?.resultID === resultID ? withAnswer(found, answerDetails) : found,
    );
  });
}

/** Stops a running answer, also one that the server has not announced yet; its text so far is kept. */
export async function stopAnswer(queries: QueryClient, queryKey: QueryKey, project: string): Promise<void> {
  const found = queries.getQueryData<AnsweredSearch>(queryKey);
  await queries.cancelQueries({ queryKey });
  if (found === undefined) return;
  queries.setQueryData<AnsweredSearch>(queryKey, (now) => now && withAnswer(now, { status: 'stopped' }));
  await stopOnServer(project, found);
}
