/**
 * What remains to be answered in a page of suggestions. Pure: the screen stores the answers of this session, the server is authoritative.
 */
import { facetToJson } from '@/api/resources/search';
import type { Suggestion } from '@/api/resources/suggestions';
import type { SelectedFacet } from '@/state/facet-selection';

/** A range in code points of the document, with its text. */
export interface SpanPlace {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** One proposal of a suggestion: a span or a category. */
export interface Proposal {
  /** Unique in its suggestion. */
  readonly key: string;
  readonly kind: 'annotation' | 'category';
  readonly labelName: string;
  readonly score: number;
  /** For spans: code points of the document. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Where the user moved the span, not saved yet: accepting it confirms this place and rejects the proposed one. */
  readonly moved?: SpanPlace;
}

export type Verdict = 'accepted' | 'rejected' | 'skipped';

/** Answers of this session: keys of proposals, and ids of completely answered suggestions. */
export interface AnsweredProposals {
  readonly proposals: ReadonlySet<string>;
  readonly segments: ReadonlySet<string>;
}

export const NOTHING_ANSWERED: AnsweredProposals = { proposals: new Set(), segments: new Set() };

export const answerKey = (suggestion: Suggestion, proposal: Pick<Proposal, 'key'>) => `${suggestion._id}/${proposal.key}`;

/** C-024 */
export const PAGE_SIZE = 25;
export const pageSize = (nature: string | undefined) => (nature === 'classification' ? 1 : PAGE_SIZE);

/** C-025: segments before and after, level by level. */
export const CONTEXT_LEVELS = [
  [0, 0],
  [1, 0],
  [2, 1],
  [3, 1],
  [4, 2],
  [5, 2],
] as const;

export const DEFAULT_ZOOM = 2;

/** In reading order for spans, best score first for categories. */
export function unansweredProposals(suggestion: Suggestion, answered: AnsweredProposals = NOTHING_ANSWERED): Proposal[] {
  if (answered.segments.has(suggestion._id)) return [];
  const spans = suggestion.annotations.map(({ labelName, start, end, text, score = 0 }): Proposal => ({
    key: `${String(start)}-${String(end)}-${labelName}`,
    kind: 'annotation',
    labelName,
    start,
    end,
    text,
    score,
  }));
  const categories = suggestion.categories.map(({ labelName, score = 0 }): Proposal => ({
    key: `category-${labelName}`,
    kind: 'category',
    labelName,
    start: suggestion.start,
    end: suggestion.end,
    text: '',
    score,
  }));
  spans.sort((a, b) => a.start - b.start || a.end - b.end);
  categories.sort((a, b) => b.score - a.score);
  return [...spans, ...categories].filter((proposal) => !answered.proposals.has(answerKey(suggestion, proposal)));
}

/** Suggestions with unanswered proposals. */
export function openSuggestions(suggestions: readonly Suggestion[], answered: AnsweredProposals): Suggestion[] {
  return suggestions.filter((suggestion) => unansweredProposals(suggestion, answered).length > 0);
}

/** The proposal where the user wants it. */
export const placedProposal = (proposal: Proposal): Proposal =>
  proposal.moved === undefined ? proposal : { ...proposal, ...proposal.moved };

/** T-021: after an answer the next proposal gets the focus; after the last one, the previous. */
export function nextProposal(left: readonly Proposal[], answeredIndex: number): Proposal | undefined {
  return left[Math.min(answeredIndex, left.length - 1)];
}

export interface ReviewSession {
  readonly since: number;
  readonly accepted: number;
  readonly rejected: number;
  readonly skipped: number;
  /** Suggestions with nothing left to answer: the unit of the total, unlike proposals. */
  readonly finished: number;
}

interface Sentence {
  readonly start: number;
  readonly end: number;
}

/** The context of a segment: ranges of the sentences before and after it, as many as the level requires. */
export function contextRanges(
  sentences: readonly Sentence[],
  segment: Sentence,
  level: number,
): { before: Sentence | null; after: Sentence | null } {
  const [countBefore, countAfter] = CONTEXT_LEVELS[Math.min(Math.max(0, level), CONTEXT_LEVELS.length - 1)] ?? [0, 0];
  const earlier = sentences.filter((sentence) => sentence.end <= segment.start);
  const later = sentences.filter((sentence) => sentence.start >= segment.end);
  const before = countBefore === 0 ? [] : earlier.slice(-countBefore);
  const after = later.slice(0, countAfter);
  const whole = (part: readonly Sentence[]) => (part.length === 0 ? null : { start: part[0]?.start ?? 0, end: part.at(-1)?.end ?? 0 });
  return { before: whole(before), after: whole(after) };
}

/** The selected facets as the server's `filter` parameter. */
export const facetFilter = (selected: readonly SelectedFacet[]): string => selected.map(facetToJson).join(',');
