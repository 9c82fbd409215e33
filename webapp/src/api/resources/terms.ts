/** Terms of lexicons: search, hierarchy, those next to a term, changes by hand. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, client, type Schemas } from '@/api/client';
import { ifMatch } from '@/api/edit-headers';
import { idempotencyHeader } from '@/api/idempotency';
import { projectPathParams } from '@/api/path-params';
import type { SelectedFacet } from '@/state/facet-selection';
import type { TermReference } from '@/state/term-facet';
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

/** A term of a lexicon of the project. */
export interface LexiconTerm extends Omit<Term, 'lexicon' | 'properties'> {
  readonly lexicon: string;
  readonly properties?: TermProperties | null;
  /** Of its last change; absent in terms that were not read as a whole. */
  readonly version?: number;
  readonly createdAt?: string;
  readonly createdBy?: string;
  readonly modifiedAt?: string;
  readonly modifiedBy?: string;
}

export interface TermHit {
  readonly score?: number;
  readonly term: LexiconTerm;
  /** `altForms`: by the position of the form. */
  readonly highlights?: {
    readonly preferredForm?: readonly CodePointRange[];
    readonly altForms?: Readonly<Record<string, readonly CodePointRange[]>>;
  };
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

/** A term next to another one in its lexicon. */
export type TermNode = Schemas['TermNode'];
export type TermNodes = Schemas['TermNodes'];

/** A term with the terms around it; of very many children the first ones. */
export interface TermWithRelatives {
  readonly term: LexiconTerm;
  readonly broader: readonly TermNode[];
  readonly narrower: readonly TermNode[];
  readonly related: readonly TermNode[];
  readonly narrowerCount: number;
}

/** `terms` is a noun of live events: a change of one refreshes what is shown. */
export const termKeys = {
  all: ['terms'] as const,
  search: (project: string, search: TermSearch) => [...termKeys.all, project, 'search', search] as const,
  one: (project: string, { lexicon, identifier }: TermReference) => [...termKeys.all, project, 'one', lexicon, identifier] as const,
  several: (project: string, kind: string, ...parts: readonly unknown[]) => [...termKeys.all, project, kind, ...parts] as const,
  narrower: (project: string, lexicon: string, identifier: string, from: number) =>
    [...termKeys.all, project, 'narrower', lexicon, identifier, from] as const,
};

const termPathParams = (projectName: string, lexiconName: string) => ({ path: { projectName, lexiconName } });

async function searchTerms(projectName: string, search: TermSearch, signal: AbortSignal): Promise<TermHits> {
  const { selectedFacets, ...rest } = search;
  const query = { ...rest, selectedFacets: selectedFacets.map(facetToJson), highlight: true, facet: true };
  const params = { ...projectPathParams(projectName), query };
  return (await call(client.POST('/projects/{projectName}/lexicons/_search', { params, signal }))) as TermHits;
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

type TermAnswer = LexiconTerm & Partial<Omit<TermWithRelatives, 'term'>>;

/** Separates the term from what the answer has around it. */
function termWithRelatives(answer: TermAnswer): TermWithRelatives {
  const { broader = [], narrower = [], related = [], narrowerCount = narrower.length, ...rest } = answer;
  const { lexiconLabel: _label, color: _color, broaderCount: _count, ...term } = rest as LexiconTerm & Readonly<Record<string, unknown>>;
  return { term: term as LexiconTerm, broader, narrower, related, narrowerCount };
}

export const termQuery = (projectName: string, reference: TermReference, enabled = true) =>
  queryOptions({
    queryKey: termKeys.one(projectName, reference),
    queryFn: async ({ signal }) =>
      termWithRelatives(
        (await call(
          client.POST('/projects/{projectName}/lexicons/{lexiconName}/_get_term', {
            params: termPathParams(projectName, reference.lexicon),
            body: { identifier: reference.identifier },
            signal,
          }),
        )) as unknown as TermAnswer,
      ),
    enabled: enabled && projectName !== '' && reference.lexicon !== '' && reference.identifier !== '',
    retry: false,
    meta: { silent: true },
  });

const SPECIAL = /[\\+\-!(){}[\]^"~*?:/&|<>=]/gu;
const OPERATOR = /^(?:AND|OR|NOT|TO)$/u;
const quoted = (text: string): string => `"${text.replace(/["\\]/gu, '\\$&')}"`;

/** The terms with all of the words, the last of which may be unfinished, and the one with this identifier; empty: every term. */
export function termQueryOfTyped(typed: string): string {
  const words = typed.trim().split(/\s+/u).filter(Boolean);
  if (words.length === 0) return '';
  const all = words.map((word, at) => {
    const plain = word.replace(SPECIAL, '\\$&');
    if (at === words.length - 1) return `${plain}*`;
    return OPERATOR.test(word) ? quoted(word) : plain;
  });
  const whole = quoted(typed.trim());
  // The name itself comes before longer ones with the same words.
  return `(${all.join(' AND ')}) OR preferredForm:${whole} OR identifier:${whole}`;
}

interface FewTerms {
  readonly query?: string;
  readonly queryFilter?: string;
  readonly size: number;
}

async function findTerms(projectName: string, few: FewTerms, signal: AbortSignal): Promise<LexiconTerm[]> {
  const params = { ...projectPathParams(projectName), query: { simpleQuery: false, ...few } };
  const { hits } = (await call(client.POST('/projects/{projectName}/lexicons/_search', { params, signal }))) as Partial<TermHits>;
  return (hits ?? []).map(({ term }) => term);
}

/** Terms for what was typed, the best first; of one lexicon where it is given. */
export const foundTermsQuery = (projectName: string, typed: string, size: number, lexicon = '') =>
  queryOptions({
    queryKey: termKeys.several(projectName, 'found', typed.trim(), size, lexicon),
    queryFn: ({ signal }) =>
      findTerms(
        projectName,
        { query: termQueryOfTyped(typed), size, ...(lexicon !== '' && { queryFilter: `+lexicon:${quoted(lexicon)}` }) },
        signal,
      ),
    enabled: projectName !== '' && typed.trim() !== '',
    placeholderData: keepPreviousData,
    meta: { silent: true },
  });

/** The most terms that are looked up at once. */
export const MOST_LOOKED_UP = 50;

/** Terms by their identifiers, in any order; what no lexicon has is missing. */
export const termsByReferenceQuery = (projectName: string, references: readonly TermReference[]) => {
  const wanted = references.slice(0, MOST_LOOKED_UP);
  const identifiers = [...new Set(wanted.map(({ identifier }) => identifier))].sort();
  const lexicons = [...new Set(wanted.map(({ lexicon }) => lexicon))].sort();
  return queryOptions({
    queryKey: termKeys.several(projectName, 'named', lexicons, identifiers),
    queryFn: ({ signal }) =>
      findTerms(
        projectName,
        {
          // One identifier can be in several lexicons.
          size: Math.min(200, identifiers.length * lexicons.length),
          queryFilter: `+lexicon:(${lexicons.map(quoted).join(' OR ')}) +identifier:(${identifiers.map(quoted).join(' OR ')})`,
        },
        signal,
      ),
    enabled: projectName !== '' && wanted.length > 0,
    staleTime: 60_000,
    placeholderData: keepPreviousData,
    meta: { silent: true },
  });
};

/** Concepts fetched at a time. */
export const NARROWER_PAGE = 100;

/** A page of the concepts below one, in the order of their names; below '': those without a broader one. */
export const narrowerQuery = (projectName: string, lexicon: string, identifier: string, from: number) =>
  queryOptions({
    queryKey: termKeys.narrower(projectName, lexicon, identifier, from),
    queryFn: (): Promise<TermNodes> => {
      const params = { ...termPathParams(projectName, lexicon), query: { from, size: NARROWER_PAGE } };
      return identifier === ''
        ? call(client.GET('/projects/{projectName}/lexicons/{lexiconName}/_roots', { params }))
        : call(client.POST('/projects/{projectName}/lexicons/{lexiconName}/_children', { params, body: { identifier } }));
    },
    meta: { errorTitle: 'searchTerms' },
  });

/** What a term is made of. */
export type NewTerm = Pick<LexiconTerm, 'lexicon' | 'preferredForm' | 'properties'> & { readonly identifier?: string };

async function postTerm(projectName: string, { lexicon, identifier, preferredForm, properties }: NewTerm, overwrite: boolean) {
  const saved = await call(
    client.POST('/projects/{projectName}/lexicons/{lexiconName}', {
      params: { ...termPathParams(projectName, lexicon), query: { overwrite } },
      body: {
        ...(identifier !== undefined && { identifier }),
        preferredForm: preferredForm ?? null,
        ...(properties && { properties: { ...properties } }),
      },
      headers: idempotencyHeader(),
    }),
  );
  return { ...(saved as Omit<LexiconTerm, 'lexicon'>), lexicon };
}

/** Adds a term to its lexicon; one of the same identifier is refused. Without an identifier the server derives it from the form. */
export const createTerm = (projectName: string, term: NewTerm): Promise<LexiconTerm> => postTerm(projectName, term, false);

/** Puts a term back as it was. */
export const restoreTerm = (projectName: string, term: LexiconTerm): Promise<LexiconTerm> =>
  postTerm(projectName, { ...term, preferredForm: term.preferredForm || term.identifier }, true);

/** Changes identifier, form and all properties of the term that `former` was read as; refused when somebody changed it meanwhile. */
export const updateTerm = (projectName: string, former: LexiconTerm, { identifier, preferredForm, properties }: LexiconTerm) =>
  call(
    client.POST('/projects/{projectName}/lexicons/{lexiconName}/_update_term', {
      params: termPathParams(projectName, former.lexicon),
      body: {
        identifier: former.identifier,
        ...(identifier !== former.identifier && { newIdentifier: identifier }),
        preferredForm: preferredForm ?? null,
        properties: { ...properties },
      },
      headers: ifMatch(former.version),
    }),
  );

export const deleteTerm = (projectName: string, { lexicon, identifier }: TermReference) =>
  call(
    client.POST('/projects/{projectName}/lexicons/{lexiconName}/_delete_term', {
      params: termPathParams(projectName, lexicon),
      body: { identifier },
    }),
  );

/** Creates a term again that was deleted by hand, as it was. */
export const restoreDeletedTerm = (projectName: string, { lexicon, identifier }: TermReference) =>
  call(
    client.POST('/projects/{projectName}/lexicons/{lexiconName}/_restore_term', {
      params: termPathParams(projectName, lexicon),
      body: { identifier },
    }),
  );

/** The part of a term that an annotation refers to it by; the rest stays in the lexicon. */
export const termToLink = ({ identifier, lexicon, preferredForm }: LexiconTerm): Term => ({
  identifier,
  lexicon,
  ...(preferredForm && { preferredForm }),
});
