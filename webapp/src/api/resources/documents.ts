import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, client } from '@/api/client';
import { withRecentChanges } from '@/api/recent-changes';
import type { LayoutMark } from '@/text/layout';
import type { Annotation } from './annotations';
import type { Category } from './categories';
import type { Relation } from './relations';
import type { HitSelection } from '@/state/search-address';
import { filtersToQuery, type SearchFilter } from '@/state/search-filters';
import { facetToJson, type SearchAnswer, type CodePointRange } from './search';

export interface DocumentSentence extends CodePointRange {
  readonly categories?: readonly Category[];
}

/** A document as serialised: all offsets are code points of `text`. */
export interface AnnotatedDocument {
  readonly identifier: string;
  readonly title?: string;
  readonly text: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly annotations?: readonly Annotation[];
  readonly categories?: readonly Category[];
  readonly relations?: readonly Relation[];
  readonly sentences?: readonly DocumentSentence[];
  readonly altTexts?: readonly { readonly name: string; readonly text: string }[];
  readonly createdBy?: string;
  readonly importedBy?: string;
  readonly importedDate?: string;
  readonly createdDate?: string;
  readonly modifiedDate?: string;
  readonly version?: number;
  /** Somebody annotated it to the end. */
  readonly reviewed?: boolean;
  /** Code points of the text; in lists that ask for it. */
  readonly length?: number;
  /** Annotations that the user may see, without rejected ones; in lists that ask for it. */
  readonly annotationCount?: number;
  /** Whether the document has a layout. */
  readonly hasLayout?: boolean;
}

export interface DocumentHit {
  readonly _id: string;
  readonly score?: number;
  readonly document: Partial<AnnotatedDocument> & { readonly identifier: string };
  readonly highlights?: { readonly title?: readonly CodePointRange[]; readonly text?: readonly CodePointRange[] };
  /** The part of the text around the first hit; its highlights count from the start of the excerpt. */
  readonly excerpt?: {
    readonly start: number;
    readonly text: string;
    readonly highlights: readonly CodePointRange[];
    readonly length: number;
  };
}

export type DocumentHits = SearchAnswer<DocumentHit>;

export interface DocumentSearch extends HitSelection {
  readonly simpleQuery: boolean;
  /** Only this document. */
  readonly identifier?: string;
  readonly facet?: boolean;
  readonly outputFields?: string;
}

export const documentKeys = {
  all: ['documents'] as const,
  search: (project: string, search: DocumentSearch) => [...documentKeys.all, project, 'search', search] as const,
  one: (project: string, identifier: string) => [...documentKeys.all, project, 'one', identifier] as const,
  /** Not under `documents`: an annotation does not change the layout. */
  layout: (project: string, identifier: string) => ['document-layout', project, identifier] as const,
  /** Not under `documents`: a live event must not move the reader to another document. */
  position: (project: string, search: DocumentSearch, deleted: string) => ['document-position', project, search, deleted] as const,
};

/** Facets requested together with the hits, or instead of them. */
export interface FacetQuery {
  readonly facetNames?: string[];
  readonly facetFind?: string;
  readonly facetSize?: number;
  readonly histograms?: string[];
  readonly returnHits?: boolean;
}

function queryFilterOf({ filters, identifier }: DocumentSearch): string {
  const named: SearchFilter[] =
    identifier === undefined ? [] : [{ field: 'identifier', value: identifier, filterSelector: 'must', filterType: 'term' }];
  return filtersToQuery([...filters, ...named]);
}

export async function searchDocuments(
  projectName: string,
  search: DocumentSearch,
  signal?: AbortSignal,
  wanted: FacetQuery = {},
): Promise<DocumentHits> {
  const { query, simpleQuery, searchType, from, size, selectedFacets, sort, facet = false, outputFields } = search;
  const queryFilter = queryFilterOf(search);
  const params = {
    query,
    simpleQuery,
    searchType,
    from,
    size,
    facet,
    highlight: true,
    ...(outputFields === undefined ? {} : { outputFields: [outputFields] }),
    ...(searchType === 'text' ? {} : { vectorQuery: query }),
    ...(selectedFacets.length === 0 ? {} : { selectedFacets: selectedFacets.map(facetToJson) }),
    ...(queryFilter === '' ? {} : { queryFilter }),
    ...(sort === '' ? {} : { sort }),
    ...wanted,
  };
  const answer = client.POST('/projects/{projectName}/documents/_search', {
    params: { path: { projectName }, query: params },
    ...(signal === undefined ? {} : { signal }),
  });
  return (await call(answer)) as unknown as DocumentHits;
}

/** S-006: a page of the list, with facets. */
export const documentSearchQuery = (project: string, search: DocumentSearch) =>
  queryOptions({
    queryKey: documentKeys.search(project, search),
    queryFn: ({ signal }) => searchDocuments(project, search, signal),
    placeholderData: keepPreviousData,
    enabled: project !== '',
    meta: { silent: true },
  });

/** C-017 */
export const DELETED_RETRIES = 10;
export const DELETED_RETRY_MS = 300;

const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));

