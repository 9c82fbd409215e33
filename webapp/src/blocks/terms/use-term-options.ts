/** What the picker of terms offers: found terms, those used last, and new ones in lexicons that can be edited. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { namedLexiconsQuery, type Lexicon } from '@/api/resources/lexicons';
import { foundTermsQuery, termQuery, type LexiconTerm } from '@/api/resources/terms';
import { useCan, useProjectWritable } from '@/state/session-store';
import { termFacetValue, type TermReference } from '@/state/term-facet';
import { useRecentTerms } from './recent-terms';

const FOUND = 20;
const MOST_NEW = 5;
/** Of each kind. */
const MOST_RELATIVES = 5;
const NO_TERMS: readonly LexiconTerm[] = [];
/** Longer than any form of a term. */
export const LONGEST_TERM = 512;

/** `broader`, `narrower`, `related`: next to a linked term in its lexicon. */
type TermOrigin = 'linked' | 'found' | 'broader' | 'narrower' | 'related' | 'recent';

export type TermOption =
  | { readonly kind: 'term'; readonly term: LexiconTerm; readonly from: TermOrigin }
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

/** The terms for a text, and whether they are still those of another one. */
function useFoundTerms(project: string, text: string, only: string) {
  const searches = useCan('useSearch');
  const queryClient = useQueryClient();
  const settled = useDeferredValue(text);
  const enabled = searches && project !== '' && settled !== '';
  const { data, isPlaceholderData, isPending } = useQuery({ ...foundTermsQuery(project, settled, FOUND, only), enabled });
  const outdated = settled !== text || isPlaceholderData || isPending;
  return {
    searches,
    terms: data ?? NO_TERMS,
    stale: searches && text !== '' && outdated,
    fetchNow: () => queryClient.fetchQuery(foundTermsQuery(project, text, FOUND, only)),
  };
}

/** The lexicons of the project, those that take terms by hand, and whether the user may add some. */
function useLexiconsOfProject(project: string, only: string) {
  const permitted = useCan('importTerms');
  const writable = useProjectWritable();
  const { data } = useQuery(namedLexiconsQuery(project));
  const isOffered = (name: string) => only === '' || only === name;
  const editable = (data ?? []).filter(({ name, manualEditionAllowed }) => manualEditionAllowed === true && isOffered(name));
  return { lexicons: data, editable, mayCreate: permitted && writable };
}

/** The offers to create a term of this text, in lexicons that have none of this name. */
function newTermOptions(text: string, lexicons: readonly Lexicon[], found: readonly LexiconTerm[]): readonly TermOption[] {
  if (text === '' || text.length > LONGEST_TERM) return [];
  const isThere = (lexicon: string) => found.some((term) => term.lexicon === lexicon && named(term) === text.toLocaleLowerCase());
  return lexicons
    .filter(({ name }) => !isThere(name))
    .slice(0, MOST_NEW)
    .map((lexicon) => ({ kind: 'new', lexicon, text }));
}

/** Which of the terms can be picked. */
function pickable({ purpose, linked, editableOnly }: TermChoice, editable: readonly Lexicon[]) {
  const isOpen = (term: LexiconTerm) => editableOnly !== true || editable.some(({ name }) => name === term.lexicon);
  return (term: LexiconTerm) => isOpen(term) && (purpose === 'change' || !linked.some(same(term)));
}

/** A linked term is shown where another one is added, and cannot be picked again. */
export const canBePicked = (option: TermOption, purpose: TermChoice['purpose']): boolean =>
  option.kind === 'new' || option.from !== 'linked' || purpose === 'change';

/** The terms next to the first linked one: what an annotation is linked to besides, or instead, is often among them. */
function useRelatives(project: string, linked: readonly LexiconTerm[], wanted: boolean): readonly TermOption[] {
  const searches = useCan('useSearch');
  const term = linked.find(({ lexicon }) => lexicon !== '') ?? { lexicon: '', identifier: '' };
  const { data } = useQuery(termQuery(project, term, searches && wanted));
  if (!wanted || data === undefined) return [];
  return (['broader', 'narrower', 'related'] as const).flatMap((from) =>
    data[from].slice(0, MOST_RELATIVES).map(({ identifier, preferredForm }): TermOption => {
      return { kind: 'term', term: { identifier, lexicon: term.lexicon, ...(preferredForm && { preferredForm }) }, from };
    }),
  );
}

export function useTermOptions(choice: TermChoice, typed: string) {
  const { project, words, linked, only = '', creates = true } = choice;
  const { recent, remember } = useRecentTerms(project);
  const nothingTyped = typed.trim() === '';
  const text = nothingTyped ? words.trim() : typed.trim();
  const { searches, terms, stale, fetchNow } = useFoundTerms(project, text, only);
  const { lexicons, editable, mayCreate } = useLexiconsOfProject(project, only);
  const free = pickable(choice, editable);
  const relatives = useRelatives(project, linked, nothingTyped && linked.length > 0);
  const listed = (list: readonly LexiconTerm[], from: TermOrigin): TermOption[] =>
    list.filter(free).map((term) => ({ kind: 'term', term, from }));
  const recentHere = only === '' ? recent : recent.filter(({ lexicon }) => lexicon === only);
  const options = uniqueOptions([
    ...(nothingTyped ? linked : NO_TERMS).map((term): TermOption => ({ kind: 'term', term, from: 'linked' })),
    ...listed(terms, 'found'),
    ...relatives.filter((option) => option.kind === 'term' && (only === '' || option.term.lexicon === only) && free(option.term)),
    ...listed(nothingTyped ? recentHere : NO_TERMS, 'recent'),
    ...(creates && mayCreate && !stale ? newTermOptions(text, editable, terms) : []),
  ]);
  return {
    ...{ options, stale, searches, remember, lexicons },
    /** The first term for what is typed now, for who presses Enter before the list is there. */
    first: async (): Promise<LexiconTerm | undefined> => (await fetchNow()).find(free),
  };
}

export type TermOptions = ReturnType<typeof useTermOptions>;
