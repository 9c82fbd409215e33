/** What the picker of terms offers: found terms, those used last, and new ones in lexicons that can be edited. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { foundTermsQuery, namedLexiconsQuery, type Lexicon, type LexiconTerm } from '@/api/resources/linked-terms';
import { useCan, useProjectWritable } from '@/state/session-store';
import { termFacetValue, type TermReference } from '@/state/term-facet';
import { useRecentTerms } from './recent-terms';

const FOUND = 20;
const MOST_NEW = 5;
/** Longer than any form of a term. */
export const LONGEST_TERM = 512;

export type TermOption =
  | { readonly kind: 'term'; readonly term: LexiconTerm; readonly from: 'linked' | 'found' | 'recent' }
  | { readonly kind: 'new'; readonly lexicon: Lexicon; readonly text: string };

export interface TermChoice {
  readonly project: string;
  /** Words of the annotation: searched while nothing is typed, and offered as a new term. */
  readonly words: string;
  /** Terms that the annotation has already. */
  readonly linked: readonly LexiconTerm[];
  /** `change`: the picked one takes their place, and can be one of them. */
  readonly purpose: 'link' | 'change';
  /** Only terms of this lexicon; empty: of all. */
  readonly only?: string | undefined;
  /** Only terms of lexicons that can be edited by hand. */
  readonly editableOnly?: boolean | undefined;
  /** False: terms are only picked. */
  readonly creates?: boolean | undefined;
}

const same = (one: TermReference) => (other: TermReference) => termFacetValue(one) === termFacetValue(other);

/** Each term once, at its first position. */
function uniqueOptions(options: readonly TermOption[]): TermOption[] {
  const known = new Set<string>();
  return options.filter((option) => {
    if (option.kind === 'new') return true;
    const key = termFacetValue(option.term);
    if (known.has(key)) return false;
    known.add(key);
    return true;
  });
}

const named = (term: LexiconTerm): string => (term.preferredForm ?? term.identifier).toLocaleLowerCase();

export function useTermOptions(choice: TermChoice, typed: string) {
  const { project, words, linked, purpose, only = '', creates = true, editableOnly = false } = choice;
  const mayCreate = useCan('importTerms');
  const writable = useProjectWritable();
  const mayCreateHere = creates && mayCreate && writable;
  const searches = useCan('useSearch');
  const queryClient = useQueryClient();
  const { recent, remember } = useRecentTerms(project);
  const text = typed.trim() === '' ? words.trim() : typed.trim();
  const settled = useDeferredValue(text);
  const lexicons = useQuery(namedLexiconsQuery(project));
  const query = foundTermsQuery(project, settled, FOUND, only);
  const found = useQuery({ ...query, enabled: searches && project !== '' && settled !== '' });
  const terms = found.data ?? [];
  const stale = searches && text !== '' && (settled !== text || found.isPlaceholderData || found.isPending);
  const editable = (lexicons.data ?? []).filter(
    ({ name, manualEditionAllowed }) => manualEditionAllowed === true && (only === '' || only === name),
  );
  const isOpen = (term: LexiconTerm) => !editableOnly || editable.some(({ name }) => name === term.lexicon);
  const free = (term: LexiconTerm) => isOpen(term) && (purpose === 'change' || !linked.some(same(term)));
  const listed = (list: readonly LexiconTerm[], from: 'linked' | 'found' | 'recent'): TermOption[] =>
    list.filter(free).map((term) => ({ kind: 'term', term, from }));
  const exact = (lexicon: string) => terms.some((term) => term.lexicon === lexicon && named(term) === text.toLocaleLowerCase());
  const offered = mayCreateHere && !stale && text !== '' && text.length <= LONGEST_TERM ? editable : [];
  const options = uniqueOptions([
    ...(typed.trim() === '' && purpose === 'change' ? listed(linked, 'linked') : []),
    ...listed(terms, 'found'),
    ...(typed.trim() === '' ? listed(only === '' ? recent : recent.filter(({ lexicon }) => lexicon === only), 'recent') : []),
    ...offered
      .filter(({ name }) => !exact(name))
      .slice(0, MOST_NEW)
      .map((lexicon): TermOption => ({ kind: 'new', lexicon, text })),
  ]);
  return {
    options,
    stale,
    searches,
    remember,
    lexicons: lexicons.data,
    /** The first term for what is typed now, for who presses Enter before the list is there. */
    first: async (): Promise<LexiconTerm | undefined> =>
      (await queryClient.fetchQuery(foundTermsQuery(project, text, FOUND, only))).find(free),
  };
}

export type TermOptions = ReturnType<typeof useTermOptions>;
