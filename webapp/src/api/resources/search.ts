/** Types that all search responses share, and the serialisation of selected facets. Offsets are code points. */
import type { SelectedFacet } from '@/state/facet-selection';
import { errorCode, type ApiError } from '@/api/errors';
import type { SearchType } from '@/state/search-types';

/** Half-open, code points. */
export interface CodePointRange {
  readonly start: number;
  readonly end: number;
}

export interface Aggregation {
  readonly name: string;
  readonly buckets: readonly { readonly key: string; readonly doc_count: number; readonly from?: number; readonly to?: number }[];
  /** Set when all values have this format. */
  readonly valueKind?: 'number' | 'date';
}

export interface SearchTotal {
  readonly value: number;
  /** `eq`: exact (S-023). */
  readonly relation: string;
}

export interface SearchAnswer<H> {
  readonly hits: readonly H[];
  readonly total: SearchTotal;
  /** Number of hits per page. */
  readonly size?: number;
  readonly max_score?: number;
  readonly aggregations?: readonly Aggregation[];
  readonly histograms?: readonly Aggregation[];
  readonly resultID?: string;
  /** The search the server performed: without vectors a semantic search becomes a text search. */
  readonly searchType?: SearchType;
}

/** C-020: the server reports the page size of the response; if not, the number of hits is a full page. */
export const pageSizeOf = ({ size, hits }: SearchAnswer<unknown>): number => size ?? hits.length;

const quoted = (text: string) => `"${text.replace(/["\\]/gu, '\\$&')}"`;
const PLAIN_NAME = /^[^\s,"\\:()+-](?:[^,"\\:()]*[^\s,"\\:()])?(?:\([^,"\\()]*\))?$/u;
const PLAIN_VALUE = /^[^\s,"\\](?:[^,"\\]*[^\s,"\\])?$/u;

/** `+label:Person`; quoted where the server would parse it differently (two of them, a longer name, no white space). */
export function facetToJson({ facetName, facetValue, facetSelector }: SelectedFacet): string {
  const name = PLAIN_NAME.test(facetName) ? facetName : quoted(facetName);
  return `${facetSelector}${name}:${PLAIN_VALUE.test(facetValue) ? facetValue : quoted(facetValue)}`;
}

export interface QuerySyntaxError {
  /** Offset of the syntax error in the query, in code points. */
  readonly position: number;
  /** The server's message. */
  readonly reason: string;
}

/** The syntax error in the query of the search box; undefined for other errors. */
export function querySyntaxErrorOf(error: unknown): QuerySyntaxError | undefined {
  if (!isUnreadableQuery(error)) return undefined;
  const { body } = error as ApiError;
  const details = typeof body === 'object' && body !== null ? (body as { readonly details?: unknown }).details : undefined;
  if (!Array.isArray(details)) return undefined;
  const found = (details as { field?: unknown; position?: unknown; message?: unknown }[]).find(({ field }) => field === 'query');
  return typeof found?.position === 'number' ? { position: found.position, reason: String(found.message) } : undefined;
}

/** E-019: the query could not be parsed, most often because of an unclosed quote. */
export function isUnreadableQuery(error: unknown): boolean {
  return errorCode(error) === 'query_syntax';
}
