/** Address of the screen: the sort order in the path (R-014), the rest in the query (R-033). */
import { useCallback, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { SUGGESTION_SORTS, type SuggestionSort } from '@/api/resources/suggestions';
import { formatFacet, parseFacet, type SelectedFacet } from '@/state/facet-selection';
import { decodePathState, pathWithState } from '@/state/path-state';

export interface SuggestionsAddress {
  readonly sort: SuggestionSort;
  readonly display: 'list' | 'document';
  readonly selectedFacets: readonly SelectedFacet[];
  /** Number of suggestions before the displayed page. */
  readonly index: number;
  /** The focused suggestion; empty for the first. */
  readonly sugId: string;
}

const PATH = '/suggestions';
const SORT: { sort: SuggestionSort } = { sort: 'sampling' };

export function parseSuggestionsAddress(path: string): SuggestionsAddress {
  const url = new URL(path, 'http://studio.invalid');
  const { sort } = decodePathState(url.pathname.slice(PATH.length + 1), SORT);
  const query = url.searchParams;
  const index = Number(query.get('index') ?? '0');
  return {
    sort: SUGGESTION_SORTS.includes(sort) ? sort : 'sampling',
    display: query.get('display') === 'document' ? 'document' : 'list',
    selectedFacets: query.getAll('selectedFacets').flatMap((text) => parseFacet(text) ?? []),
    index: Number.isInteger(index) && index > 0 ? index : 0,
    sugId: query.get('sugId') ?? '',
  };
}

export function formatSuggestionsAddress({ sort, display, selectedFacets, index, sugId }: SuggestionsAddress): string {
  const query = new URLSearchParams();
  if (display !== 'list') query.set('display', display);
  for (const facet of selectedFacets) query.append('selectedFacets', formatFacet(facet));
  if (index > 0) query.set('index', String(index));
  if (sugId !== '') query.set('sugId', sugId);
  const text = query.toString();
  return `${pathWithState(PATH, { sort }, SORT)}${text === '' ? '' : `?${text}`}`;
}

/** Changes apply to the screen immediately, the address follows; a changed address from outside is adopted. */
export function useSuggestionsAddress(): readonly [SuggestionsAddress, (part: Partial<SuggestionsAddress>) => void] {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const here = pathname + search;
  const [held, setHeld] = useState(() => ({ seen: here, address: parseSuggestionsAddress(here), written: [] as readonly string[] }));
  if (held.seen !== here) {
    const ours = held.written.includes(here);
    setHeld(ours ? { ...held, seen: here } : { seen: here, address: parseSuggestionsAddress(here), written: [] });
  }
  const latest = useRef(held.address);
  useEffect(() => {
    latest.current = held.address;
  }, [held.address]);
  const change = useCallback(
    (part: Partial<SuggestionsAddress>) => {
      const address = { ...latest.current, ...part };
      latest.current = address;
      const next = formatSuggestionsAddress(address);
      setHeld(({ seen, written }) => ({ seen, address, written: [...written, next].slice(-20) }));
      void navigate(next, { replace: true });
    },
    [navigate],
  );
  return [held.address, change];
}
