// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { readableMetadataName } from './metadata-name';

describe('names of metadata', () => {
  it.each([
    ['document_type', 'Document type'],
    ['documentType', 'Document type'],
    ['country', 'Country'],
    ['main.occupation', 'Main occupation'],
    ['DOI', 'DOI'],
    ['ISBN-13', 'ISBN-13'],
    ['source_URL', 'Source URL'],
    ['Birth Place', 'Birth Place'],
    ['année_de_création', 'Année de création'],
    ['_', '_'],
  ])('%s is shown as %s', (raw, shown) => {
    expect(readableMetadataName(raw)).toBe(shown);
  });
});