/**
 * The document at a position of a search; after a deletion it repeats the request until the deleted document is no longer in the results
 * (C-017).
 */
async function fetchDocumentAtPosition(
  project: string,
  search: DocumentSearch,
  deleted: string,
  signal: AbortSignal,
): Promise<DocumentHits> {
  for (let attempt = 0; ; attempt += 1) {
    const answer = await searchDocuments(project, search, signal);
    const stillThere = deleted !== '' && answer.hits.some(({ document }) => document.identifier === deleted);
    if (!stillThere || attempt >= DELETED_RETRIES) return answer;
    await wait(DELETED_RETRY_MS);
  }
}

/** Fetched once per visit of a position: later changes of the results do not affect the displayed document. */
export const documentAtPositionQuery = (project: string, search: DocumentSearch, deleted = '') =>
  queryOptions({
    queryKey: documentKeys.position(project, search, deleted),
    queryFn: ({ signal }) => fetchDocumentAtPosition(project, search, deleted, signal),
    staleTime: Infinity,
    gcTime: 0,
    meta: { silent: true },
  });

export const documentQuery = (projectName: string, docId: string) =>
  queryOptions({
    queryKey: documentKeys.one(projectName, docId),
    queryFn: async ({ signal, client: cache }): Promise<AnnotatedDocument> => {
      const answer = client.GET('/projects/{projectName}/documents/{docId}', { params: { path: { projectName, docId } }, signal });
      const document = (await call(answer)) as unknown as AnnotatedDocument;
      const relations = withRecentChanges(cache, projectName, docId, 'relation', document.relations ?? []);
      const annotations = withRecentChanges(cache, projectName, docId, 'annotation', document.annotations ?? []);
      return { ...document, annotations, ...(relations.length > 0 && { relations }) };
    },
    enabled: docId !== '',
    staleTime: 5_000,
    meta: { silent: true },
  });

/** The layout of the document; offsets are code points. Never changes, as the text does not. */
export const documentLayoutQuery = (projectName: string, docId: string, enabled: boolean) =>
  queryOptions({
    queryKey: documentKeys.layout(projectName, docId),
    queryFn: async ({ signal }) => {
      const params = { path: { projectName, docId }, query: { outputFields: ['layout'] } };
      const answer = client.GET('/projects/{projectName}/documents/{docId}', { params, signal });
      return ((await call(answer)) as { readonly layout?: readonly LayoutMark[] }).layout ?? [];
    },
    enabled: enabled && docId !== '',
    staleTime: Infinity,
    meta: { errorTitle: 'getDocument' },
  });

export const deleteDocument = (projectName: string, docId: string) =>
  call(client.DELETE('/projects/{projectName}/documents/{docId}', { params: { path: { projectName, docId } } }));

/** Sets a metadata value; `undefined` removes it. With `version`: refused when the document changed since. */
export async function tagDocument(
  projectName: string,
  identifier: string,
  version: number | undefined,
  name: string,
  value: unknown,
): Promise<void> {
  const headers = version === undefined ? {} : { 'If-Match': `"${String(version)}"` };
  const params = { path: { projectName }, query: { identifier } };
  const body = { name, value: (value ?? '') as string };
  await call(client.POST('/projects/{projectName}/documents/_tag', { params, body, headers }));
}

/** Validates a document or takes its validation back. With `version`: refused when the document changed since. */
export async function reviewDocument(
  projectName: string,
  identifier: string,
  version: number | undefined,
  reviewed: boolean,
): Promise<{ readonly reviewed: boolean; readonly version: number }> {
  const headers = version === undefined ? {} : { 'If-Match': `"${String(version)}"` };
  const params = { path: { projectName }, query: { identifier } };
  return await call(client.POST('/projects/{projectName}/documents/_review', { params, body: { reviewed }, headers }));
}

export interface UnfinishedDocument {
  /** Absent: all are validated. */
  readonly documentIdentifier?: string;
  readonly title?: string;
  /** Number of validated documents, of `documents`. */
  readonly reviewed: number;
  readonly documents: number;
}

/** The next document that nobody validated, after the given one. */
export async function nextUnfinishedDocument(projectName: string, identifier: string): Promise<UnfinishedDocument> {
  const params = { path: { projectName }, query: { identifier } };
  return (await call(client.POST('/projects/{projectName}/documents/_next_unfinished', { params }))) as UnfinishedDocument;
}

export interface SpellingSuggestion {
  /** Absent: nothing is close. */
  readonly query?: string;
  /** Number of documents that it finds. */
  readonly documents: number;
}

/** For a query that finds nothing: the same with words that the documents contain. */
export const spellingQuery = (project: string, query: string, simpleQuery: boolean) =>
  queryOptions({
    queryKey: [...documentKeys.all, project, 'spelling', query, simpleQuery] as const,
    queryFn: async ({ signal }) => {
      const params = { path: { projectName: project }, query: { query, simpleQuery } };
      return (await call(client.POST('/projects/{projectName}/documents/_did_you_mean', { params, signal }))) as SpellingSuggestion;
    },
    enabled: query.trim() !== '',
    meta: { silent: true },
  });
