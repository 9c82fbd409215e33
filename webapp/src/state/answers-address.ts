/** the address of the screen of answers: the question, how it is answered, and its place in a thread. */
import type { SelectedFacet } from './facet-selection';
import type { SearchFilter } from './search-filters';
import type { SearchType } from './search-types';

export interface AnswersAddress {
  /** The question; empty: nothing is asked. */
  readonly query: string;
  /** `text` lets the plan of the project decide. */
  readonly searchType: SearchType;
  /** Passages are searched among these segments only (W-012). */
  readonly selectedFacets: readonly SelectedFacet[];
  readonly filters: readonly SearchFilter[];
  /** False: only passages are found (S-030). */
  readonly answer: boolean;
  /** A component or a plan; empty: that of the project (S-029). */
  readonly answerer: string;
  readonly vectorizer: string;
  readonly reranker: string;
  /** Leaves saved questions out of the passages (S-029). */
  readonly excludeQuestions: boolean;
  /** Looks for a saved question that is nearly the same (S-029). */
  readonly searchKnownAnswer: boolean;
  /** The conversation that the question belongs to; its earlier turns are in the session storage. */
  readonly thread: string;
  /** Number of earlier turns. */
  readonly turn: number;
}

/** S-030: in a development build, no answer is generated unless it is asked for. */
const ANSWER_BY_DEFAULT = import.meta.env.MODE !== 'development';

export const ANSWERS_DEFAULTS: AnswersAddress = {
  query: '',
  searchType: 'text',
  selectedFacets: [],
  filters: [],
  answer: ANSWER_BY_DEFAULT,
  answerer: '',
  vectorizer: '',
  reranker: '',
  excludeQuestions: true,
  searchKnownAnswer: false,
  thread: '',
  turn: 0,
};
