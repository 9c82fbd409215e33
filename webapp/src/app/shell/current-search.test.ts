// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { addressPath } from '@/state/search-address';
import { currentSearch } from './current-search';

const facet = { facetName: 'label', facetValue: 'Person', facetSelector: '+' } as const;

describe('the search of the present screen (D-012)', () => {
  it('is that of the document list, with its facets', () => {
    expect(currentSearch(addressPath('/documents', { query: 'rain', selectedFacets: [facet], from: 20 }))).toEqual({
      searchIn: 'documents',
      query: 'rain',
      simpleQuery: true,
      selectedFacets: ['+label:Person'],
    });
  });
  it('is that of the explorer, and remains while one of the documents is open', () => {
    expect(currentSearch(addressPath('/explore', { query: 'rain', isSimpleQueryMode: false }))).toMatchObject({
      searchIn: 'segments',
      simpleQuery: false,
    });
    expect(currentSearch(addressPath('/document', { query: 'rain', documentIdentifier: 'a' }))).toMatchObject({ searchIn: 'documents' });
    expect(currentSearch(addressPath('/document', { query: 'rain', origin: 'explore' }))).toMatchObject({ searchIn: 'segments' });
  });
  it('is undefined without restrictions, and on other screens', () => {
    for (const path of ['/documents', addressPath('/documents', { from: 20 }), '/labels', '/settings/advanced', '/documents/%%'])
      expect(currentSearch(path), path).toBeUndefined();
  });
});
