/** Terms of the lexicons of a project, for whatever shows or links them next to a text. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, client } from '@/api/client';
import { idempotencyHeader } from '@/api/idempotency';
import type { TermReference } from '@/state/term-facet';
import type { Term } from './concepts';

export interface Lexicon {
  readonly name: string;
  readonly label: string;
  readonly color?: string;
  /** Number of terms; only where it was asked for. */
  readonly terms?: number;
  readonly manualEditionAllowed?: boolean;
}

/** A term of a lexicon of the project. */
export type LexiconTerm = Term & { readonly lexicon: string };

/** A term next to another one in its lexicon. */
export interface TermNode {
  readonly identifier: string;
  readonly preferredForm?: string | null;
}

/** A term with the terms around it; of very many children the first ones. */
export interface TermWithRelatives {
  readonly term: LexiconTerm;
  readonly broader: readonly TermNode[];
  readonly narrower: readonly TermNode[];
  readonly related: readonly TermNode[];
  readonly narrowerCount: number;
}

interface RequestParts {
  readonly params: { readonly path: Readonly<Record<string, string>>; readonly query?: Readonly<Record<string, unknown>> };
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

type AnyRequest = (
  path: string,
  parts: RequestParts,
) => Promise<{ readonly data?: unknown; readonly error?: unknown; readonly response: Response }>;

/** Requests to paths whose bodies the description of the API leaves open. */
export const openClient = client as unknown as Readonly<Record<'GET' | 'POST' | 'DELETE', AnyRequest>>;

/** `lexicons` and `terms` are nouns of live events: a change of either refreshes what is shown. */
export const linkedTermKeys = {
  lexicons: (project: string) => ['lexicons', project, 'named'] as const,
  term: (project: string, { lexicon, identifier }: TermReference) => ['terms', project, 'relatives', lexicon, identifier] as const,
  terms: (project: string, kind: string, ...parts: readonly unknown[]) => ['terms', project, kind, ...parts] as const,
};

const lexiconPath = (projectName: string, lexiconName: string) => ({ path: { projectName, lexiconName } });

export const namedLexiconsQuery = (projectName: string) =>
  queryOptions({
    queryKey: linkedTermKeys.lexicons(projectName),
    queryFn: async () =>
      ((await call(openClient.GET('/projects/{projectName}/lexicons', { params: { path: { projectName } } }))) ?? []) as readonly Lexicon[],
    enabled: projectName !== '',
    staleTime: 60_000,
    meta: { silent: true },
  });

type TermAnswer = LexiconTerm & Partial<Omit<TermWithRelatives, 'term'>>;

/** Separates the term from what the answer has around it. */
function termWithRelatives(answer: TermAnswer): TermWithRelatives {
  const { broader = [], narrower = [], related = [], narrowerCount = narrower.length, ...rest } = answer;
  const { lexiconLabel: _label, color: _color, broaderCount: _count, ...term } = rest as LexiconTerm & Readonly<Record<string, unknown>>;
  return { term: term as LexiconTerm, broader, narrower, related, narrowerCount };
}

export const lexiconTermQuery = (projectName: string, { lexicon, identifier }: TermReference, enabled = true) =>
  queryOptions({
    queryKey: linkedTermKeys.term(projectName, { lexicon, identifier }),
    queryFn: async ({ signal }) =>
      termWithRelatives(
        (await call(
          openClient.POST('/projects/{projectName}/lexicons/{lexiconName}/_get_term', {
            params: lexiconPath(projectName, lexicon),
            body: { identifier },
            signal,
          }),
        )) as TermAnswer,
      ),
    enabled: enabled && projectName !== '' && lexicon !== '' && identifier !== '',
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
  return `(${all.join(' AND ')}) OR identifier:${quoted(typed.trim())}`;
}

interface TermHits {
  readonly hits?: readonly { readonly term: LexiconTerm }[];
}

async function searchTerms(projectName: string, query: Readonly<Record<string, unknown>>, signal: AbortSignal) {
  const parts = { params: { path: { projectName }, query: { simpleQuery: false, ...query } }, signal };
  const answer = (await call(openClient.POST('/projects/{projectName}/lexicons/_search', parts))) as TermHits;
  return (answer.hits ?? []).map(({ term }) => term);
}

/** Terms for what was typed, the best first; of one lexicon where it is given. */
export const foundTermsQuery = (projectName: string, typed: string, size: number, lexicon = '') =>
  queryOptions({
    queryKey: linkedTermKeys.terms(projectName, 'found', typed.trim(), size, lexicon),
    queryFn: ({ signal }) =>
      searchTerms(
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
    queryKey: linkedTermKeys.terms(projectName, 'named', lexicons, identifiers),
    queryFn: ({ signal }) =>
      searchTerms(
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

async function postTerm(projectName: string, lexicon: string, body: Partial<LexiconTerm>, overwrite: boolean): Promise<LexiconTerm> {
  const saved = await call(
    openClient.POST('/projects/{projectName}/lexicons/{lexiconName}', {
      params: { ...lexiconPath(projectName, lexicon), query: { overwrite } },
      body,
      headers: idempotencyHeader(),
    }),
  );
  return { ...(saved as LexiconTerm), lexicon };
}

/** Adds a term to a lexicon, which derives an identifier from its form. */
export const createTerm = (projectName: string, lexicon: string, preferredForm: string) =>
  postTerm(projectName, lexicon, { preferredForm }, false);

/** Puts a term back as it was. */
export const restoreTerm = (projectName: string, { lexicon, identifier, preferredForm, properties }: LexiconTerm) =>
  postTerm(projectName, lexicon, { identifier, preferredForm: preferredForm || identifier, properties: properties ?? {} }, true);

export const deleteTerm = (projectName: string, { lexicon, identifier }: TermReference) =>
  call(
    openClient.POST('/projects/{projectName}/lexicons/{lexiconName}/_delete_term', {
      params: lexiconPath(projectName, lexicon),
      body: { identifier },
    }),
  );

/** The part of a term that an annotation refers to it by; the rest stays in the lexicon. */
export const termToLink = ({ identifier, lexicon, preferredForm }: LexiconTerm): Term => ({
  identifier,
  lexicon,
  ...(preferredForm && { preferredForm }),
});

interface GazetteerName {
  readonly name: string;
  readonly label?: string;
}

/** Names and labels of the gazetteers of a project. */
export const gazetteerNamesQuery = (projectName: string) =>
  queryOptions({
    queryKey: ['gazetteers', projectName, 'named'] as const,
    queryFn: async () =>
      ((await call(openClient.GET('/projects/{projectName}/gazetteers', { params: { path: { projectName } } }))) ??
        []) as readonly GazetteerName[],
    enabled: projectName !== '',
    meta: { silent: true },
  });
