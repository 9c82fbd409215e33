/** the address of the screen of answers: the question and how it is answered. */
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
  /** Leaves saved questions out of the passages (S-029). */
  readonly excludeQuestions: boolean;
}

export const ANSWERS_DEFAULTS: AnswersAddress = { query: '', searchType: 'text', selectedFacets: [], filters: [], excludeQuestions: true };
