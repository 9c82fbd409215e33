/** Two lexicons of the project `press` with a few terms, for tests against msw. */
import { http, HttpResponse } from 'msw';
import type { LexiconTerm } from '@/api/resources/terms';
import { errorResponse } from './server';

export const LEXICONS = [
  { name: 'diseases', label: 'Diseases', color: '#A25703', manualEditionAllowed: true, terms: 3 },
  { name: 'places', label: 'Places', color: '', manualEditionAllowed: false, terms: 1 },
];

export const ASTHMA: LexiconTerm = {
  identifier: 'DOID:2841',
  lexicon: 'diseases',
  preferredForm: 'asthma',
  properties: {
    altForms: ['bronchial hyperreactivity', 'asthme'],
    forms: [
      { form: 'asthma', language: 'en', type: 'preferred' },
      { form: 'bronchial hyperreactivity', language: 'en', type: 'exact' },
      { form: 'wheeze', language: 'en', type: 'related' },
      { form: 'asthme', language: 'fr', type: 'preferred' },
    ],
    definitions: [
      { text: 'A bronchial disease', language: 'en' },
      { text: 'Une maladie des bronches', language: 'fr' },
    ],
    broader: ['DOID:1176'],
    crossReferences: ['MESH:D001249', 'ICD10CM:J45'],
  },
};
export const BRONCHIAL: LexiconTerm = { identifier: 'DOID:1176', lexicon: 'diseases', preferredForm: 'bronchial disease', properties: {} };
export const ALLERGIC: LexiconTerm = { identifier: 'DOID:9415', lexicon: 'diseases', preferredForm: 'allergic asthma', properties: {} };
export const HALDEN: LexiconTerm = { identifier: 'Q1', lexicon: 'places', preferredForm: 'Halden', properties: {} };
const node = ({ identifier, preferredForm }: LexiconTerm) => ({
  identifier,
  preferredForm,
});
/** What `_get_term` has around it: one of its 31 children. */
const AROUND_ASTHMA = {
  ...{ broader: [node(BRONCHIAL)], narrower: [node(ALLERGIC)], related: [] },
  ...{ narrowerCount: 31, broaderCount: 1, lexiconLabel: 'Diseases', color: '#A25703' },
};
const TERMS = [ASTHMA, BRONCHIAL, ALLERGIC, HALDEN];

interface LexiconRequest {
  readonly path: string;
  readonly params: URLSearchParams;
  readonly body: unknown;
}

const hits = (terms: readonly object[]) =>
  HttpResponse.json({ hits: terms.map((term) => ({ score: 1, term })), total: { value: terms.length, relation: 'eq' } });

/** A search as far as the tests need it: identifiers of a filter, else every term with the first word in one of its forms. */
function foundTerms(params: URLSearchParams): readonly object[] {
  const filter = params.get('queryFilter') ?? '';
  if (filter.includes('identifier:')) return TERMS.filter(({ identifier }) => filter.includes(`"${identifier}"`));
  const word = /^\((\p{L}+)/u.exec(params.get('query') ?? '')?.[1]?.toLowerCase() ?? '';
  return TERMS.filter((term) => JSON.stringify([term.preferredForm, term.properties]).toLowerCase().includes(word));
}

/** Handlers, and the requests they have served. */
export function lexiconHandlers() {
  const requests: LexiconRequest[] = [];
  const note = async (request: Request): Promise<LexiconRequest> => {
    const { pathname, searchParams: params } = new URL(request.url);
    const text = await request.text();
    const noted = { path: pathname.replace(/^.*\/lexicons/u, ''), params, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
    requests.push(noted);
    return noted;
  };
  const identifierOf = ({ body }: LexiconRequest) => (body as { readonly identifier: string }).identifier;
  const handlers = [
    http.get('*/api/projects/press/lexicons', () => HttpResponse.json(LEXICONS)),
    http.post('*/api/projects/press/lexicons/_search', async ({ request }) => hits(foundTerms((await note(request)).params))),
    http.post('*/api/projects/press/lexicons/:lexicon/_get_term', async ({ request }) => {
      const wanted = identifierOf(await note(request));
      const term = TERMS.find(({ identifier }) => identifier === wanted);
      if (term === undefined) return errorResponse(404, 'No such term');
      if (term !== ASTHMA) return HttpResponse.json({ ...term, broader: [], narrower: [], related: [] });
      return HttpResponse.json({ ...term, ...AROUND_ASTHMA });
    }),
    http.post('*/api/projects/press/lexicons/:lexicon/_delete_term', async ({ request }) => {
      await note(request);
      return new HttpResponse(null, { status: 204 });
    }),
    http.post('*/api/projects/press/lexicons/:lexicon/_restore_term', async ({ request }) => {
      await note(request);
      return HttpResponse.json(ASTHMA);
    }),
    http.post('*/api/projects/press/lexicons/_accept_candidate', async ({ request }) => {
      const { text, lexicon, identifier } = (await note(request)).body as Record<'text' | 'lexicon' | 'identifier', string | undefined>;
      if (identifier === undefined) return HttpResponse.json({ term: { identifier: 'derived', lexicon, preferredForm: text } });
      return HttpResponse.json({ term: ASTHMA, before: ASTHMA });
    }),
    http.post('*/api/projects/press/lexicons/_refuse_candidate', async ({ request }) => {
      await note(request);
      return new HttpResponse(null, { status: 204 });
    }),
    http.post('*/api/projects/press/lexicons/:lexicon', async ({ request }) => {
      const { body } = await note(request);
      return HttpResponse.json({ identifier: 'derived', lexicon: 'diseases', ...(body as object) });
    }),
  ];
  return { requests, handlers, of: (path: string) => requests.filter((one) => one.path === path) };
}
