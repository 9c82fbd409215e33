/** Suggestions wait for an answer, which is stored as an ordinary annotation or category (T-021). */
import { queryOptions } from '@tanstack/react-query';
import { call, client } from '@/api/client';
import { ApiError } from '@/api/errors';
import { idempotencyHeader } from '@/api/idempotency';

/** C-063 */
export const SUGGESTION_SORTS = ['sampling', 'best', 'worst', 'newest', 'random'] as const;
export type SuggestionSort = (typeof SUGGESTION_SORTS)[number];

/** Offsets are code points of the document. */
export interface SuggestedSpan {
  readonly labelName: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly score?: number;
}

export interface SuggestedCategory {
  readonly labelName: string;
  readonly score?: number;
}

export interface ContextSegment {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface Suggestion {
  readonly _id: string;
  readonly documentIdentifier: string;
  readonly documentTitle?: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly annotations: readonly SuggestedSpan[];
  readonly categories: readonly SuggestedCategory[];
  readonly before?: { readonly segments: readonly ContextSegment[] };
  readonly after?: { readonly segments: readonly ContextSegment[] };
  readonly confidence: number;
  readonly suggester: string;
}

export interface SuggestionPage {
  readonly suggestions: readonly Suggestion[];
  readonly total: { readonly value: number };
  readonly aggregations?: readonly {
    readonly name: string;
    readonly buckets: readonly { readonly key: string; readonly doc_count: number }[];
  }[];
}

export interface SuggestionRequest {
  readonly from: number;
  readonly size: number;
  readonly sort: SuggestionSort;
  /** `+label:person` as one string: the server's `filter` parameter. */
  readonly filter: string;
}

/** Not under `suggestions`: a live event must not change the list while the user works on it. The screen reports new ones. */
export const suggestionKeys = {
  all: ['suggestion-pages'] as const,
  page: (project: string, request: SuggestionRequest) => [...suggestionKeys.all, project, request] as const,
};

export const suggestionsQuery = (projectName: string, request: SuggestionRequest) =>
  queryOptions({
    queryKey: suggestionKeys.page(projectName, request),
    queryFn: async () => {
      const { from, size, sort, filter } = request;
      const query = { from, size, sort, facet: true, ...(filter !== '' && { filter }) };
      return (await call(
        client.GET('/projects/{projectName}/suggestions', { params: { path: { projectName }, query } }),
      )) as unknown as SuggestionPage;
    },
    enabled: projectName !== '',
    staleTime: Infinity,
    gcTime: 0,
    meta: { errorTitle: 'getSuggestions' },
  });

/** C-026: the first eight hexadecimal digits are seconds. Milliseconds since the epoch. */
export const suggestionTime = (id: string) => Number.parseInt(id.slice(0, 8), 16) * 1000;

/** Context of a suggestion: confirmed annotations and sentences (C-025). */
export interface SuggestedDocument {
  readonly identifier: string;
  readonly title?: string;
  readonly text: string;
  readonly sentences?: readonly { readonly start: number; readonly end: number }[];
  readonly annotations?: readonly {
    readonly identifier?: string;
    readonly start: number;
    readonly end: number;
    readonly labelName: string;
    readonly status?: string | null;
    readonly creationMode?: string | null;
  }[];
  readonly categories?: readonly { readonly labelName: string; readonly status?: string | null }[];
}

export const suggestedDocumentQuery = (projectName: string, identifier: string) =>
  queryOptions({
    queryKey: ['documents', projectName, 'suggested', identifier],
    queryFn: async () =>
      (await call(
        client.GET('/projects/{projectName}/documents/{docId}', { params: { path: { projectName, docId: identifier } } }),
      )) as unknown as SuggestedDocument,
    enabled: identifier !== '',
    placeholderData: (known) => (known?.identifier === identifier ? known : undefined),
    meta: { errorTitle: 'expandContext' },
  });

export interface SuggestionAnswer {
  readonly documentIdentifier: string;
  readonly labelName: string;
  readonly status: 'OK' | 'KO';
  /** Whose proposal it answers, for the acceptance rate; absent for a label that was not proposed. */
  readonly suggester?: string;
  /** Absent: a category of the document. */
  readonly span?: { readonly start: number; readonly end: number; readonly text: string };
}

/** Returns the identifier of the created annotation or category. */
export async function answerSuggestion(
  projectName: string,
  { documentIdentifier, labelName, status, suggester, span }: SuggestionAnswer,
): Promise<string> {
  const properties = suggester === undefined ? {} : { properties: { suggester } };
  const body = { documentIdentifier, labelName, status, creationMode: 'manual', ...properties, ...span } as never;
  const options = { params: { path: { projectName } }, body, headers: idempotencyHeader() };
  const answer = await (span === undefined
    ? call(client.POST('/projects/{projectName}/categories', options))
    : call(client.POST('/projects/{projectName}/annotations', options)));
  return (answer as { identifier?: string }).identifier ?? '';
}

/** E-048: a suggestion that no longer exists counts as skipped. */
export async function skipSuggestion(projectName: string, suggestionId: string): Promise<void> {
  try {
    await call(client.DELETE('/projects/{projectName}/suggestions/{suggestionId}', { params: { path: { projectName, suggestionId } } }));
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  }
}

export const clearSuggestions = (projectName: string) =>
  call(client.POST('/projects/{projectName}/suggestions/_clear', { params: { path: { projectName } } }));
