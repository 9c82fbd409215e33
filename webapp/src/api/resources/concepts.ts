/** Concepts of the knowledge base that terms refer to. It is an external service: without it only the term itself is shown. */
import { queryOptions } from '@tanstack/react-query';
import { BASE, requestHeaders } from '@/api/client';
import { ApiError } from '@/api/errors';

/** A term of a lexicon or of a knowledge base, as part of an annotation. */
export interface Term {
  readonly identifier: string;
  readonly lexicon?: string;
  readonly preferredForm?: string | null;
  readonly properties?: Readonly<Record<string, unknown>> | null;
  readonly score?: number | null;
}

export interface Statement {
  readonly propertyName?: string;
  /** Text, or the Q-id of another concept. */
  readonly value?: unknown;
}

export interface Concept {
  readonly preferredTerm?: string;
  readonly definitions?: readonly { readonly definition: string }[];
  readonly statements?: readonly Statement[];
  readonly multilingual?: readonly { readonly lang: string; readonly term: string }[];
  /** Path of its image, below `/api`. */
  readonly image?: string;
}

const textOrEmpty = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

/** Names of the term in the encyclopedia and in the knowledge base; empty for a term of a lexicon of the project. */
export function wikipediaAndWikidataNames({ properties }: Term): { readonly page: string; readonly item: string } {
  return { page: textOrEmpty(properties?.['wikipediaExternalRef']), item: textOrEmpty(properties?.['wikidataId']) };
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

const languageOf = (value: unknown): string => (isRecord(value) ? textOrEmpty(value['language']) : '');

/** Those in the language of the reader or without one; where there are none, all. */
function inLanguage(definitions: readonly unknown[], language: string): readonly unknown[] {
  const own = definitions.filter((one) => ['', language].includes(languageOf(one)));
  return own.length > 0 ? own : definitions;
}

/** The concept from a term's own properties `definition`, `definitions` and `statements`; undefined: it has none of them. */
export function conceptFromTermProperties({ properties }: Term, language = ''): Concept | undefined {
  const listed = (value: unknown): readonly unknown[] =>
    Array.isArray(value) ? value.filter((one) => one !== undefined && one !== null && one !== '') : [];
  const stated = inLanguage([...listed([properties?.['definition']]), ...listed(properties?.['definitions'])], language).map((one) =>
    textOrEmpty(isRecord(one) ? (one['definition'] ?? one['text']) : one),
  );
  const definitions = stated.filter((definition) => definition !== '').map((definition) => ({ definition }));
  const statements = listed(properties?.['statements'])
    .filter(isRecord)
    .map(({ propertyName, value }) => ({ propertyName: textOrEmpty(propertyName), value }));
  return definitions.length + statements.length === 0 ? undefined : { definitions, statements };
}

/** Address of the image of a concept; only images served by this server. */
export const pictureOf = ({ image }: Concept): string | undefined =>
  image?.startsWith('/service/kb/') === true ? `${BASE}${image}` : undefined;

export const isConceptId = (value: unknown): value is string => typeof value === 'string' && /^Q\d+$/u.test(value);

async function readConcept(id: string, language: string, signal: AbortSignal): Promise<Concept | null> {
  try {
    const address = `${BASE}/service/kb/concept/${encodeURIComponent(id)}?lang=${encodeURIComponent(language)}`;
    const answer = await fetch(address, { headers: requestHeaders(), credentials: 'same-origin', signal });
    if (!answer.ok) throw new ApiError(answer.status, null, answer.statusText);
    return (await answer.json()) as Concept;
  } catch (error) {
    // E-056: an unreachable knowledge base causes no notification.
    if (!signal.aborted) console.warn(`No concept ${id}:`, error instanceof Error ? error.message : error);
    return null;
  }
}

/** Null when the knowledge base has no answer (E-056). */
export const conceptQuery = (id: string, language: string, enabled: boolean) =>
  queryOptions({
    queryKey: ['concept', id, language],
    queryFn: ({ signal }) => readConcept(id, language, signal),
    enabled: enabled && id !== '',
    staleTime: Infinity,
    retry: false,
    meta: { silent: true },
  });
