// @vitest-environment node
import { expect, it } from 'vitest';
import { COMPARE_DEFAULTS, comparePath, decodeSearch, type CompareAddress } from './compare-address';
import { decodePathState } from './path-state';
import { HYBRID_DEFAULTS, SEARCH_DEFAULTS } from './search-address';

const read = (path: string): CompareAddress => decodePathState(path.split('/')[2], COMPARE_DEFAULTS);

it('R-026, S-031 the address holds two searches, each encoded', () => {
  const explore1 = { ...SEARCH_DEFAULTS, query: 'wing 😀', from: 30, documentIdentifier: 'd1' };
  const explore2 = {
    ...HYBRID_DEFAULTS,
    query: 'lift',
    selectedFacets: [{ facetName: 'label', facetValue: 'x', facetSelector: '+' as const }],
  };
  const path = comparePath(explore1, explore2);
  expect(path).toMatch(/^\/compare-search\/[\w-]+$/u);
  const address = read(path);
  const encoded: unknown = expect.stringMatching(/^[\w-]+$/u);
  expect(address).toEqual({ ...COMPARE_DEFAULTS, explore1: encoded, explore2: encoded });
  // Text search stays text search in a project where hybrid search is the default.
  expect(decodeSearch(address.explore1, HYBRID_DEFAULTS)).toEqual({ ...SEARCH_DEFAULTS, query: 'wing 😀' });
  expect(decodeSearch(address.explore2, SEARCH_DEFAULTS)).toEqual(explore2);
});

it('R-031 a broken side is the default search, the other is kept', () => {
  const { explore2 } = read(comparePath(SEARCH_DEFAULTS, { ...SEARCH_DEFAULTS, query: 'lift' }));
  expect(decodeSearch('%%%', SEARCH_DEFAULTS)).toEqual(SEARCH_DEFAULTS);
  expect(decodeSearch(explore2, SEARCH_DEFAULTS).query).toBe('lift');
});
