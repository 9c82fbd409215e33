/** Terms of lexicons: search, hierarchy, changes by hand. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, client } from '@/api/client';
import { idempotencyHeader } from '@/api/idempotency';
import { projectPathParams } from '@/api/path-params';
import type { SelectedFacet } from '@/state/facet-selection';
import type { Term } from './concepts';
import { facetToJson, type CodePointRange, type SearchAnswer } from './search';

export const FORM_TYPES = ['preferred', 'alternative', 'hidden', 'exact', 'narrow', 'broad', 'related'] as const;
export type FormType = (typeof FORM_TYPES)[number];

/** A name of a term; without a language it is valid in all of them. */
export interface TermForm {
  readonly form: string;
  readonly language?: string;
  readonly type: FormType;
}

export interface TermDefinition {
  readonly text: string;
  readonly language?: string;
}

/** The canonical properties; a lexicon may have others. */
export interface TermProperties {
  readonly altForms?: readonly string[];
  readonly forms?: readonly TermForm[];
  readonly definitions?: readonly TermDefinition[];
  readonly broader?: readonly string[];
  readonly related?: readonly string[];
  readonly obsolete?: boolean;
  readonly [property: string]: unknown;
}

export interface LexiconTerm extends Omit<Term, 'lexicon' | 'properties'> {
  readonly lexicon: string;
  readonly properties?: TermProperties | null;
  readonly createdAt?: string;
  readonly createdBy?: string;
  readonly modifiedAt?: string;
  readonly modifiedBy?: string;
}

export interface TermHit {
  readonly score?: number;
  readonly term: LexiconTerm;
  readonly highlights?: { readonly preferredForm?: readonly CodePointRange[] };
}

export type TermHits = SearchAnswer<TermHit>;

export interface TermSearch {
  readonly query: string;
  readonly simpleQuery: boolean;
  readonly from: number;
  readonly size: number;
  /** Field, with a leading `-` descending; empty: by relevance. */
  readonly sort: string;
  readonly selectedFacets: readonly SelectedFacet[];
  /** The terms that the query does not match. */
  readonly invertSearch: boolean;
}

/** A concept below another one in the hierarchy of a lexicon. */
export interface NarrowerConcept {
  readonly identifier: string;
  readonly preferredForm: string;
  /** Number of concepts below this one. */
  readonly narrowerCount: number;
  readonly obsolete?: boolean;
}

export interface NarrowerConcepts {
  readonly total: number;
  readonly terms: readonly NarrowerConcept[];
}

export const termKeys = {
  all: ['terms'] as const,
  search: (project: string, search: TermSearch) => [...termKeys.all, project, 'search', search] as const,
  one: (project: string, lexicon: string, identifier: string) => [...termKeys.all, project, 'one', lexicon, identifier] as const,
  narrower: (project: string, lexicon: string, identifier: string, from: number) =>
    [...termKeys.all, project, 'narrower', lexicon, identifier, from] as const,
};

const termPathParams = (projectName: string, lexiconName: string) => ({ path: { projectName, lexiconName } });

async function searchTerms(projectName: string, search: TermSearch, signal: AbortSignal): Promise<TermHits> {
  const { selectedFacets, ...rest } = search;
  const query = { ...rest, selectedFacets: selectedFacets.map(facetToJson), highlight: true, facet: true };
  const params = { ...projectPathParams(projectName), query: query as never };
  return (await call(client.POST('/projects/{projectName}/lexicons/_search', { params, signal }))) as unknown as TermHits;
}

/** S-048 */
export const termSearchQuery = (projectName: string, search: TermSearch) =>
  queryOptions({
    queryKey: termKeys.search(projectName, search),
    queryFn: ({ signal }) => searchTerms(projectName, search, signal),
    placeholderData: keepPreviousData,
    enabled: projectName !== '',
    meta: { silent: true },
  });

export const termQuery = (projectName: string, lexicon: string, identifier: string) =>
  queryOptions({
    queryKey: termKeys.one(projectName, lexicon, identifier),
    queryFn: async () =>
      (await call(
        client.POST('/projects/{projectName}/lexicons/{lexiconName}/_get_term', {
          params: termPathParams(projectName, lexicon),
          body: { identifier } as never,
        }),
      )) as unknown as LexiconTerm,
    enabled: lexicon !== '' && identifier !== '',
    meta: { errorTitle: 'term' },
  });

/** Concepts fetched at a time. */
export const NARROWER_PAGE = 100;

/** A page of the concepts below one, in the order of their names; below '': those without a broader one. */
export const narrowerQuery = (projectName: string, lexicon: string, identifier: string, from: number) =>
  queryOptions({
    queryKey: termKeys.narrower(projectName, lexicon, identifier, from),
    queryFn: async () => {
      const params = { ...termPathParams(projectName, lexicon), query: { from, size: NARROWER_PAGE } as never };
      const answer =
        identifier === ''
          ? client.GET('/projects/{projectName}/lexicons/{lexiconName}/_roots', { params })
          : client.POST('/projects/{projectName}/lexicons/{lexiconName}/_children', { params, body: { identifier } as never });
      return (await call(answer as Promise<{ data?: object; error?: unknown; response: Response }>)) as NarrowerConcepts;
    },
    meta: { errorTitle: 'searchTerms' },
  });

/** Creates a term; one of the same identifier is refused. */
export const createTerm = (projectName: string, term: LexiconTerm) =>
  call(
    client.POST('/projects/{projectName}/lexicons/{lexiconName}', {
      params: termPathParams(projectName, term.lexicon),
      body: term as never,
      headers: idempotencyHeader(),
    }),
  );

/** Changes the form and all properties of a term. */
export const updateTerm = (projectName: string, { lexicon, identifier, preferredForm, properties }: LexiconTerm) =>
  call(
    client.POST('/projects/{projectName}/lexicons/{lexiconName}/_update_term', {
      params: termPathParams(projectName, lexicon),
      body: { identifier, preferredForm, properties } as never,
    }),
  );

export const deleteTerm = (projectName: string, lexicon: string, identifier: string) =>
  call(
    client.POST('/projects/{projectName}/lexicons/{lexiconName}/_delete_term', {
      params: termPathParams(projectName, lexicon),
      body: { identifier } as never,
    }),
  );
