/** A term of a lexicon of the project, with what an annotation says about it until, or where, the lexicon has nothing. */
import { useQuery } from '@tanstack/react-query';
import type { Term } from '@/api/resources/concepts';
import { namedLexiconsQuery, type Lexicon } from '@/api/resources/lexicons';
import { termQuery, type LexiconTerm, type TermWithRelatives } from '@/api/resources/terms';
import type { TermReference } from '@/state/term-facet';

export interface LinkedTerm {
  readonly term: LexiconTerm;
  /** Undefined: not known, or not of a lexicon of the project. */
  readonly relatives: TermWithRelatives | undefined;
  /** Undefined: a lexicon that the project does not have, as that of a knowledge base. */
  readonly lexicon: Lexicon | undefined;
  readonly loading: boolean;
  /** The lexicon is there, but has no such term any more. */
  readonly missing: boolean;
}

export function useLinkedTerm(project: string, reference: TermReference, stated: Term | undefined): LinkedTerm {
  const lexicons = useQuery(namedLexiconsQuery(project));
  const lexicon = lexicons.data?.find(({ name }) => name === reference.lexicon);
  const { data, isPending, isError } = useQuery(termQuery(project, reference, lexicon !== undefined));
  return {
    term: { ...stated, ...data?.term, ...reference },
    relatives: data,
    lexicon,
    loading: project !== '' && (lexicons.isPending || (lexicon !== undefined && isPending)),
    missing: lexicon !== undefined && isError,
  };
}
