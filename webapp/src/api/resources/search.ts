/** What every search answers with, and how chosen facet values travel. Offsets here count code points, as on the wire. */
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
  /** What all of the values are written as. */
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
  /** How many hits a page has room for. */
  readonly size?: number;
  readonly max_score?: number;
  readonly aggregations?: readonly Aggregation[];
  readonly histograms?: readonly Aggregation[];
  readonly resultID?: string;
  /** How the server searched: without vectors a search by meaning becomes one of the text. */
  readonly searchType?: SearchType;
}

/** C-020: the server says how many hits a page of its answer has; one that does not has answered with all of a page. */
export const pageSizeOf = ({ size, hits }: SearchAnswer<unknown>): number => size ?? hits.length;

const quoted = (text: string) => `"${text.replace(/["\\]/gu, '\\$&')}"`;
const PLAIN_NAME = /^[^\s,"\\:()+-](?:[^,"\\:()]*[^\s,"\\:()])?(?:\([^,"\\()]*\))?$/u;
const PLAIN_VALUE = /^[^\s,"\\](?:[^,"\\]*[^\s,"\\])?$/u;

/** `+label:Person`; what the server would read otherwise (two of them, a longer name, no white space) is quoted. */
export function facetToJson({ facetName, facetValue, facetSelector }: SelectedFacet): string {
  const name = PLAIN_NAME.test(facetName) ? facetName : quoted(facetName);
  return `${facetSelector}${name}:${PLAIN_VALUE.test(facetValue) ? facetValue : quoted(facetValue)}`;
}

export interface QuerySyntaxError {
  /** Code points of the query before the place where it cannot be read. */
  readonly position: number;
  /** In the server's words. */
  readonly reason: string;
}

/** Where the query of the search box cannot be read; undefined for mistakes elsewhere. */
export function querySyntaxErrorOf(error: unknown): QuerySyntaxError | undefined {
  if (!isUnreadableQuery(error)) return undefined;
  const { body } = error as ApiError;
  const details = typeof body === 'object' && body !== null ? (body as { readonly details?: unknown }).details : undefined;
  if (!Array.isArray(details)) return undefined;
  const found = (details as { field?: unknown; position?: unknown; message?: unknown }[]).find(({ field }) => field === 'query');
  return typeof found?.position === 'number' ? { position: found.position, reason: String(found.message) } : undefined;
}

/** E-019: the query could not be read, most often an unclosed quote. */
export function isUnreadableQuery(error: unknown): boolean {
  return errorCode(error) === 'query_syntax';
}
