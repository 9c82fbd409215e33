// @vitest-environment node
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTermFacetValue, termFacetValue, termQueryText } from './term-facet';

describe('values of the facet of terms', () => {
  it('come back from the value, whatever the identifier has', () => {
    const lexicon = fc.stringMatching(/^[a-z][a-z0-9_]{0,20}$/u);
    fc.assert(
      fc.property(lexicon, fc.string({ minLength: 1 }), (name, identifier) => {
        expect(parseTermFacetValue(termFacetValue({ lexicon: name, identifier }))).toEqual({ lexicon: name, identifier });
      }),
    );
    expect(parseTermFacetValue('Q90')).toEqual({ lexicon: '', identifier: 'Q90' });
  });

  it('are quoted in a query', () => {
    expect(termQueryText({ lexicon: 'diseases', identifier: 'DOID:162' })).toBe('term:"diseases:DOID:162"');
    expect(termQueryText({ lexicon: 'a', identifier: 'b"c\\d' })).toBe('term:"a:b\\"c\\\\d"');
  });
});
