/** Questions to the corpus: a search of segments with an answer (S-027). */
import { queryOptions } from '@tanstack/react-query';
import { call, client, type Schemas } from '@/api/client';
import type { SearchType } from '@/state/search-types';
import type { SegmentHits } from './segments';

/** Offsets are code points: those of citations in the text of a passage and of the answer, those of passages in the document. */
export type Answer = Schemas['AnswerRead'];
export type AnswerPassage = Schemas['AnswerPassage'];

export interface Question {
  readonly text: string;
  readonly searchType: SearchType;
  /** Leaves saved questions out of the passages (S-029). */
  readonly excludeQuestions: boolean;
}

export type AnsweredSearch = SegmentHits & { readonly answerDetails?: Answer };

/** Filter of the search: saved questions are documents with `metadata.question`. */
const WITHOUT_QUESTIONS = '-metadata.question:true';

async function askQuestion(projectName: string, question: Question, signal: AbortSignal): Promise<AnsweredSearch> {
  const body = {
    output: { returnHits: true, facets: false, highlight: true },
    search: {
      query: question.text,
      type: question.searchType,
      filtering: { queryFilter: question.excludeQuestions ? WITHOUT_QUESTIONS : '' },
    },
    questionAnswering: { enabled: true, query: question.text },
  };
  const options = { params: { path: { projectName } }, body: body as never, signal };
  return (await call(client.POST('/projects/{projectName}/segments/_do_search', options))) as unknown as AnsweredSearch;
}

/** The answer to a question; the same question is not asked again until the user wants it. */
export const answerQuery = (project: string, question: Question) =>
  queryOptions({
    queryKey: ['answers', project, question] as const,
    queryFn: ({ signal }) => askQuestion(project, question, signal),
    enabled: project !== '' && question.text !== '',
    staleTime: Infinity,
    retry: false,
    meta: { silent: true },
  });
