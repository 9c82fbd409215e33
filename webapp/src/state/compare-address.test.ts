import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COMPARE_DEFAULTS, comparePath, decodeComparedSearch, encodeComparedSearch, type CompareAddress } from './compare-address';
import { decodePathState, encodePathState } from './path-state';
import { SEARCH_DEFAULTS } from './search-address';

const limits = { usual: 'hybrid', vectors: true, maySearch: true } as const;
const readPath = (path: string): CompareAddress => decodePathState(path.split('/')[2], COMPARE_DEFAULTS);

const anySearch = fc.record({
  query: fc.string({ unit: 'grapheme' }),
  searchType: fc.constantFrom('text' as const, 'vector' as const, 'hybrid' as const),
  from: fc.integer({ min: 0, max: 1000 }),
  isSimpleQueryMode: fc.boolean(),
  vectorizer: fc.constantFrom('', 'default'),
  nativeRRF: fc.constantFrom('if_available' as const, 'no' as const),
  selectedFacets: fc.array(
    fc.record({ facetName: fc.string(), facetValue: fc.string(), facetSelector: fc.constantFrom('+' as const, '-' as const) }),
  ),
});

describe('the address of a comparison', () => {
  it('S-031, R-028 has two searches, each encoded, and restores both', () => {
    const path = comparePath({ query: 'harbour', searchType: 'text' }, { query: 'port', searchType: 'hybrid', from: 20 });
    const { explore1, explore2 } = readPath(path);
    expect(path).toMatch(/^\/compare-search\/[\w-]+$/u);
    expect([explore1, explore2].every((text) => /^[\w-]+$/u.test(text))).toBe(true);
    expect(decodeComparedSearch(explore1, limits)).toMatchObject({ query: 'harbour', searchType: 'text', from: 0 });
    expect(decodeComparedSearch(explore2, limits)).toMatchObject({ query: 'port', searchType: 'hybrid', from: 20 });
  });

  it('S-031 restores any two searches', () => {
    fc.assert(
      fc.property(anySearch, anySearch, (one, other) => {
        const { explore1, explore2 } = readPath(comparePath(one, other));
        expect(decodeComparedSearch(explore1, limits)).toEqual({ ...SEARCH_DEFAULTS, ...one });
        expect(decodeComparedSearch(explore2, limits)).toEqual({ ...SEARCH_DEFAULTS, ...other });
      }),
    );
  });

  it('opens with the defaults for anything else', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const search = decodeComparedSearch(text, limits);
        expect(['text', 'vector', 'hybrid']).toContain(search.searchType);
        expect(search.from).toBeGreaterThanOrEqual(0);
      }),
    );
    const wrong = { ...SEARCH_DEFAULTS, from: -3, size: 1e9, searchType: 'all' as never, vectorizer: '', nativeRRF: 'yes' as never };
    expect(decodeComparedSearch(encodeComparedSearch(wrong), limits)).toMatchObject({
      ...{ from: 0, size: 100, searchType: 'hybrid', nativeRRF: 'if_available' },
    });
    expect(decodeComparedSearch(encodePathState({ query: 3, filters: 'x' }, {}), limits)).toMatchObject({ query: '', filters: [] });
    expect(comparePath({}, {})).toBe('/compare-search');
  });

  it('searches text only in a project without vectors, and nothing for those who may not search', () => {
    const text = encodeComparedSearch({ query: 'port', searchType: 'vector', from: 10 });
    expect(decodeComparedSearch(text, { ...limits, vectors: false }).searchType).toBe('text');
    expect(decodeComparedSearch(text, { ...limits, maySearch: false })).toMatchObject({ query: '', searchType: 'text', from: 10 });
  });
});
