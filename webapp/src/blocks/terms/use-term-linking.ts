/** Links, changes and unlinks terms of annotations through the edit queue, so that each change can be undone. */
import { useCallback } from 'react';
import type { Term } from '@/api/resources/concepts';
import { termToLink, type LexiconTerm } from '@/api/resources/terms';
import type { LabellingEditor } from '@/labelling-sync/labelling-editor';

/** The terms of an annotation, with unsaved edits. */
export type TermsOfAnnotation = (id: string) => readonly Term[];

const sameTerm = (one: Term, other: Term): boolean => one.identifier === other.identifier && (one.lexicon ?? '') === (other.lexicon ?? '');

/** The terms after one was added; undefined: it is there already. */
export function withTerm(terms: readonly Term[], term: LexiconTerm): readonly Term[] | undefined {
  return terms.some((one) => sameTerm(one, term)) ? undefined : [...terms, termToLink(term)];
}

export const withoutTerm = (terms: readonly Term[], term: Term): readonly Term[] => terms.filter((one) => !sameTerm(one, term));

/** The picked term in place of all others; undefined: it was the only one before. One of them keeps its score and properties. */
export function onlyTerm(terms: readonly Term[], term: LexiconTerm): readonly Term[] | undefined {
  const known = terms.find((one) => sameTerm(one, term));
  if (known !== undefined && terms.length === 1) return undefined;
  return [known ?? termToLink(term)];
}

export function useTermLinking(labelling: LabellingEditor, documentIdentifier: string, termsOf: TermsOfAnnotation) {
  const change = useCallback(
    (id: string, terms: readonly Term[] | undefined) => {
      if (terms !== undefined) labelling.change(documentIdentifier, id, { terms });
    },
    [labelling, documentIdentifier],
  );
  return {
    termsOf,
    link: (id: string, term: LexiconTerm) => change(id, withTerm(termsOf(id), term)),
    replace: (id: string, term: LexiconTerm) => change(id, onlyTerm(termsOf(id), term)),
    unlink: (id: string, term: Term) => change(id, withoutTerm(termsOf(id), term)),
    unlinkLast: (id: string) => {
      const terms = termsOf(id);
      if (terms.length > 0) change(id, terms.slice(0, -1));
    },
  };
}

export type TermLinking = ReturnType<typeof useTermLinking>;
