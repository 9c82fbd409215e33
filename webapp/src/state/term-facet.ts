/** Values of the facet and query field `term`: the lexicon and the identifier of a term that an annotation is linked to. */

export const TERM_FACET = 'term';

export interface TermReference {
  readonly lexicon: string;
  readonly identifier: string;
}

/** `diseases:DOID:162`. Names of lexicons have no colon; identifiers may have some. */
export const termFacetValue = ({ lexicon, identifier }: TermReference): string => `${lexicon}:${identifier}`;

/** Without a colon, everything is the identifier of a term outside the lexicons. */
export function parseTermFacetValue(value: string): TermReference {
  const at = value.indexOf(':');
  return at < 0 ? { lexicon: '', identifier: value } : { lexicon: value.slice(0, at), identifier: value.slice(at + 1) };
}

/** The query that finds what is linked to the term: `term:"diseases:DOID:162"`. */
export const termQueryText = (term: TermReference): string => `${TERM_FACET}:"${termFacetValue(term).replace(/["\\]/gu, '\\$&')}"`;
