/** Questions to the corpus: a search of segments with an answer (S-027). */
import { queryOptions } from '@tanstack/react-query';
import { call, client, type Schemas } from '@/api/client';
import type { AnswersAddress } from '@/state/answers-address';
import { facetToJson } from './search';
import type { SegmentHits } from './segments';

/** Offsets are code points: those of citations in the text of a passage and of the answer, those of passages in the document. */
export type Answer = Schemas['AnswerRead'];
export type AnswerPassage = Schemas['AnswerPassage'];

export type AnsweredSearch = SegmentHits & { readonly answerDetails?: Answer };

/** Filter of the search: saved questions are documents with `metadata.question`. */
const WITHOUT_QUESTIONS = '-metadata.question:true';

async function askQuestion(projectName: string, question: AnswersAddress, signal: AbortSignal): Promise<AnsweredSearch> {
  const body = {
    output: { returnHits: true, facets: true, highlight: true },
    search: {
      query: question.query,
      type: question.searchType,
      filtering: {
        queryFilter: question.excludeQuestions ? WITHOUT_QUESTIONS : '',
        selectedFacets: question.selectedFacets.map(facetToJson),
        filters: question.filters,
      },
    },
    questionAnswering: { enabled: true, query: question.query },
  };
  const options = { params: { path: { projectName } }, body: body as never, signal };
  return (await call(client.POST('/projects/{projectName}/segments/_do_search', options))) as unknown as AnsweredSearch;
}

/** The answer to a question; the same question is not asked again until the user wants it. */
export const answerQuery = (project: string, question: AnswersAddress) =>
  queryOptions({
    queryKey: ['answers', project, question] as const,
    queryFn: ({ signal }) => askQuestion(project, question, signal),
    enabled: project !== '' && question.query !== '',
    staleTime: Infinity,
    retry: false,
    meta: { silent: true },
  });
