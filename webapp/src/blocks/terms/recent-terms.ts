/** The terms that were linked last in a project, stored in the browser, the newest first. */
import { termToLink, type LexiconTerm } from '@/api/resources/terms';
import { useStoredChoice } from '@/state/layout-store';
import { termFacetValue } from '@/state/term-facet';

const MOST = 8;

const isTerm = (value: unknown): value is LexiconTerm =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as LexiconTerm).identifier === 'string' &&
  typeof (value as LexiconTerm).lexicon === 'string';

/** The stored list; empty for anything else. */
export function parseRecentTerms(stored: string): readonly LexiconTerm[] {
  try {
    const list: unknown = JSON.parse(stored);
    return Array.isArray(list) ? list.filter(isTerm).slice(0, MOST) : [];
  } catch {
    return [];
  }
}

export function withRecentTerm(recent: readonly LexiconTerm[], term: LexiconTerm): readonly LexiconTerm[] {
  const short = { ...termToLink(term), lexicon: term.lexicon };
  return [short, ...recent.filter((one) => termFacetValue(one) !== termFacetValue(term))].slice(0, MOST);
}

export function useRecentTerms(project: string) {
  const [stored, store] = useStoredChoice<string>(`recentTerms.${project}`, '[]');
  const recent = parseRecentTerms(stored);
  return { recent, remember: (term: LexiconTerm) => store(JSON.stringify(withRecentTerm(recent, term))) };
}
